import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Milliseconds after the last answer: what is on the screen comes first. */
const PAUSE = 2000

/**
 * Fetches the code of what may be opened next, once the page has all that it asked for and nothing else to do.
 * Not for who saves data. What does not arrive is asked for again when it is shown.
 */
export function usePreloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): void {
  const isWaiting = useIsFetching() > 0
  useEffect(() => {
    if (isWaiting || savesData()) return
    const timer = setTimeout(() => {
      for (const part of parts) void part.preload()
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [isWaiting, parts])
}

/** https://wicg.github.io/savedata/, which not every browser has. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
