import { Pause, Play, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { RatedSong } from '../../contract/library.ts'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { tileColor } from './tileColor.ts'

interface LibraryTileProps {
  banger: RatedSong
  onPlay: (banger: RatedSong) => void
  onRemove: (banger: RatedSong) => void
}

/** A cover in a frame: plays or pauses its song, shows its name, and can be removed. */
export const LibraryTile = memo(function LibraryTile({ banger, onPlay, onRemove }: LibraryTileProps) {
  const { song } = banger
  const playing = usePlaybackState((state) => phaseOf(state, song.id))
  return (
    <div data-banger={banger.id} className="group/tile relative">
      <button
        type="button"
        aria-label={`${song.title} by ${song.artist}, ${song.microgenre}`}
        aria-pressed={playing === 'playing'}
        onClick={() => onPlay(banger)}
        className="relative block w-full rounded-[4px] border-3 border-(--edge) p-[3px]"
        style={{ '--edge': tileColor(song.microgenre) }}
      >
        <span className="relative block aspect-square overflow-hidden">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
          <span className="tile-words">
            <b className={`truncate font-semibold ${playing ? 'pl-10' : ''}`}>{song.title}</b>
            <span className={`truncate text-xs text-ink-2 ${playing ? 'pl-10' : ''}`}>{song.artist}</span>
            <span className={`truncate text-xs text-ink-3 ${playing ? 'pl-10' : ''}`}>{song.microgenre}</span>
          </span>
          {playing && <PlayingMark state={playing} />}
        </span>
      </button>
      <Caption title={song.title} below={`${song.artist} · ${song.microgenre}`} />
      <button
        type="button"
        aria-label={`Remove from library: ${song.title}`}
        title="Remove from library"
        onClick={() => onRemove(banger)}
        className="tile-remove"
      >
        <Trash2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
})

/** Below the tile on a phone, because there is no hover. */
function Caption({ title, below }: { title: string; below: string }) {
  return (
    <span aria-hidden="true" className="grid h-12.5 content-start pt-1.5 pr-11 wide:hidden">
      <b className="truncate font-semibold">{title}</b>
      <span className="truncate text-xs text-ink-2">{below}</span>
    </span>
  )
}

function PlayingMark({ state }: { state: string }) {
  const Icon = state === 'playing' ? Pause : Play
  return (
    <span className="absolute bottom-0 left-0 grid size-(--size-touch) place-items-center bg-paper">
      {state === 'loading' ? (
        <Spinner className="size-5" />
      ) : (
        <Icon className="size-5 fill-current" strokeWidth={1} aria-hidden="true" />
      )}
    </span>
  )
}
