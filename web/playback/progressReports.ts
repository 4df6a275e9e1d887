import type { Body } from '../../contract/endpoint.ts'
import { PROGRESS_INTERVAL, reportProgress } from '../../contract/playback.ts'
import type { Store } from '../ui/store.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { Playback } from './playbackState.ts'

export type ProgressReport = Body<typeof reportProgress>

/**
 * Calls `send` after every 5 s of playback, without pauses (playback-19). Times that the call would reject, such as
 * unknown ones, are left out.
 * Returns a function that stops it.
 */
export function watchProgress(
  engine: Store<Pick<Playback, 'song' | 'phase'>> & Pick<PlaybackEngine, 'position' | 'duration'>,
  send: (report: ProgressReport) => void,
): () => void {
  let songId: string | undefined
  /** Milliseconds played since the last report, and since when it plays. */
  let heard = 0
  let playingSince: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function follow() {
    const { song, phase } = engine.state()
    const plays = phase === 'playing'
    if (song?.id === songId && plays === (playingSince !== null)) return
    clearTimeout(timer)
    if (playingSince !== null) heard += Date.now() - playingSince
    if (song?.id !== songId) heard = 0
    songId = song?.id
    playingSince = plays ? Date.now() : null
    if (plays) timer = setTimeout(report, PROGRESS_INTERVAL - heard)
  }

  function report() {
    heard = 0
    playingSince = Date.now()
    timer = setTimeout(report, PROGRESS_INTERVAL)
    const { success, data } = reportProgress.body.safeParse({
      songId,
      secondsListened: engine.position(),
      totalDuration: engine.duration(),
    })
    if (success) send(data)
  }

  follow()
  const stop = engine.subscribe(follow)
  return () => {
    clearTimeout(timer)
    stop()
  }
}
