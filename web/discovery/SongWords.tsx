import type { ReactNode } from 'react'
import { ProgressLine } from '../playback/ProgressLine.tsx'
import { Button } from '../ui/Button.tsx'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { shownSong } from './discoveryState.ts'
import { titleLook, widthOf } from './titleLook.ts'

interface SongWordsProps {
  discovery: DiscoveryEngine
  /** Set when no song can load before a retry. */
  onTryAgain: (() => void) | null
  undoButton: ReactNode
}

/** Below the record: progress, title and artist. */
export function SongWords({ discovery, onTryAgain, undoButton }: SongWordsProps) {
  const song = useStore(discovery, shownSong)
  const waiting = onTryAgain ? failed : loading
  const title = song?.title ?? waiting.title
  const artist = song?.artist ?? waiting.words
  return (
    <div className="song-words">
      <ProgressLine song={song} />
      <div className="grid min-h-15 content-start gap-1 max-wide:[@media(min-height:621px)]:min-h-17.5">
        <h1 className={`line-clamp-4 font-bold wrap-anywhere ${titleLook(title)}`}>{title}</h1>
        <div className="flex items-start justify-between gap-x-3 @max-xs:flex-col">
          <p
            className={`line-clamp-2 min-w-0 text-ink-2 wrap-anywhere ${widthOf(artist) > 30 ? artistSizes.long : artistSizes.short}`}
          >
            {artist}
          </p>
          {/* On a phone it is in the strip below, or at the bottom of the screen. */}
          <span className="hidden @xs:-mt-1 @xs:-mb-2 wide:block lying:hidden">{undoButton}</span>
        </div>
        {onTryAgain && (
          <Button size="tight" className="mt-2 justify-self-start" onClick={onTryAgain}>
            Try again
          </Button>
        )}
      </div>
      <p className="text-xs text-ink-2 wide:hidden [@media(max-height:760px)]:hidden">
        Click art to play/pause
      </p>
    </div>
  )
}

const loading = { title: 'Loading next song...', words: 'Please wait' }
const failed = { title: 'Songs could not be loaded', words: 'Check your connection and try again.' }

const artistSizes = {
  short: 'text-lg @max-xs:text-sm/4.5 lying:text-sm/4.5',
  long: 'text-base/5.5 @max-xs:text-xs/4 lying:text-xs/4',
}
