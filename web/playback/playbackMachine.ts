import type { Song } from '../../contract/shapes.ts'
import {
  isOpen,
  type Playback,
  type PlaybackEffect,
  type PlaybackEvent,
  type PlayerClosed,
  type PlayerOpen,
  type SessionState,
  type SongState,
  type Timer,
  type WithSource,
} from './playbackState.ts'
import type { MediaState, Signal, Source, Strategy, VideoSource } from './player.ts'

/* All waits and retries of playback (playback-13), as data for the engine. */

/** The embeds in order, with the ms to wait after a failure before each (playback-11). */
const STRATEGIES: readonly { name: Strategy; wait: number }[] = [
  { name: 'full', wait: 0 },
  { name: 'minimal', wait: 500 },
  { name: 'no-cookie', wait: 1000 },
]
const PLAY_RETRIES = [100, 300, 500, 1000]
const PAUSE_RETRIES = [100, 300, 500]
const VIDEO_TIMEOUT = 10_000
const PREVIEW_TIMEOUT = 8000
const UNMUTE_DELAY = 1500
/** A pause this soon after unmuting comes from the browser, not from the listener (playback-5). */
const UNMUTE_GRACE_TIME = 1000
const HINT_TIME = 3000
/** How long 'Switching to Spotify...' stays when the preview plays, so that it can be read. */
const SWITCHING_TIME = 1000
const BREAKER_THRESHOLD = 3
const BREAKER_TIME = 60_000

/** Errors that no other embed can avoid: an invalid id, a deleted video (playback-12). */
const FINAL_ERRORS: ReadonlySet<number> = new Set([2, 100])

const VIDEO_ID = /^[\w-]{11}$/

type Step = [Playback, PlaybackEffect[]]

/** Pure: the next state after an event, and the effects to run. `now` is in ms. */
export function stepPlayback(state: Playback, event: PlaybackEvent, now: number): Step {
  switch (event.type) {
    case 'load':
      return load(state, event.song, event.start ?? 0, now)
    case 'show':
      return [close(begin(state, event.song, 0, now), 'paused'), [{ do: 'close' }]]
    case 'expect':
      return [state, [{ do: 'fetch', source: firstSource(state, event.song, 0, now) }]]
    case 'prepare':
      return open({ ...begin(state, event.song, event.start ?? 0, now), isPrepared: true }, 'paused')
    case 'toggle':
      return toggle(state, now)
    case 'pause':
      return pause(state)
    case 'stop':
      return [
        { ...nextAttempt(state), player: 'none', phase: 'stopped', song: null, source: null },
        [{ do: 'close' }],
      ]
    case 'interacted':
      return interact(state)
    case 'volume':
      return changeVolume({ ...state, volume: event.volume, muted: event.muted })
    case 'frame-gone':
      return loseFrame(state)
    case 'signal':
      return isOpen(state) && event.token === state.token ? onSignal(state, event.signal, now) : [state, []]
    case 'timer':
      return event.token === state.token ? onTimer(state, event.timer, now) : [state, []]
  }
}

function load(state: Playback, song: Song, start: number, now: number): Step {
  const isPrepared =
    state.source !== null && state.isPrepared && state.song.id === song.id && state.start === start
  return isPrepared
    ? resume({ ...state, isPrepared: false })
    : open(begin(state, song, start, now), 'loading')
}

function begin(state: Playback, song: Song, start: number, now: number): WithSource {
  const source = firstSource(state, song, start, now)
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

function firstSource({ previewFirstUntil }: SessionState, song: Song, start: number, now: number): Source {
  const video = song.youtubeBlocked || now < previewFirstUntil ? null : videoOf(song, start)
  return video ?? { kind: 'preview', song, fresh: false }
}

function videoOf({ youtubeId }: Song, start: number): VideoSource | null {
  return isVideoId(youtubeId) ? { kind: 'video', videoId: youtubeId, strategy: 'full', start } : null
}

function isVideoId(id: string | null): id is string {
  return id !== null && VIDEO_ID.test(id)
}

/** What stays when another source is tried. */
function nextAttempt({
  token,
  interacted,
  volume,
  muted,
  failures,
  previewFirstUntil,
}: SessionState): SessionState {
  return { token: token + 1, interacted, volume, muted, failures, previewFirstUntil }
}

/** The next source of the same song. */
function withSource(state: SessionState & SongState, source: Source, switching: boolean): WithSource {
  const { song, start, isPrepared: ahead, videoTried, errors } = state
  return { ...nextAttempt(state), song, start, isPrepared: ahead, videoTried, errors, source, switching }
}

function open(next: WithSource, phase: 'loading' | 'paused'): Step {
  const { source, token } = next
  const isVideo = source.kind === 'video'
  return [
    { ...next, videoTried: next.videoTried || isVideo, player: 'opening', phase, sound: 'on' },
    [
      { do: 'open', token, source },
      ...(phase === 'loading' ? retries(next) : []),
      wait(token, 'timeout', isVideo ? VIDEO_TIMEOUT : PREVIEW_TIMEOUT),
    ],
  ]
}

function close(next: WithSource, phase: PlayerClosed['phase']): PlayerClosed {
  return { ...next, player: 'closed', phase }
}

function toggle(state: Playback, now: number): Step {
  const { phase, player, song } = state
  if (!song || state.isPrepared) return [state, []]
  if (player === 'none') return load({ ...state, interacted: true }, song, state.start, now)
  if (phase === 'playing') return pause(state)
  // A player that is not ready has no control yet; one that is buffering has.
  if (phase === 'loading') return isReady(state) ? pause(state) : [state, []]
  return resume({ ...state, interacted: true })
}

/** Plays a song whose player is open, or was open. */
function resume(state: PlayerOpen | PlayerClosed): Step {
  if (state.player === 'closed') return open(state, 'loading')
  const wanting: PlayerOpen = { ...state, phase: 'loading' }
  return state.player === 'opening' ? [wanting, retries(state)] : start(wanting)
}

function pause(state: Playback): Step {
  const { token } = state
  if (!isWanted(state)) return [state, []]
  if (!isOpen(state)) return [{ ...state, phase: 'paused' }, []]
  return [
    { ...state, phase: 'pausing' },
    [
      { do: 'pause' },
      ...waits(token, 'retry-pause', PAUSE_RETRIES),
      wait(token, 'give-up-pause', 2 * Math.max(...PAUSE_RETRIES)),
    ],
  ]
}

function interact(state: Playback): Step {
  if (isOpen(state) && state.sound !== 'on') {
    return [{ ...state, interacted: true, sound: 'on' }, hearable(state)]
  }
  return [state.interacted ? state : { ...state, interacted: true }, []]
}

function changeVolume(state: Playback): Step {
  return [state, isReady(state) && state.sound === 'on' ? hearable(state) : []]
}

function loseFrame(state: Playback): Step {
  if (!isOpen(state) || state.source.kind !== 'video') return [state, []]
  const next = withSource(state, state.source, state.switching)
  return [close(next, state.phase === 'ended' ? 'ended' : 'paused'), [{ do: 'close' }]]
}

/** Whether the listener wants it to play. */
export function isWanted(
  state: Playback,
): state is (PlayerOpen | PlayerClosed) & { phase: 'loading' | 'playing' } {
  return state.phase === 'loading' || state.phase === 'playing'
}

function isReady(state: Playback): state is PlayerOpen {
  return state.player === 'ready' || state.player === 'played'
}

/** Starts a ready player: muted where the browser would block sound, else with the listener's volume. */
function start(state: PlayerOpen): Step {
  const { token } = state
  const starting: PlayerOpen = state.phase === 'playing' ? state : { ...state, phase: 'loading' }
  const stalled = state.player === 'played' ? [] : [wait(token, 'stalled', VIDEO_TIMEOUT)]
  if (state.sound === 'starting-muted' || state.sound === 'tap') {
    return [starting, [{ do: 'mute' }, { do: 'play' }]]
  }
  if (state.sound === 'on' && state.source.kind === 'video' && !state.interacted && !state.muted) {
    return [
      { ...starting, sound: 'starting-muted' },
      [{ do: 'mute' }, { do: 'play' }, wait(token, 'unmute', UNMUTE_DELAY), ...stalled],
    ]
  }
  return [starting, [...hearable(state), { do: 'play' }, ...stalled]]
}

function hearable({ muted, volume }: SessionState): PlaybackEffect[] {
  return [{ do: muted ? 'mute' : 'unmute' }, { do: 'volume', volume }]
}

function onSignal(state: PlayerOpen, signal: Signal, now: number): Step {
  switch (signal.type) {
    case 'ready':
      return becomeReady(state)
    case 'state':
      return follow(state, signal.state)
    case 'error':
      return fail(state, signal.code, now)
    case 'unavailable':
      return state.source.kind === 'video' ? turnToPreview(countFailure(state, now)) : giveUpAudio(state)
    case 'blocked':
      return onAutoplayBlocked(state)
  }
}

function becomeReady(state: PlayerOpen): Step {
  const ready: PlayerOpen = state.player === 'opening' ? { ...state, player: 'ready' } : state
  return isWanted(state) ? start(ready) : [ready, []]
}

function follow(state: PlayerOpen, media: MediaState): Step {
  switch (media) {
    case 'playing':
      return played(state)
    case 'paused':
      // The browser paused it because of the sound: continue muted.
      if (state.sound === 'unmuting') return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
      return [{ ...state, phase: state.phase === 'blocked' ? 'blocked' : 'paused' }, []]
    case 'ended':
      return [{ ...state, phase: 'ended' }, []]
    case 'cued':
      return becomeReady(state)
    case 'unstarted':
    case 'buffering':
      return [isWanted(state) ? { ...state, phase: 'loading' } : state, []]
  }
}

function played(state: PlayerOpen): Step {
  // A pause was requested before it started, or its song is not on screen yet.
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
    state.switching && !isVideo ? [wait(state.token, 'switched', SWITCHING_TIME)] : [],
  ]
}

/** The browser blocked playback with sound. */
function onAutoplayBlocked(state: PlayerOpen): Step {
  if (state.source.kind === 'video' && state.sound === 'on' && !state.muted) {
    return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
  }
  return [{ ...state, phase: 'blocked', switching: false }, [wait(state.token, 'hint-over', HINT_TIME)]]
}

function fail(state: PlayerOpen, code: number, now: number): Step {
  const { source } = state
  if (source.kind === 'video')
    return failVideo({ ...state, errors: [...state.errors, code] }, source, code, now)
  if (source.fresh) return giveUpAudio(state)
  return open(
    withSource(state, { ...source, fresh: true }, state.switching),
    isWanted(state) ? 'loading' : 'paused',
  )
}

function failVideo(state: PlayerOpen, source: VideoSource, code: number, now: number): Step {
  if (FINAL_ERRORS.has(code)) return turnToPreview(state)
  const next = STRATEGIES[STRATEGIES.findIndex(({ name }) => name === source.strategy) + 1]
  if (!next) return turnToPreview(countFailure(state, now))
  const waiting = withSource(state, { ...source, strategy: next.name }, true)
  return [
    close(waiting, isWanted(state) ? 'loading' : 'paused'),
    [{ do: 'close' }, wait(waiting.token, 'open', next.wait)],
  ]
}

function turnToPreview(state: PlayerOpen): Step {
  const preview: Source = { kind: 'preview', song: state.song, fresh: false }
  // The listener does not want it now: it is requested on play.
  return isWanted(state)
    ? open(withSource(state, preview, true), 'loading')
    : [close(withSource(state, preview, false), 'paused'), [{ do: 'close' }]]
}

function giveUpAudio(state: PlayerOpen): Step {
  const { song, start, isPrepared: ahead, videoTried, errors } = state
  // Its video failed for others; without a preview, try it anyway.
  const lastResort = song.youtubeBlocked && !videoTried && isWanted(state) ? videoOf(song, start) : null
  if (lastResort) return open(withSource(state, lastResort, false), 'loading')
  return [
    {
      ...nextAttempt(state),
      song,
      start,
      isPrepared: ahead,
      videoTried,
      errors,
      player: 'none',
      phase: 'silent',
      source: null,
    },
    [{ do: 'close' }, ...(isWanted(state) ? [{ do: 'toast', toast: 'no-audio' } as const] : [])],
  ]
}

/**
 * After several failures in a row the next songs start with the preview; after that minute one more failure suffices.
 */
function countFailure(state: PlayerOpen, now: number): PlayerOpen {
  const failures = state.failures + 1
  if (failures < BREAKER_THRESHOLD) return { ...state, failures }
  return { ...state, failures: BREAKER_THRESHOLD - 1, previewFirstUntil: now + BREAKER_TIME }
}

function onTimer(state: Playback, timer: Timer, now: number): Step {
  if (!isOpen(state)) {
    const isDue = timer === 'open' && state.player === 'closed' && isWanted(state)
    return isDue ? open(state, 'loading') : [state, []]
  }
  switch (timer) {
    case 'open':
      return [state, []]
    case 'retry-play':
      return [state, isWanted(state) && !isReady(state) ? [{ do: 'play' }] : []]
    case 'retry-pause':
      return [state, state.phase === 'pausing' ? [{ do: 'pause' }] : []]
    case 'give-up-pause':
      return [state.phase === 'pausing' ? { ...state, phase: 'paused' } : state, []]
    case 'timeout':
      return isReady(state) ? [state, []] : expire(state, now)
    case 'stalled':
      return state.phase === 'loading' && state.player !== 'played' ? expire(state, now) : [state, []]
    case 'unmute':
      if (state.sound !== 'starting-muted') return [state, []]
      return [
        { ...state, sound: 'unmuting' },
        [
          ...hearable(state),
          { do: 'toast', toast: 'welcome' },
          wait(state.token, 'unmuted', UNMUTE_GRACE_TIME),
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

function expire(state: PlayerOpen, now: number): Step {
  return state.source.kind === 'video' ? turnToPreview(countFailure(state, now)) : fail(state, 0, now)
}

function wait(token: number, timer: Timer, ms: number): PlaybackEffect {
  return { do: 'wait', ms, token, timer }
}

/** Of a video: the player of a preview reports when it can play. */
function retries({ source, token }: WithSource): PlaybackEffect[] {
  return source.kind === 'video' ? waits(token, 'retry-play', PLAY_RETRIES) : []
}

function waits(token: number, timer: Timer, times: readonly number[]): PlaybackEffect[] {
  return times.map((ms) => wait(token, timer, ms))
}
