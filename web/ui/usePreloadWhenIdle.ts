import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Milliseconds after the last answer and the last press: what is on the screen comes first. */
const PAUSE = 2000

/**
 * Fetches the code of what may be opened next, once the page has all that it asked for and its listener listens.
 * Not for who saves data. What does not arrive is asked for again when it is shown.
 */
export function usePreloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): void {
  const isWaiting = useIsFetching() > 0
  useEffect(() => {
    if (isWaiting || savesData()) return
    const over = new AbortController()
    const preload = () => {
      over.abort()
      for (const part of parts) void part.preload()
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(preload, PAUSE)
    }
    for (const press of ['keydown', 'pointerdown']) {
      window.addEventListener(press, wait, { capture: true, passive: true, signal: over.signal })
    }
    wait()
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [isWaiting, parts])
}

/** https://wicg.github.io/savedata/, which not every browser has. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
