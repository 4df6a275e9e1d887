import type { BodyOf } from '../../contract/endpoint.ts'
import {
  MAX_REPORTS_PER_CALL,
  PLAYBACK_OUTCOMES,
  type PlaybackOutcome,
  type PlaybackReport,
  PROGRESS_INTERVAL,
  type reportProgress,
  VIDEO_FAULTS,
} from '../../contract/playback.ts'
import { MAX_SECONDS, MIN_SECONDS } from '../../contract/shapes.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { Playback, SongState } from './playbackState.ts'
import { isInCatalogue } from './player.ts'

/** The part of playback that is reported. */
export type ReportedPlayback = Pick<Playback, 'song' | 'source' | 'phase'> &
  Partial<Pick<SongState, 'videoTried' | 'errors'>>

/** Milliseconds that a report waits for others of the same request. */
const REPORT_DELAY = 300_000

/** A phone's browser may end a hidden page without another event. */
const LEAVE_EVENTS = ['visibilitychange', 'pagehide']

/** Songs whose reports a page remembers. */
const MAX_REPORTED_SONGS = 500

/**
 * Reports the outcome of each video that was tried, once per song and outcome, in batches of five minutes or when the
 * page is hidden or left. Returns a function that sends the rest and stops.
 */
export function watchOutcomes(
  engine: ReadonlyStore<ReportedPlayback>,
  send: (reports: PlaybackReport[]) => void,
): () => void {
  const sentReports = new Map<string, string>()
  let pendingReports: PlaybackReport[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function onChange() {
    const report = createReport(engine.getState())
    if (!report) return
    const { songId, ...result } = report
    const key = JSON.stringify(result)
    if (sentReports.get(songId) === key) return
    if (sentReports.size >= MAX_REPORTED_SONGS) sentReports.clear()
    sentReports.set(songId, key)
    pendingReports = [...pendingReports.filter((other) => other.songId !== songId), report]
    if (pendingReports.length === MAX_REPORTS_PER_CALL) flush()
    else timer ??= setTimeout(flush, REPORT_DELAY)
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (pendingReports.length > 0) send(pendingReports)
    pendingReports = []
  }

  const unsubscribe = engine.subscribe(onChange)
  for (const event of LEAVE_EVENTS) addEventListener(event, flush)
  return () => {
    for (const event of LEAVE_EVENTS) removeEventListener(event, flush)
    flush()
    unsubscribe()
  }
}

/** Null until the video plays, something else plays in its place, or nothing can. */
function createReport({
  song,
  source,
  phase,
  videoTried,
  errors = [],
}: ReportedPlayback): PlaybackReport | null {
  if (!song?.youtubeId || !videoTried || !isInCatalogue(song)) return null
  const previewUsed = source !== null && source.kind !== 'video' && phase === 'playing'
  const report = { songId: song.id, videoId: song.youtubeId, previewUsed }
  if (source?.kind === 'video') return phase === 'playing' ? { ...report, outcome: 'ready' } : null
  return previewUsed || phase === 'silent' ? { ...report, outcome: getGravestOutcome(errors) } : null
}

/** Of the errors of all embeds, those of the video itself take precedence. */
function getGravestOutcome(errors: readonly number[]): PlaybackOutcome {
  const codes = errors.map(String)
  const code = codes.find((each) => VIDEO_FAULTS.some((fault) => fault === each)) ?? codes.at(-1)
  return PLAYBACK_OUTCOMES.find((outcome) => outcome === code) ?? 'preview'
}

export type ProgressReport = BodyOf<typeof reportProgress>

/**
 * Reports progress after every 5 s of playback, pauses not counted (playback-19), unless a time is unknown. Returns a
 * function that stops it.
 */
export function watchProgress(
  engine: ReadonlyStore<Pick<Playback, 'song' | 'phase'>> & Pick<PlaybackEngine, 'position' | 'duration'>,
  send: (report: ProgressReport) => void,
): () => void {
  let songId: string | undefined
  /** Milliseconds played since the last report, before `playingSince`. */
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
    const { song } = engine.getState()
    const [secondsListened, totalDuration] = [engine.position(), engine.duration()]
    if (song && isInCatalogue(song) && isKnownTime(secondsListened) && isKnownTime(totalDuration))
      send({ songId: song.id, secondsListened, totalDuration })
  }

  onChange()
  const unsubscribe = engine.subscribe(onChange)
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

const isKnownTime = (seconds: number) => seconds >= MIN_SECONDS && seconds <= MAX_SECONDS
