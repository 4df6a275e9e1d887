import { type ReactNode, Suspense, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { VisitorSong } from '../../contract/visitors.ts'
import type { PlaybackControls } from '../playback/createPlayback.ts'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import type { PlayedList, SongInPlay } from './VisitorQueue.tsx'

/** With the code of the queue, so that a press sounds at once, as browsers demand. */
const VisitorQueue = lazyComponent(async () => {
  const [{ VisitorQueue }] = await Promise.all([
    import('./VisitorQueue.tsx'),
    import('../playback/queueEngine.ts'),
  ])
  return VisitorQueue
})

/** Milliseconds. The page and its fonts come first, and a glance at it loads no player. */
const PRELOAD_DELAY = 3000

/** For pages with something to play: after a while, or at the first sign of a hand, so that a press sounds at once. */
export function preloadVisitorPlayer(): () => void {
  const abortController = new AbortController()
  const preload = () => void VisitorQueue.preload()
  for (const sign of ['pointerover', 'touchstart', 'keydown'])
    addEventListener(sign, preload, { signal: abortController.signal, once: true, passive: true })
  const timer = setTimeout(preload, PRELOAD_DELAY)
  return () => {
    abortController.abort()
    clearTimeout(timer)
  }
}

export interface VisitorPlayer {
  /** The bar and the video; render it anywhere in the page. */
  element: ReactNode
  /** The song that plays or is paused. */
  current: SongInPlay | null
  /** Plays the list from its song `at` on, by itself to its end. */
  play(songs: readonly VisitorSong[], at?: number): void
  /** Pauses and continues. */
  toggle(): void
}

/** The player of a page that visitors open (visitors-2). */
export function useVisitorPlayer(): VisitorPlayer {
  const [list, setList] = useState<PlayedList | null>(null)
  const [current, setCurrent] = useState<SongInPlay | null>(null)
  const controls = useRef<PlaybackControls>(null)
  const root = document.getElementById('root')
  return {
    // Where the style expects the video.
    element:
      list &&
      root &&
      createPortal(
        <Suspense>
          <VisitorQueue list={list} controls={controls} onChange={setCurrent} />
        </Suspense>,
        root,
      ),
    current,
    play: (songs, at = 0) => setList({ songs, at }),
    toggle: () => controls.current?.toggle(),
  }
}
