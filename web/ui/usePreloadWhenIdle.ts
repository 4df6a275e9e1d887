import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Milliseconds after the last answer and the last press, so that visible content comes first. */
const PAUSE = 2000

/**
 * Preloads code that may be needed next, once the page has finished its requests and the listener is idle. Not in
 * data-saving mode. Code that fails to load is requested again when it is needed.
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

/** https://wicg.github.io/savedata/; not every browser has it. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
