import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import type { PlaybackReport } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import {
  type ProgressReport,
  type ReportedPlayback,
  watchOutcomes,
  watchProgress,
} from './playbackReports.ts'
import { initialPlayback, type Playback } from './playbackState.ts'

let leave = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', (_: 'pagehide', listener: () => void) => (leave = listener))
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const video = { kind: 'video', videoId: 'abcdefghijk', strategy: 'full', start: 0 } as const
const songOf = (id: string, youtubeId: string | null = 'abcdefghijk') => ({ id, youtubeId }) as Song

function listen() {
  const sent: PlaybackReport[][] = []
  const store = createStore<ReportedPlayback>()(() => initialPlayback)
  const stop = watchOutcomes(store, (reports) => sent.push(reports))
  const change = (next: Partial<ReportedPlayback>) => store.setState(next)
  return {
    sent,
    stop,
    change,
    plays: (id: string) =>
      change({ song: songOf(id), source: video, videoTried: true, errors: [], phase: 'playing' }),
    /** The video gave these errors, and the preview plays. */
    falls: (id: string, errors: number[], song = songOf(id)) =>
      change({
        song,
        source: { kind: 'preview', song, fresh: false },
        videoTried: true,
        errors,
        phase: 'playing',
      }),
  }
}

test('played and failed videos are reported together, five minutes after the first', () => {
  const { sent, plays, falls } = listen()
  plays('1')
  vi.advanceTimersByTime(290_000)
  falls('2', [100])
  expect(sent).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(sent).toEqual([
    [
      { songId: '1', videoId: 'abcdefghijk', outcome: 'ready', previewUsed: false },
      { songId: '2', videoId: 'abcdefghijk', outcome: '100', previewUsed: true },
    ],
  ])
})

test.each([
  [[5], '5'],
  [[153, 153, 153], '153'],
  [[150, 101, 153], '150'],
  [[5, 5, 2], '2'],
  [[], 'preview'],
  [[7], 'preview'],
])('errors %j are reported as %s', (errors, outcome) => {
  const { sent, falls } = listen()
  falls('1', errors)
  vi.advanceTimersByTime(300_000)
  expect(sent).toMatchObject([[{ outcome }]])
})

test('a repeated outcome of a song is not reported again, a different one is', () => {
  const { sent, plays, falls } = listen()
  plays('1')
  vi.advanceTimersByTime(300_000)
  plays('2')
  plays('1')
  vi.advanceTimersByTime(300_000)
  falls('1', [150])
  vi.advanceTimersByTime(300_000)
  expect(sent.map((reports) => reports.map(({ songId, outcome }) => `${songId} ${outcome}`))).toEqual([
    ['1 ready'],
    ['2 ready'],
    ['1 150'],
  ])
})

test('a silent song is reported with the reason; one without a video, or whose video was skipped, is not reported', () => {
  const { sent, change, falls } = listen()
  falls('1', [], songOf('1', null))
  change({ song: songOf('2'), source: null, videoTried: false, phase: 'silent' })
  change({ song: songOf('3'), source: null, videoTried: true, errors: [100], phase: 'silent' })
  vi.advanceTimersByTime(300_000)
  expect(sent).toEqual([[{ songId: '3', videoId: 'abcdefghijk', outcome: '100', previewUsed: false }]])
})

test('twenty reports are sent at once, what waits at the end, and none after it', () => {
  const { sent, plays, stop } = listen()
  for (let n = 1; n <= 21; n++) plays(String(n))
  expect(sent.map((reports) => reports.length)).toEqual([20])
  stop()
  expect(sent.map((reports) => reports.length)).toEqual([20, 1])
  plays('22')
  vi.advanceTimersByTime(600_000)
  expect(sent).toHaveLength(2)
})

test('what waits is sent when the page is left', () => {
  const { sent, plays } = listen()
  plays('1')
  leave()
  expect(sent).toMatchObject([[{ songId: '1' }]])
})

/** A fake playback with the given state; its time is the fake clock's by default. */
function listenToProgress({ position, duration = 180 }: { position?: number; duration?: number } = {}) {
  const begun = Date.now()
  const sent: (ProgressReport & { at: number })[] = []
  const store = createStore<Pick<Playback, 'song' | 'phase'>>()(() => initialPlayback)
  const stop = watchProgress(
    {
      ...store,
      position: () => position ?? (Date.now() - begun) / 1000,
      duration: () => duration,
    },
    (report) => sent.push({ ...report, at: Date.now() - begun }),
  )
  return {
    sent,
    stop,
    change: (phase: Playback['phase'], id = '1') => store.setState({ phase, song: { id } as Song }),
  }
}

test('playback-19: progress is sent every 5 s while a song plays', () => {
  const { sent, change } = listenToProgress()
  change('playing')
  vi.advanceTimersByTime(16_000)
  expect(sent.map(({ at }) => at)).toEqual([5000, 10_000, 15_000])
  expect(sent[0]).toMatchObject({ songId: '1', secondsListened: 5, totalDuration: 180 })
})

test('playback-19: playing and pausing repeatedly does not send it more often', () => {
  const { sent, change } = listenToProgress()
  for (let n = 0; n < 19; n++) {
    change('playing')
    vi.advanceTimersByTime(250)
    change('paused')
    vi.advanceTimersByTime(250)
  }
  expect(sent).toHaveLength(0)
  change('playing')
  vi.advanceTimersByTime(250)
  expect(sent).toHaveLength(1)
  change('paused')
  change('playing')
  vi.advanceTimersByTime(4900)
  expect(sent).toHaveLength(1)
})

test.each([
  { position: 0 },
  { position: 0.0004 },
  { position: 86_401 },
  { duration: 0 },
  { duration: Number.NaN },
])('playback-19: it is not sent with %o', (times) => {
  const { sent, change } = listenToProgress(times)
  change('playing')
  vi.advanceTimersByTime(20_000)
  expect(sent).toEqual([])
})

test('playback-19: it is not sent while the song is paused, loading, ended or silent', () => {
  const { sent, change } = listenToProgress()
  change('playing')
  for (const phase of ['paused', 'loading', 'ended', 'silent'] as const) {
    vi.advanceTimersByTime(1000)
    change(phase)
    vi.advanceTimersByTime(15_000)
  }
  expect(sent).toEqual([])
})

test('another song starts its own five seconds, and nothing is sent after the end', () => {
  const { sent, change, stop } = listenToProgress()
  change('playing', '1')
  vi.advanceTimersByTime(4000)
  change('playing', '2')
  vi.advanceTimersByTime(4000)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(sent).toMatchObject([{ songId: '2', at: 9000 }])
  stop()
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(1)
})
