import { useEffect } from 'react'
import { reportPlayback } from '../../contract/playback.ts'
import { call } from '../api/call.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { watchPlayback } from './playbackReports.ts'

/** Reports the outcome of videos; a lost report does no harm. */
export function usePlaybackReports(engine: PlaybackEngine) {
  useEffect(
    () =>
      watchPlayback(engine, (reports) => void call(reportPlayback, { body: { reports } }).catch(() => {})),
    [engine],
  )
}
