import { PROGRESS_INTERVAL, Progress } from '../../contract/playback.ts'
import type { Store } from '../ui/store.ts'
import { isInCatalogue } from './isInCatalogue.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { Playback } from './playbackState.ts'

export type ProgressReport = Progress & { songId: string }

/**
 * How far songs were heard (playback-19). Times that the calls would reject, such as unknown ones, are left out.
 * A rating takes the progress of its song along; what is not taken is reported.
 */
export function trackProgress(
  engine: Store<Pick<Playback, 'song' | 'phase'>> & Pick<PlaybackEngine, 'position' | 'duration'>,
) {
  let songId: string | undefined
  /** Milliseconds played since the progress was taken, and since when it plays. */
  let heard = 0
  let playingSince: number | null = null

  function take(id: string): Progress | undefined {
    if (id !== songId) return
    heard = 0
    if (playingSince !== null) playingSince = Date.now()
    const times = { secondsListened: engine.position(), totalDuration: engine.duration() }
    return Progress.safeParse(times).data
  }

  /**
   * Calls `send` when a song gives way to another, or the page is left, and after every minute of playback, without
   * pauses. Returns a function that stops it.
   */
  function follow(send: (report: ProgressReport) => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined

    function update() {
      const { song, phase } = engine.state()
      const plays = phase === 'playing'
      if (song?.id === songId && plays === (playingSince !== null)) return
      count()
      // The player still is at the song before.
      if (song?.id !== songId) report()
      songId = song?.id
      playingSince = plays ? Date.now() : null
      if (plays) timer = setTimeout(reportAgain, PROGRESS_INTERVAL - heard)
    }

    function count() {
      clearTimeout(timer)
      if (playingSince !== null) heard += Date.now() - playingSince
      playingSince = null
    }

    function report() {
      if (songId === undefined || heard === 0) return
      const progress = take(songId)
      if (progress && isInCatalogue({ id: songId })) send({ songId, ...progress })
    }

    function reportAgain() {
      heard = PROGRESS_INTERVAL
      report()
      timer = setTimeout(reportAgain, PROGRESS_INTERVAL)
    }

    update()
    const stop = engine.subscribe(update)
    const leave = () => {
      count()
      report()
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      clearTimeout(timer)
      stop()
    }
  }

  return { take, follow }
}
