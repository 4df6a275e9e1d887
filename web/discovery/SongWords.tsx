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
    <div className={place}>
      <ProgressLine song={song} />
      <div className="grid min-h-15 content-start gap-1 max-wide:[@media(min-height:621px)]:min-h-17.5">
        <h1 className={`line-clamp-4 font-bold wrap-anywhere ${titleLook(title)}`}>{title}</h1>
        <div className="flex items-start justify-between gap-x-3 @max-xs:flex-col">
          <p
            className={`line-clamp-2 min-w-0 text-ink-2 wrap-anywhere @max-xs:text-sm/4.5 lying:text-sm/4.5 ${widthOf(artist) > 30 ? 'text-base/5.5 @max-xs:text-xs/4 lying:text-xs/4' : 'text-lg'}`}
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

const place =
  '@container grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5 max-wide:col-start-2 max-wide:row-start-3 lying:col-start-2 lying:row-start-2 ' +
  '[@media(orientation:landscape)_and_(min-width:720px)_and_(min-height:480px)]:max-w-[calc(50vw+var(--art)/2-var(--dock-w)-40px)]'
