import { useQuery } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { ratingsQuery } from '../library/useBangers.ts'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Pause, Play } from '../ui/laterIcons.ts'
import type { Rated } from './discoveryState.ts'

interface CompletedSongsProps {
  microgenreId: string
  /** The latest ratings of this visit, shown until all are known. */
  latest: readonly Rated[]
  /** What to do next, between the numbers and the sleeves. */
  children: ReactNode
}

/** Drawn covers cost time; a catalogue may have microgenres of thousands of songs. */
const MOST_SLEEVES = 120

/** How many bangers the microgenre had, and all its sleeves, bangers first: a banger plays (discover-30). */
export function CompletedSongs({ microgenreId, latest, children }: CompletedSongsProps) {
  const { data, isFetching, isError, refetch } = useQuery(ratingsQuery)
  const all =
    data?.complete && !isFetching
      ? data.ratings.filter(({ song }) => song.microgenreId === microgenreId)
      : null
  const shown = all ?? latest
  const bangers = shown.filter(({ rating }) => rating === 'banger')
  const busts = shown.filter(({ rating }) => rating === 'bust')
  const failure = isError && !data && (
    <LoadFailure onRetry={refetch}>Your ratings of this microgenre did not load.</LoadFailure>
  )
  if (shown.length === 0) {
    return (
      <>
        {children}
        {failure}
      </>
    )
  }
  return (
    <section aria-label="Your ratings" className="grid gap-6">
      <div className="tally">
        {all && (
          <>
            <p className="tally-words">
              <b className="tally-bangers">{bangers.length}</b>{' '}
              {`${bangers.length === 1 ? 'banger' : 'bangers'} of ${all.length}`}
            </p>
            <span aria-hidden="true" className="tally-bar">
              <span style={{ width: `${(bangers.length / all.length) * 100}%` }} />
            </span>
          </>
        )}
        <ButtonTo to="/profile" size="tight" className="ml-auto">
          Your stats
        </ButtonTo>
      </div>
      {children}
      {failure}
      <div className="sleeves">
        {[...bangers, ...busts].slice(0, MOST_SLEEVES).map(({ song, rating }, i) => (
          <div key={song.id} style={{ '--place': Math.min(i, 40) } as CSSProperties}>
            {rating === 'banger' ? <PlayableSleeve song={song} /> : <BustSleeve song={song} />}
          </div>
        ))}
      </div>
    </section>
  )
}

function PlayableSleeve({ song }: { song: Song }) {
  const { select } = usePlayback()
  const playing = usePlaybackState((state) => phaseOf(state, song.id))
  const Icon = playing === 'playing' ? Pause : Play
  const name = `${song.title} by ${song.artist}`
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={playing === 'playing'}
      title={name}
      onClick={() => select(song, { announce: true })}
      className="relative block aspect-square w-full"
    >
      <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
      {playing && (
        <span className="absolute inset-0 m-auto grid size-8 place-items-center bg-paper">
          <Icon className="size-5 fill-current" strokeWidth={1} />
        </span>
      )}
    </button>
  )
}

function BustSleeve({ song }: { song: Song }) {
  return (
    <span className="block aspect-square opacity-25 grayscale">
      <span className="sr-only">{`Bust: ${song.title} by ${song.artist}`}</span>
      <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
    </span>
  )
}
