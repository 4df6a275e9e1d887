import { useQuery } from '@tanstack/react-query'
import { getLongTail, type LongTail, NEW_SONG_DAYS } from '../../contract/community.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { formatCount } from '../../contract/formatCount.ts'
import { query } from '../api/query.ts'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { BulletList, ReadingPage, ReadingSection } from '../ui/page/ReadingPage.tsx'

/** How evenly songs are heard, for everybody (community-20). */
export function FairnessPage() {
  const { data, isError, refetch } = useQuery(query(getLongTail))
  return (
    <ReadingPage
      title="How fairly songs are heard"
      note="Some songs get many plays, others hardly any. These figures show how big the difference is."
      className="max-w-240 [&_:is(p,ul)]:max-w-[65ch] [&_:is(p,ul)]:text-pretty"
    >
      {data ? (
        <LongTails tails={data} />
      ) : isError ? (
        <LoadFailure isMain onRetry={refetch}>
          How fairly songs are heard did not load.
        </LoadFailure>
      ) : (
        <p role="status">Loading...</p>
      )}
      <WhatCounts />
    </ReadingPage>
  )
}

function LongTails({
  tails: { all, microgenres, withoutFigures },
}: {
  tails: ResponseOf<typeof getLongTail>
}) {
  if (!all) return <NoFiguresYet />
  return (
    <>
      <ReadingSection title="All songs">
        <p>
          <b className="text-ink">{formatLeastHeardHalf(all)}</b> {formatLittleHeard(all)}
        </p>
        <Bar part={all.halfPlays / all.plays} fill="bg-ink-2" />
        <p className="text-sm">
          The whole bar is all plays; the filled part is the plays of the least-heard half of the songs. If
          all songs were heard equally often, it would reach the line in the middle. Counted on{' '}
          <time dateTime={all.countedAt}>{new Date(all.countedAt).toLocaleString([], DATE_FORMAT)}</time>.
        </p>
      </ReadingSection>
      <ReadingSection title="Microgenres, the least even first">
        <ol className="grid text-sm">
          {microgenres.map((tail) => (
            <li
              key={tail.microgenre}
              data-genre=""
              style={{ '--genre': tail.color }}
              className="grid gap-2 border-b border-line py-4 wide:grid-cols-[12rem_minmax(0,1fr)_minmax(0,2fr)] wide:items-center wide:gap-x-6"
            >
              <b dir="auto" className="font-semibold wrap-anywhere text-ink">
                {tail.microgenre}
              </b>
              <Bar part={tail.halfPlays / tail.plays} fill="bg-accent" />
              <span>
                {formatLeastHeardHalf(tail)} {formatLittleHeard(tail)}
              </span>
            </li>
          ))}
        </ol>
      </ReadingSection>
      {withoutFigures.length > 0 && (
        <ReadingSection title="No figures yet">
          <p>These microgenres have only one song, or no song that five listeners have heard:</p>
          <ul aria-label="Without figures" className="flex flex-wrap gap-x-5 gap-y-1.5">
            {withoutFigures.map((name) => (
              <li key={name} dir="auto" className="wrap-anywhere">
                {name}
              </li>
            ))}
          </ul>
        </ReadingSection>
      )}
    </>
  )
}

const DATE_FORMAT = { dateStyle: 'long', timeStyle: 'short' } as const

/**
 * The whole bar is all plays, the filled part those of the least-heard half. A line marks the middle. Hidden from screen
 * readers, because the sentence beside it says the same.
 */
function Bar({ part, fill }: { part: number; fill: string }) {
  return (
    <span
      aria-hidden="true"
      className="relative block h-3 bg-ink/14 forced-color-adjust-none forced-colors:border forced-colors:border-[ButtonText] forced-colors:bg-[ButtonFace]"
    >
      <span
        className={`absolute inset-y-0 start-0 ${fill} forced-colors:bg-[ButtonText]`}
        style={{ width: `${100 * part}%` }}
      />
      <span className="absolute -inset-y-1 start-[calc(50%-1px)] w-0.5 bg-ink forced-colors:bg-[ButtonText]" />
    </span>
  )
}

function NoFiguresYet() {
  return (
    <ReadingSection title="Nothing to count yet">
      <p>
        No song has been heard by five listeners yet. Within an hour of that, the first figures appear here.
      </p>
      <p>
        <ButtonTo to="/" variant="main">
          Hear some songs
        </ButtonTo>
      </p>
    </ReadingSection>
  )
}

function WhatCounts() {
  return (
    <ReadingSection title="What is counted">
      <BulletList>
        <li>
          A play is a rating that a listener gave after hearing something of the song. Each listener counts
          once for a song, however often they hear it.
        </li>
        <li>
          The least-heard half consists of the songs with the fewest plays. If the number of songs is odd, it
          is the smaller half.
        </li>
        <li>Songs that left the catalogue do not count, and neither do their plays.</li>
        <li>
          A song is new in its first {NEW_SONG_DAYS} days. New songs count too, although hardly anyone has had
          time to hear a song that was added yesterday.
        </li>
        <li>
          A microgenre has figures once five listeners have heard the same one of its songs, of which it needs
          at least two. ‘All songs’ counts only the songs of these microgenres. Otherwise the figures could
          reveal what a single listener heard.
        </li>
        <li>The figures are counted once an hour.</li>
      </BulletList>
    </ReadingSection>
  )
}

/** What the least-heard half of the songs got (community-21). Rounded down; 0 % only for no plays at all. */
export function formatLeastHeardHalf({
  songs,
  plays,
  halfPlays,
}: Pick<LongTail, 'songs' | 'plays' | 'halfPlays'>): string {
  const percent = Math.floor((100 * halfPlays) / plays)
  const share = percent === 0 && halfPlays > 0 ? 'less than 1\u00a0%' : `${percent}\u00a0%`
  return `The least-heard half of ${songs.toLocaleString()} songs got ${share} of ${plays.toLocaleString()} plays.`
}

/** How many songs have fewer than five plays, and how many of them were never heard or are new. */
export function formatLittleHeard({
  littleHeard,
  littleHeardNew,
  neverHeard,
}: Pick<LongTail, 'littleHeard' | 'littleHeardNew' | 'neverHeard'>): string {
  if (littleHeard === 0) return 'Every song has five plays or more.'
  const details = [
    neverHeard > 0 && formatCount(neverHeard, 'was never heard', 'were never heard'),
    littleHeardNew > 0 && formatCount(littleHeardNew, 'is new', 'are new'),
  ].filter((detail) => detail !== false)
  const songs = formatCount(littleHeard, 'song has', 'songs have')
  return `${songs} fewer than five plays${details.length > 0 ? ': ' : ''}${details.join(', ')}.`
}
