import { createStore } from 'zustand'
import type { OfferedSong, rateAndAdvance } from '../../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../../contract/endpoint.ts'
import type { Rating, Song } from '../../../contract/shapes.ts'
import { uncoverSong } from '../../playback/coverSong.ts'
import type { PlaybackControls } from '../../playback/createPlayback.ts'
import type { ReadonlyStore } from '../../ui/afterPaint.ts'
import { UNDO_TIME } from '../../ui/toast.ts'
import type { DiscoveryCalls } from './discoveryCalls.ts'
import { type DiscoveryEvent, stepDiscovery } from './discoveryMachine.ts'
import {
  canRate,
  DEFER_FADE_TIME,
  type Discovery,
  FEEDBACK_TIME,
  hasRatingFailed,
  initialDiscovery,
  isReadyToAdvance,
  needsRefill,
  type Outcome,
  upcomingSong,
  type Verdict,
} from './discoveryState.ts'

/** Milliseconds between the verdict's feedback and the next song (discover-10). */
const NEXT_SONG_DELAY = 400
/** Milliseconds in which a second press is ignored, because the next song may show at once. */
const DOUBLE_PRESS_TIME = 500
/** Milliseconds that the reveal's sentence stays beside Undo (discover-41). */
const SENTENCE_TIME = 6000

export interface DiscoveryEngine extends ReadonlyStore<Discovery> {
  send(event: DiscoveryEvent): void
  choose(microgenreId: string): void
  rate(rating: Rating): void
  /** Defers the song; a song that was deferred before is dropped (discover-43). */
  deferSong(): void
  /** Handles events until the returned function is called. */
  run(): () => void
}

interface DiscoveryOptions {
  calls: DiscoveryCalls
  playback: Pick<
    PlaybackControls,
    'load' | 'uncover' | 'prefetch' | 'prepare' | 'pause' | 'resume' | 'stop' | 'enableSound'
  >
  /** `sentAt` is `performance.now()` when the rating was sent. */
  onRated(song: OfferedSong, rating: Rating, answer: ResponseOf<typeof rateAndAdvance>, sentAt: number): void
  /** Without an error if a song did not load. */
  onFailure(action: 'rating' | 'deferral' | 'song', error?: unknown): void
  preloadArt(songs: readonly Song[]): void
  /** What is sent along with a rating of the song. */
  ratingContext(songId: string): Partial<BodyOf<typeof rateAndAdvance>>
  /** Milliseconds from the press to the reveal, if the response has arrived (discover-40). */
  revealTime(): number
  renderAfterPaint(callback: () => void, isPressChange?: boolean): void
}

/** Runs the effects of `discoveryMachine`: requests, timers, and the song to play. */
export function createDiscoveryEngine(options: DiscoveryOptions): DiscoveryEngine {
  const { calls, playback, onRated, onFailure, preloadArt, ratingContext, revealTime, renderAfterPaint } =
    options
  const store = createStore<Discovery>()(() => initialDiscovery)
  let isRunning = false
  let fetchController = new AbortController()
  /** When the feedback should end, by a monotonic clock. A late timer shortens the delay of the next song. */
  let verdictEndsAt = 0
  let deferredAt = Number.NEGATIVE_INFINITY
  /** Whether the song played when it was rated. */
  let wasPlaying = false

  function send(event: DiscoveryEvent) {
    const before = store.getState()
    const after = stepDiscovery(before, event)
    if (!isRunning || after === before) return
    store.setState(after, true)
    if (after.fetching && (after.fetching !== before.fetching || after.visit !== before.visit))
      fetchSong(after)
    if (needsRefill(after)) refill(after)
    const { attempt } = after
    if (isReadyToAdvance(after) && !isReadyToAdvance(before)) {
      const delay = event.type === 'feedback-over' ? performance.now() - verdictEndsAt : 0
      // The next song plays before React renders it.
      const advance = () => renderAfterPaint(() => send({ type: 'advance', attempt }))
      setTimeout(advance, after.pending?.rating ? NEXT_SONG_DELAY - delay : 0)
    }
    const { lastVerdict } = after
    if (lastVerdict && lastVerdict !== before.lastVerdict)
      sendLater(UNDO_TIME, { type: 'undo-expired', verdict: lastVerdict })
    if (after.sentence && !before.sentence) sendLater(SENTENCE_TIME, { type: 'sentence-over', attempt })
    catchAndReport(() => updatePlayback(before, after))
  }

  /** Loads and plays the song on screen, and prepares the next. */
  function updatePlayback(before: Discovery, after: Discovery) {
    playShownSong(before, after)
    if (after.queue !== before.queue) preloadArt(after.queue)
    const next = upcomingSong(after)
    if (next && next.id !== upcomingSong(before)?.id) playback.prefetch(next)
    if (next && isReadyToAdvance(after) && !isReadyToAdvance(before)) playback.prepare(next)
    if (hasRatingFailed(before, after) && wasPlaying) playback.resume()
  }

  function sendLater(ms: number, event: DiscoveryEvent) {
    setTimeout(() => send(event), ms)
  }

  /** Makes the song on screen the current one of playback. */
  function playShownSong(before: Discovery, after: Discovery) {
    const isSame = after.song === before.song && after.view === before.view && after.visit === before.visit
    if (isSame) return
    if (before.song && before.song !== after.song && uncoverSong(before.song) === after.song)
      return playback.uncover(after.song)
    if (after.view === 'song' && after.song) playback.load(after.song)
    if (after.view === 'complete') playback.stop()
  }

  function fetchSong({ microgenreId, visit, fetching: awaitedSong }: Discovery) {
    if (!microgenreId) return
    fetchController.abort()
    fetchController = new AbortController()
    const { signal } = fetchController
    calls.fetchNextSong(microgenreId, signal).then(
      (song) => send({ type: 'fetched', visit, song }),
      () => {
        if (signal.aborted) return
        if (awaitedSong === 'next') onFailure('song')
        send({ type: 'fetch-failed', visit })
      },
    )
  }

  function refill({ microgenreId, visit }: Discovery) {
    if (!microgenreId) return
    send({ type: 'refilling' })
    calls.prefetchSongs(microgenreId).then(
      (songs) => send({ type: 'refilled', visit, songs }),
      // After a failure nothing is lost: the response to the next rating has a song, and requests another refill.
      () => {},
    )
  }

  function submitVerdict(
    rating: Verdict,
    action: 'rating' | 'deferral',
    request: (microgenreId: string, song: OfferedSong) => Promise<Outcome>,
  ) {
    const { song, microgenreId } = store.getState()
    if (!isRunning || !canRate(store.getState()) || !song || !microgenreId) return
    const time = rating ? FEEDBACK_TIME : DEFER_FADE_TIME
    verdictEndsAt = performance.now() + time
    renderAfterPaint(() => {
      catchAndReport(() => {
        playback.enableSound()
        wasPlaying = playback.pause()
      })
      send({ type: 'rate', rating })
    }, true)
    const { attempt } = store.getState()
    sendLater(time, { type: 'feedback-over', attempt })
    if (rating) sendLater(revealTime(), { type: 'reveal-due', attempt })
    // The rating counts even if the listener switches the microgenre (discover-5).
    request(microgenreId, song).then(
      (outcome) => send({ type: 'answered', attempt, outcome }),
      (error: unknown) => {
        deferredAt = Number.NEGATIVE_INFINITY
        send({ type: 'answered', attempt, outcome: 'failed' })
        onFailure(action, error)
      },
    )
  }

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    send,
    choose(microgenreId) {
      if (store.getState().microgenreId !== null) playback.pause()
      send({ type: 'chosen', microgenreId })
    },
    rate(rating) {
      submitVerdict(rating, 'rating', async (microgenreId, song) => {
        const sentAt = performance.now()
        const answer = await calls.sendRating({
          ...ratingContext(song.id),
          microgenreId,
          songId: song.id,
          rating,
        })
        // The rating is stored, even if this throws.
        catchAndReport(() => onRated(song, rating, answer, sentAt))
        return { ...answer, at: answer.ratedAt }
      })
    },
    deferSong() {
      if (!canRate(store.getState()) || performance.now() - deferredAt < DOUBLE_PRESS_TIME) return
      deferredAt = performance.now()
      submitVerdict(null, 'deferral', async (microgenreId, song) => {
        const answer = await calls.deferSong({ microgenreId, songId: song.id, again: song.putOff })
        return { ...answer, at: answer.saidAt, listeners: null, room: null }
      })
    },
    run() {
      isRunning = true
      return () => {
        isRunning = false
      }
    },
  }
}

/** For what must not prevent the song on screen from being rated. */
function catchAndReport(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    reportError(error)
  }
}
