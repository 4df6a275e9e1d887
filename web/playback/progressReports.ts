import type { Body } from '../../contract/endpoint.ts'
import { PROGRESS_INTERVAL, reportProgress } from '../../contract/playback.ts'
import type { Store } from '../ui/store.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { Playback } from './playbackState.ts'

export type ProgressReport = Body<typeof reportProgress>

/**
 * Calls `send` after every 5 s that a song was heard, pauses not counted; so never twice in 5 s, and not while
 * nothing plays (playback-19). A time that the call would refuse, as where none is known yet, is left out.
 * Gives the way to stop.
 */
export function watchProgress(
  engine: Store<Pick<Playback, 'song' | 'phase'>> & Pick<PlaybackEngine, 'position' | 'duration'>,
  send: (report: ProgressReport) => void,
): () => void {
  let songId: string | undefined
  /** Milliseconds heard since the last report, and since when it plays again. */
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
