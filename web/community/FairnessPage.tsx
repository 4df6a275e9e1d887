import { useQuery } from '@tanstack/react-query'
import type { Response } from '../../contract/endpoint.ts'
import { getLongTail, NEW_SONG_DAYS } from '../../contract/longTail.ts'
import { query } from '../api/query.ts'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { BulletList, ReadingPage, ReadingSection } from '../ui/page/ReadingPage.tsx'
import { formatLeastHeardHalf, formatLittleHeard } from './formatLongTail.ts'
import './fairness.css'

/** How evenly songs are heard, for everybody (community-20). */
export function FairnessPage() {
  const { data, isError, refetch } = useQuery(query(getLongTail))
  return (
    <ReadingPage
      title="How fairly songs are heard"
      note="Some songs get many plays, others hardly any. These figures show how big the difference is."
      className="fairness"
    >
      {data ? (
        <LongTails tails={data} />
      ) : isError ? (
        <LoadFailure onRetry={refetch}>How fairly songs are heard did not load.</LoadFailure>
      ) : (
        <p role="status">Loading...</p>
      )}
      <WhatCounts />
    </ReadingPage>
  )
}

function LongTails({ tails: { all, microgenres, withoutFigures } }: { tails: Response<typeof getLongTail> }) {
  if (!all) return <NoFiguresYet />
  return (
    <>
      <ReadingSection title="All songs">
        <p>
          <b className="text-ink">{formatLeastHeardHalf(all)}</b> {formatLittleHeard(all)}
        </p>
        <Bar part={all.halfPlays / all.plays} />
        <p className="text-sm">
          The whole bar is all plays; the filled part is the plays of the least-heard half of the songs. If
          all songs were heard equally often, it would reach the line in the middle. Counted on{' '}
          <time dateTime={all.countedAt}>{new Date(all.countedAt).toLocaleString([], DATE_FORMAT)}</time>.
        </p>
      </ReadingSection>
      <ReadingSection title="Microgenres, the least even first">
        <ol className="tails">
          {microgenres.map((tail) => (
            <li key={tail.microgenre} data-genre="" style={{ '--genre': tail.color }}>
              <b dir="auto">{tail.microgenre}</b>
              <Bar part={tail.halfPlays / tail.plays} />
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
          <ul aria-label="Without figures" className="names-without-figures">
            {withoutFigures.map((name) => (
              <li key={name} dir="auto">
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

/** Hidden from screen readers: the sentence beside it says the same. */
function Bar({ part }: { part: number }) {
  return <span aria-hidden="true" className="tail-bar" style={{ '--part': part }} />
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
          A microgenre has figures if it has more than one song and five listeners have heard the same one.
          ‘All songs’ counts only the songs of these microgenres. Otherwise the figures could reveal what a
          single listener heard.
        </li>
        <li>The figures are counted once an hour.</li>
      </BulletList>
    </ReadingSection>
  )
}
