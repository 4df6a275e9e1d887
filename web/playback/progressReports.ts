import type { Body } from '../../contract/endpoint.ts'
import { PROGRESS_INTERVAL, reportProgress } from '../../contract/playback.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { Playback } from './playbackState.ts'

export type ProgressReport = Body<typeof reportProgress>

/**
 * Calls `send` after every 5 s of playback, without pauses (playback-19). Times that the call would reject, such as
 * unknown ones, are left out.
 * Returns a function that stops it.
 */
export function watchProgress(
  engine: ReadonlyStore<Pick<Playback, 'song' | 'phase'>> & Pick<PlaybackEngine, 'position' | 'duration'>,
  send: (report: ProgressReport) => void,
): () => void {
  let songId: string | undefined
  /** Milliseconds played since the last report, and since when it plays. */
  let playedMs = 0
  let playingSince: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function onChange() {
    const { song, phase } = engine.getState()
    const isPlaying = phase === 'playing'
    if (song?.id === songId && isPlaying === (playingSince !== null)) return
    clearTimeout(timer)
    if (playingSince !== null) playedMs += Date.now() - playingSince
    if (song?.id !== songId) playedMs = 0
    songId = song?.id
    playingSince = isPlaying ? Date.now() : null
    if (isPlaying) timer = setTimeout(report, PROGRESS_INTERVAL - playedMs)
  }

  function report() {
    playedMs = 0
    playingSince = Date.now()
    timer = setTimeout(report, PROGRESS_INTERVAL)
    const { success, data } = reportProgress.body.safeParse({
      songId,
      secondsListened: engine.position(),
      totalDuration: engine.duration(),
    })
    if (success) send(data)
  }

  onChange()
  const unsubscribe = engine.subscribe(onChange)
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}
