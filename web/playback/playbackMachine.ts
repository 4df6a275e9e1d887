import type { Song } from '../../contract/shapes.ts'
import { hasCoveredVideo } from './coverSong.ts'
import {
  isPlayerOpen,
  type Playback,
  type PlaybackEffect,
  type PlaybackEvent,
  type PlayerClosed,
  type PlayerOpen,
  type SessionState,
  type SongState,
  shouldPlay,
  type Timer,
  type WithSource,
} from './playbackState.ts'
import type { MediaState, Signal, Source, Strategy, VideoSource } from './player.ts'

/* All delays and retries of playback (playback-13), as effects for the engine. */

/** The embeds in order, with the delay before each in ms (playback-11). */
const STRATEGIES: readonly { name: Strategy; wait: number }[] = [
  { name: 'full', wait: 0 },
  { name: 'minimal', wait: 500 },
  { name: 'no-cookie', wait: 1000 },
]
const PLAY_RETRIES = [100, 300, 500, 1000]
const PAUSE_RETRIES = [100, 300, 500]
/** The Internet Archive may need some seconds to find a mirror. */
const TIMEOUTS: Record<Source['kind'], number> = { video: 10_000, audio: 15_000, preview: 8000 }
const UNMUTE_DELAY = 1500
/** Milliseconds after unmuting in which a pause is the browser's, not the listener's (playback-5). */
const UNMUTE_GRACE_TIME = 1000
const HINT_TIME = 3000
/** Milliseconds for which 'Switching to Spotify...' stays readable after the preview has started. */
const SWITCHING_TIME = 1000
const BREAKER_THRESHOLD = 3
const BREAKER_TIME = 60_000

/** Errors of the video itself, which every embed would have: an invalid id, a deleted video (playback-12). */
const FINAL_ERRORS: ReadonlySet<number> = new Set([2, 100])

const VIDEO_ID = /^[\w-]{11}$/

type Step = [Playback, PlaybackEffect[]]

/** Pure: the next state after an event, and the effects to run. `now` is in ms. */
export function stepPlayback(state: Playback, event: PlaybackEvent, now: number): Step {
  switch (event.type) {
    case 'load':
      return load(state, event.song, event.start ?? 0, now)
    case 'show':
      return [close(withSong(state, event.song, 0, now), 'paused'), [{ do: 'close' }]]
    case 'uncover':
      return [state.song && state.song.id === event.song.id ? { ...state, song: event.song } : state, []]
    case 'prefetch':
      return [state, [{ do: 'prefetch', source: getFirstSource(state, event.song, 0, now) }]]
    case 'prepare':
      return open({ ...withSong(state, event.song, event.start ?? 0, now), isPrepared: true }, 'paused')
    case 'toggle':
      return toggle(state, now)
    case 'pause':
      return pause(state)
    case 'stop':
      return [
        { ...nextAttempt(state), player: 'none', phase: 'stopped', song: null, source: null },
        [{ do: 'close' }],
      ]
    case 'gesture':
      return onGesture(state)
    case 'volume':
      return changeVolume({ ...state, volume: event.volume, muted: event.muted })
    case 'frame-gone':
      return onFrameGone(state)
    case 'signal':
      return isPlayerOpen(state) && event.token === state.token
        ? onSignal(state, event.signal, now)
        : [state, []]
    case 'timer':
      return event.token === state.token ? onTimer(state, event.timer, now) : [state, []]
  }
}

function load(state: Playback, song: Song, start: number, now: number): Step {
  const wasPrepared =
    state.source !== null && state.isPrepared && state.song.id === song.id && state.start === start
  return wasPrepared
    ? resume({ ...state, isPrepared: false })
    : open(withSong(state, song, start, now), 'loading')
}

function withSong(state: Playback, song: Song, start: number, now: number): WithSource {
  const source = getFirstSource(state, song, start, now)
  return {
    ...nextAttempt(state),
    song,
    start,
    isPrepared: false,
    source,
    videoTried: false,
    errors: [],
    switching: false,
  }
}

function getFirstSource({ previewFirstUntil }: SessionState, song: Song, start: number, now: number): Source {
  const video = song.youtubeBlocked || now < previewFirstUntil ? null : getVideoSource(song, start)
  return video ?? getAudibleSource(song, start)
}

/** What plays without a video: the whole recording, else the preview (playback-28). */
function getAudibleSource(song: Song, start: number): Source {
  return song.audio ? { kind: 'audio', url: song.audio.url, start } : { kind: 'preview', song, fresh: false }
}

function getVideoSource({ youtubeId }: Song, start: number): VideoSource | null {
  return isVideoId(youtubeId) ? { kind: 'video', videoId: youtubeId, strategy: 'full', start } : null
}

function isVideoId(id: string | null): id is string {
  return id !== null && VIDEO_ID.test(id)
}

/** Keeps what outlasts a source. */
function nextAttempt({
  token,
  hasGesture,
  volume,
  muted,
  failures,
  previewFirstUntil,
}: SessionState): SessionState {
  return { token: token + 1, hasGesture, volume, muted, failures, previewFirstUntil }
}

/** The next source of the same song. */
function withSource(state: SessionState & SongState, source: Source, switching: boolean): WithSource {
  const { song, start, isPrepared, videoTried, errors } = state
  return { ...nextAttempt(state), song, start, isPrepared, videoTried, errors, source, switching }
}

function open(next: WithSource, phase: 'loading' | 'paused'): Step {
  const { source, token } = next
  const isVideo = source.kind === 'video'
  return [
    { ...next, videoTried: next.videoTried || isVideo, player: 'opening', phase, sound: 'on' },
    [
      { do: 'open', token, source },
      ...(phase === 'loading' ? retryPlay(next) : []),
      startTimer(token, 'timeout', TIMEOUTS[source.kind]),
    ],
  ]
}

function close(next: WithSource, phase: PlayerClosed['phase']): PlayerClosed {
  return { ...next, player: 'closed', phase }
}

function toggle(state: Playback, now: number): Step {
  const { phase, player, song } = state
  if (!song || state.isPrepared) return [state, []]
  if (player === 'none') return load({ ...state, hasGesture: true }, song, state.start, now)
  if (phase === 'playing') return pause(state)
  // A buffering player can be paused, one that is not ready cannot.
  if (phase === 'loading') return isReady(state) ? pause(state) : [state, []]
  return resume({ ...state, hasGesture: true })
}

/** Plays a song whose player is or was open. */
function resume(state: PlayerOpen | PlayerClosed): Step {
  if (state.player === 'closed') return open(state, 'loading')
  const wantedState: PlayerOpen = { ...state, phase: 'loading' }
  return state.player === 'opening' ? [wantedState, retryPlay(state)] : start(wantedState)
}

function pause(state: Playback): Step {
  const { token } = state
  if (!shouldPlay(state)) return [state, []]
  if (!isPlayerOpen(state)) return [{ ...state, phase: 'paused' }, []]
  return [
    { ...state, phase: 'pausing' },
    [
      { do: 'pause' },
      ...startTimers(token, 'retry-pause', PAUSE_RETRIES),
      startTimer(token, 'give-up-pause', 2 * Math.max(...PAUSE_RETRIES)),
    ],
  ]
}

function onGesture(state: Playback): Step {
  if (isPlayerOpen(state) && state.sound !== 'on') {
    return [{ ...state, hasGesture: true, sound: 'on' }, applyVolume(state)]
  }
  return [state.hasGesture ? state : { ...state, hasGesture: true }, []]
}

function changeVolume(state: Playback): Step {
  return [state, isReady(state) && state.sound === 'on' ? applyVolume(state) : []]
}

function onFrameGone(state: Playback): Step {
  if (!isPlayerOpen(state) || state.source.kind !== 'video') return [state, []]
  const next = withSource(state, state.source, state.switching)
  return [close(next, state.phase === 'ended' ? 'ended' : 'paused'), [{ do: 'close' }]]
}

function isReady(state: Playback): state is PlayerOpen {
  return state.player === 'ready' || state.player === 'played'
}

/** Starts a ready player: muted where the browser would block sound, else with the listener's volume. */
function start(state: PlayerOpen): Step {
  const { token } = state
  const starting: PlayerOpen = state.phase === 'playing' ? state : { ...state, phase: 'loading' }
  const stallTimer = state.player === 'played' ? [] : [startTimer(token, 'stalled', TIMEOUTS.video)]
  if (state.sound === 'starting-muted' || state.sound === 'tap') {
    return [starting, [{ do: 'mute' }, { do: 'play' }]]
  }
  if (state.sound === 'on' && state.source.kind === 'video' && !state.hasGesture && !state.muted) {
    return [
      { ...starting, sound: 'starting-muted' },
      [{ do: 'mute' }, { do: 'play' }, startTimer(token, 'unmute', UNMUTE_DELAY), ...stallTimer],
    ]
  }
  return [starting, [...applyVolume(state), { do: 'play' }, ...stallTimer]]
}

function applyVolume({ muted, volume }: SessionState): PlaybackEffect[] {
  return [{ do: muted ? 'mute' : 'unmute' }, { do: 'volume', volume }]
}

function onSignal(state: PlayerOpen, signal: Signal, now: number): Step {
  switch (signal.type) {
    case 'ready':
      return onReady(state)
    case 'state':
      return onMediaState(state, signal.state)
    case 'error':
      return fail(state, signal.code, now)
    case 'unavailable':
      return state.source.kind === 'video' ? fallBack(countFailure(state, now)) : silenceSong(state)
    case 'blocked':
      return onAutoplayBlocked(state)
  }
}

function onReady(state: PlayerOpen): Step {
  const ready: PlayerOpen = state.player === 'opening' ? { ...state, player: 'ready' } : state
  return shouldPlay(state) ? start(ready) : [ready, []]
}

function onMediaState(state: PlayerOpen, media: MediaState): Step {
  switch (media) {
    case 'playing':
      return onPlaying(state)
    case 'paused':
      // The browser paused it because it was unmuted: continue muted.
      if (state.sound === 'unmuting') return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
      return [{ ...state, phase: state.phase === 'blocked' ? 'blocked' : 'paused' }, []]
    case 'ended':
      return [{ ...state, phase: 'ended' }, []]
    case 'cued':
      return onReady(state)
    case 'unstarted':
    case 'buffering':
      return [shouldPlay(state) ? { ...state, phase: 'loading' } : state, []]
  }
}

function onPlaying(state: PlayerOpen): Step {
  // The listener paused before it started, or its song is not on screen yet.
  if (state.phase === 'pausing' || state.isPrepared) return [state, [{ do: 'pause' }]]
  const isVideo = state.source.kind === 'video'
  return [
    {
      ...state,
      phase: 'playing',
      player: 'played',
      switching: state.switching && !isVideo,
      failures: isVideo ? 0 : state.failures,
    },
    state.switching && !isVideo ? [startTimer(state.token, 'switched', SWITCHING_TIME)] : [],
  ]
}

/** The browser blocked playback with sound. */
function onAutoplayBlocked(state: PlayerOpen): Step {
  if (state.source.kind === 'video' && state.sound === 'on' && !state.muted) {
    return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
  }
  return [{ ...state, phase: 'blocked', switching: false }, [startTimer(state.token, 'hint-over', HINT_TIME)]]
}

function fail(state: PlayerOpen, code: number, now: number): Step {
  const { source } = state
  if (source.kind === 'video')
    return failVideo({ ...state, errors: [...state.errors, code] }, source, code, now)
  if (source.kind === 'audio') return openNext(state, { kind: 'preview', song: state.song, fresh: false })
  if (source.fresh) return silenceSong(state)
  return open(
    withSource(state, { ...source, fresh: true }, state.switching),
    shouldPlay(state) ? 'loading' : 'paused',
  )
}

function failVideo(state: PlayerOpen, source: VideoSource, code: number, now: number): Step {
  if (FINAL_ERRORS.has(code)) return fallBack(state)
  const next = STRATEGIES[STRATEGIES.findIndex(({ name }) => name === source.strategy) + 1]
  if (!next) return fallBack(countFailure(state, now))
  const nextState = withSource(state, { ...source, strategy: next.name }, true)
  return [
    close(nextState, shouldPlay(state) ? 'loading' : 'paused'),
    [{ do: 'close' }, startTimer(nextState.token, 'open', next.wait)],
  ]
}

/** Leaves the video. */
const fallBack = (state: PlayerOpen): Step => openNext(state, getAudibleSource(state.song, state.start))

/** 'Switching to Spotify...' is for previews (playback-14). */
function openNext(state: PlayerOpen, source: Source): Step {
  // Paused: it is requested on play.
  return shouldPlay(state)
    ? open(withSource(state, source, source.kind === 'preview'), 'loading')
    : [close(withSource(state, source, false), 'paused'), [{ do: 'close' }]]
}

function silenceSong(state: PlayerOpen): Step {
  const { song, start, isPrepared, videoTried, errors } = state
  // The video failed for other listeners, but it is all that is left.
  const lastResort =
    song.youtubeBlocked && !videoTried && shouldPlay(state) ? getVideoSource(song, start) : null
  if (lastResort) return open(withSource(state, lastResort, false), 'loading')
  return [
    {
      ...nextAttempt(state),
      song,
      start,
      isPrepared,
      videoTried,
      errors,
      player: 'none',
      phase: 'silent',
      source: null,
    },
    [
      { do: 'close' },
      ...(shouldPlay(state) && !hasCoveredVideo(song) ? [{ do: 'toast', toast: 'no-audio' } as const] : []),
    ],
  ]
}

/** A circuit breaker: after three failures in a row songs start with the preview for a minute, then after one more. */
function countFailure(state: PlayerOpen, now: number): PlayerOpen {
  const failures = state.failures + 1
  if (failures < BREAKER_THRESHOLD) return { ...state, failures }
  return { ...state, failures: BREAKER_THRESHOLD - 1, previewFirstUntil: now + BREAKER_TIME }
}

function onTimer(state: Playback, timer: Timer, now: number): Step {
  if (!isPlayerOpen(state)) {
    const isDue = timer === 'open' && state.player === 'closed' && shouldPlay(state)
    return isDue ? open(state, 'loading') : [state, []]
  }
  switch (timer) {
    case 'open':
      return [state, []]
    case 'retry-play':
      return [state, shouldPlay(state) && !isReady(state) ? [{ do: 'play' }] : []]
    case 'retry-pause':
      return [state, state.phase === 'pausing' ? [{ do: 'pause' }] : []]
    case 'give-up-pause':
      return [state.phase === 'pausing' ? { ...state, phase: 'paused' } : state, []]
    case 'timeout':
      return isReady(state) ? [state, []] : onTimeout(state, now)
    case 'stalled':
      return state.phase === 'loading' && state.player !== 'played' ? onTimeout(state, now) : [state, []]
    case 'unmute':
      if (state.sound !== 'starting-muted') return [state, []]
      return [
        { ...state, sound: 'unmuting' },
        [
          ...applyVolume(state),
          { do: 'toast', toast: 'welcome' },
          startTimer(state.token, 'unmuted', UNMUTE_GRACE_TIME),
        ],
      ]
    case 'unmuted':
      return [state.sound === 'unmuting' ? { ...state, sound: 'on' } : state, []]
    case 'hint-over':
      return [state.phase === 'blocked' ? { ...state, phase: 'paused' } : state, []]
    case 'switched':
      return [{ ...state, switching: false }, []]
  }
}

function onTimeout(state: PlayerOpen, now: number): Step {
  return state.source.kind === 'video' ? fallBack(countFailure(state, now)) : fail(state, 0, now)
}

function startTimer(token: number, timer: Timer, ms: number): PlaybackEffect {
  return { do: 'wait', ms, token, timer }
}

/** Only for videos: the player of a preview reports when it can play. */
function retryPlay({ source, token }: WithSource): PlaybackEffect[] {
  return source.kind === 'video' ? startTimers(token, 'retry-play', PLAY_RETRIES) : []
}

function startTimers(token: number, timer: Timer, times: readonly number[]): PlaybackEffect[] {
  return times.map((ms) => startTimer(token, timer, ms))
}
