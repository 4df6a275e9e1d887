import { Pause, Play } from 'lucide-react'
import type { RatedSong } from '../../contract/library.ts'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { usePainted } from '../ui/usePainted.ts'
import type { RatedSongs } from './ratedSongs.ts'

/** The texts of a tab (people-15, people-16). */
export interface RatedListTexts {
  title: string
  loading: string
  empty: string
  failure: string
  more: (hidden: number) => string
}

interface RatedListProps {
  list: { data: RatedSongs | undefined; isError: boolean; refetch: () => unknown }
  texts: RatedListTexts
}

export function RatedList({ list, texts }: RatedListProps) {
  return (
    <>
      <h2 className="mb-3">{texts.title}</h2>
      {list.data ? (
        <Songs songs={list.data} texts={texts} />
      ) : list.isError ? (
        <LoadFailure onRetry={() => void list.refetch()}>{texts.failure}</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          {texts.loading}
        </p>
      )}
    </>
  )
}

function Songs({ songs: { items, total }, texts }: { songs: RatedSongs; texts: RatedListTexts }) {
  // Names first: twenty images at once would delay the list, and so would the first date, for which the browser
  // loads locale data.
  const painted = usePainted()
  if (total === 0) return <p className="text-base text-ink-2">{texts.empty}</p>
  const hidden = total - items.length
  return (
    <>
      <ul className="grid gap-x-10 @4xl:grid-cols-2">
        {items.map((rated) => (
          <SongRow key={rated.id} rated={rated} painted={painted} />
        ))}
      </ul>
      {hidden > 0 && <p className="mt-5 text-ink-2">{texts.more(hidden)}</p>}
    </>
  )
}

function SongRow({ rated: { song, createdAt }, painted }: { rated: RatedSong; painted: boolean }) {
  const { select } = usePlayback()
  const isCurrent = usePlaybackState((state) => phaseOf(state, song.id) !== null)
  const playing = usePlaybackState((state) => phaseOf(state, song.id) === 'playing')
  const Icon = playing ? Pause : Play
  return (
    <li
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3.5 border-b border-line py-2"
    >
      <button
        type="button"
        aria-label={`${playing ? 'Pause' : 'Play'} ${song.title}`}
        onClick={() => select(song, { announce: true })}
        className="group relative block size-14"
      >
        {painted && <AlbumArt title={song.title} art={song.albumArt} color={song.color} />}
        <span
          className={`absolute bottom-0 left-0 place-items-center bg-paper p-1 group-hover:grid group-focus-visible:grid ${isCurrent ? 'grid' : 'hidden'}`}
        >
          <Icon className="size-4 fill-current" strokeWidth={1} aria-hidden="true" />
        </span>
      </button>
      <span className="grid">
        <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
          {song.title}
        </b>
        <span className="line-clamp-2 text-xs text-ink-2">
          <bdi>{song.artist}</bdi> · <span className="text-accent">{song.microgenre}</span>
        </span>
      </span>
      <time dateTime={createdAt} className="text-xs text-ink-3 tabular-nums">
        {painted && formatDate(createdAt)}
      </time>
    </li>
  )
}
