import { useEffect } from 'react'
import { reportPlayback } from '../../contract/playback.ts'
import { call } from '../api/call.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { watchPlayback } from './playbackReports.ts'

/** Reports what became of videos; a report that is lost costs nothing. */
export function usePlaybackReports(engine: PlaybackEngine) {
  useEffect(
    () =>
      watchPlayback(engine, (reports) => void call(reportPlayback, { body: { reports } }).catch(() => {})),
    [engine],
  )
}
