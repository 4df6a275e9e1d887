import type { Song } from '../../contract/shapes.ts'
import type { Effect, Playback, PlaybackEvent, Timer } from './playbackState.ts'
import type { MediaState, Signal, Source, Strategy, VideoSource } from './player.ts'

/* Every wait and retry of playback stands here (playback-13), as data that the engine carries out. */

/** The embeddings in order, and how long each waits after the failure before it, in ms (playback-11). */
const STRATEGIES: readonly { name: Strategy; wait: number }[] = [
  { name: 'full', wait: 0 },
  { name: 'minimal', wait: 500 },
  { name: 'no-cookie', wait: 1000 },
]
const PLAY_RETRIES = [100, 300, 500, 1000]
const PAUSE_RETRIES = [100, 300, 500]
const VIDEO_TIMEOUT = 10_000
const PREVIEW_TIMEOUT = 8000
const UNMUTE_AFTER = 1500
/** A pause this soon after unmuting is the browser's, not the listener's (playback-5). */
const UNMUTE_DOUBT = 1000
const HINT_TIME = 3000
/** How long 'Switching to Spotify...' stays once the preview plays, so that it can be read. */
const SWITCHING_TIME = 1000
const BREAKER_THRESHOLD = 3
const BREAKER_TIME = 60_000

/** Errors that no other way of embedding can cure: an invalid id, a video that is gone (playback-12). */
const FINAL_ERRORS: ReadonlySet<number> = new Set([2, 100])

const VIDEO_ID = /^[\w-]{11}$/

type Step = [Playback, Effect[]]

/** Pure: what an event makes of playback, and what is to be done about it. `now` is in ms. */
export function stepPlayback(state: Playback, event: PlaybackEvent, now: number): Step {
  switch (event.type) {
    case 'load':
      return load(state, event.song, now)
    case 'toggle':
      return toggle(state, now)
    case 'pause':
      return pause(state)
    case 'stop':
      return stop(state)
    case 'interacted':
      return interact(state)
    case 'volume':
      return changeVolume(state, event.volume, event.muted)
    case 'frame-gone':
      return loseFrame(state)
    case 'signal':
      return event.token === state.token ? hear(state, event.signal, now) : [state, []]
    case 'timer':
      return event.token === state.token ? ring(state, event.timer, now) : [state, []]
  }
}

function load(state: Playback, song: Song, now: number): Step {
  const video = song.youtubeBlocked || now < state.previewFirstUntil ? null : videoOf(song)
  const source: Source = video ?? { kind: 'preview', song, fresh: false }
  return open({
    ...retire(state),
    song,
    source,
    videoTried: false,
    errors: [],
    wanted: true,
    stopped: false,
    switching: false,
  })
}

function videoOf({ youtubeId }: Song): Source | null {
  return isVideoId(youtubeId) ? { kind: 'video', videoId: youtubeId, strategy: 'full' } : null
}

function stop(state: Playback): Step {
  const stopped: Playback = {
    ...retire(state),
    song: null,
    phase: 'idle',
    stopped: true,
    source: null,
    wanted: false,
  }
  return [stopped, [{ do: 'close' }]]
}

function isVideoId(id: string | null): id is string {
  return id !== null && VIDEO_ID.test(id)
}

/** What a new source begins with. */
function retire(state: Playback): Playback {
  return {
    ...state,
    token: state.token + 1,
    opened: false,
    ready: false,
    played: false,
    pausing: false,
    hint: false,
    sound: 'on',
  }
}

function open(state: Playback): Step {
  const { source, token } = state
  if (!source) return [state, []]
  const retries = source.kind === 'video' ? waits(token, 'retry-play', PLAY_RETRIES) : []
  return [
    {
      ...state,
      opened: true,
      videoTried: state.videoTried || source.kind === 'video',
      phase: state.wanted ? 'loading' : 'paused',
    },
    [
      { do: 'open', token, source },
      ...retries,
      wait(token, 'timeout', source.kind === 'video' ? VIDEO_TIMEOUT : PREVIEW_TIMEOUT),
    ],
  ]
}

function toggle(state: Playback, now: number): Step {
  const { song, phase } = state
  if (!song) return [state, []]
  if (phase === 'silent') return load({ ...state, interacted: true }, song, now)
  if (phase === 'playing') return pause(state)
  // A player that is not ready has no control yet; one that buffers has.
  if (phase === 'loading') return state.ready ? pause(state) : [state, []]
  const wanting: Playback = { ...state, interacted: true, wanted: true, pausing: false, hint: false }
  if (!state.source) return load(wanting, song, now)
  if (!state.opened) return open(wanting)
  if (state.ready) return start(wanting)
  return [{ ...wanting, phase: 'loading' }, waits(state.token, 'retry-play', PLAY_RETRIES)]
}

function pause(state: Playback): Step {
  const { phase, token } = state
  if (phase !== 'playing' && phase !== 'loading') return [state, []]
  return [
    { ...state, wanted: false, pausing: true, phase: 'paused' },
    state.opened
      ? [
          { do: 'pause' },
          ...waits(token, 'retry-pause', PAUSE_RETRIES),
          wait(token, 'give-up-pause', 2 * Math.max(...PAUSE_RETRIES)),
        ]
      : [],
  ]
}

function interact(state: Playback): Step {
  if (state.interacted && state.sound === 'on') return [state, []]
  const quiet = state.sound !== 'on' && state.opened
  return [{ ...state, interacted: true, sound: 'on' }, quiet ? hearable(state) : []]
}

function changeVolume(state: Playback, volume: number, muted: boolean): Step {
  const next: Playback = { ...state, volume, muted }
  return [next, state.ready && state.sound === 'on' ? hearable(next) : []]
}

function loseFrame(state: Playback): Step {
  if (state.source?.kind !== 'video' || !state.opened) return [state, []]
  const phase = state.phase === 'playing' || state.phase === 'loading' ? 'paused' : state.phase
  return [{ ...retire(state), wanted: false, phase }, [{ do: 'close' }]]
}

/** Plays what is ready: muted where the browser would refuse sound, else as the listener left it. */
function start(state: Playback): Step {
  const { token } = state
  const phase = state.phase === 'playing' ? 'playing' : 'loading'
  const stalled = state.played ? [] : [wait(token, 'stalled', VIDEO_TIMEOUT)]
  if (state.sound === 'starting-muted' || state.sound === 'tap') {
    return [{ ...state, phase }, [{ do: 'mute' }, { do: 'play' }]]
  }
  if (state.sound === 'on' && state.source?.kind === 'video' && !state.interacted && !state.muted) {
    return [
      { ...state, phase, sound: 'starting-muted' },
      [{ do: 'mute' }, { do: 'play' }, wait(token, 'unmute', UNMUTE_AFTER), ...stalled],
    ]
  }
  return [{ ...state, phase }, [...hearable(state), { do: 'play' }, ...stalled]]
}

function hearable({ muted, volume }: Playback): Effect[] {
  return [{ do: muted ? 'mute' : 'unmute' }, { do: 'volume', volume }]
}

function hear(state: Playback, signal: Signal, now: number): Step {
  switch (signal.type) {
    case 'ready': {
      const ready: Playback = { ...state, ready: true }
      return state.wanted ? start(ready) : [{ ...ready, phase: 'paused' }, []]
    }
    case 'state':
      return follow(state, signal.state)
    case 'error':
      return fail(state, signal.code, now)
    case 'unavailable':
      return state.source?.kind === 'video' ? turnToPreview(countFailure(state, now)) : fallSilent(state)
    case 'blocked':
      return accept(state)
  }
}

function follow(state: Playback, media: MediaState): Step {
  switch (media) {
    case 'playing':
      return played(state)
    case 'paused':
      // The browser took the sound, and the picture with it: go on without sound.
      if (state.sound === 'unmuting') return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
      return [{ ...state, phase: 'paused', wanted: false, pausing: false }, []]
    case 'ended':
      return [{ ...state, phase: 'ended', wanted: false, pausing: false }, []]
    case 'cued':
      return state.wanted
        ? start({ ...state, ready: true })
        : [{ ...state, ready: true, phase: 'paused' }, []]
    case 'unstarted':
    case 'buffering':
      return [state.wanted ? { ...state, phase: 'loading' } : state, []]
  }
}

function played(state: Playback): Step {
  // A pause was on its way when it began.
  if (state.pausing) return [state, [{ do: 'pause' }]]
  const isVideo = state.source?.kind === 'video'
  return [
    {
      ...state,
      phase: 'playing',
      ready: true,
      played: true,
      wanted: true,
      hint: false,
      switching: state.switching && !isVideo,
      failures: isVideo ? 0 : state.failures,
    },
    state.switching && !isVideo ? [wait(state.token, 'switched', SWITCHING_TIME)] : [],
  ]
}

/** The browser refused to play with sound. */
function accept(state: Playback): Step {
  const isVideo = state.source?.kind === 'video'
  if (isVideo && state.sound === 'on' && !state.muted) {
    return [{ ...state, sound: 'tap' }, [{ do: 'mute' }, { do: 'play' }]]
  }
  return [
    { ...state, phase: 'paused', wanted: false, hint: true, switching: false },
    [wait(state.token, 'hint-over', HINT_TIME)],
  ]
}

function fail(state: Playback, code: number, now: number): Step {
  const { source } = state
  if (source?.kind === 'preview') {
    return source.fresh ? fallSilent(state) : open({ ...retire(state), source: { ...source, fresh: true } })
  }
  if (!source) return [state, []]
  return failVideo({ ...state, errors: [...state.errors, code] }, source, code, now)
}

function failVideo(state: Playback, source: VideoSource, code: number, now: number): Step {
  if (FINAL_ERRORS.has(code)) return turnToPreview(state)
  const next = STRATEGIES[STRATEGIES.findIndex(({ name }) => name === source.strategy) + 1]
  if (!next) return turnToPreview(countFailure(state, now))
  const waiting: Playback = {
    ...retire(state),
    source: { ...source, strategy: next.name },
    switching: true,
    phase: state.wanted ? 'loading' : 'paused',
  }
  return [waiting, [{ do: 'close' }, wait(waiting.token, 'open', next.wait)]]
}

function turnToPreview(state: Playback): Step {
  if (!state.song) return [state, []]
  const preview: Playback = {
    ...retire(state),
    source: { kind: 'preview', song: state.song, fresh: false },
    switching: true,
  }
  // Nobody wants to hear it now: it is fetched when they do.
  return state.wanted ? open(preview) : [{ ...preview, phase: 'paused', switching: false }, [{ do: 'close' }]]
}

function fallSilent(state: Playback): Step {
  // Others could not play its video; without a preview there is nothing to lose.
  const lastResort =
    state.song?.youtubeBlocked && !state.videoTried && state.wanted ? videoOf(state.song) : null
  if (lastResort) return open({ ...retire(state), source: lastResort, switching: false })
  const silent: Playback = {
    ...retire(state),
    source: null,
    phase: 'silent',
    wanted: false,
    switching: false,
  }
  return [silent, [{ do: 'close' }, ...(state.wanted ? [{ do: 'toast', toast: 'no-audio' } as const] : [])]]
}

/** After several in a row the next songs begin with the preview; one more after that minute suffices. */
function countFailure(state: Playback, now: number): Playback {
  const failures = state.failures + 1
  if (failures < BREAKER_THRESHOLD) return { ...state, failures }
  return { ...state, failures: BREAKER_THRESHOLD - 1, previewFirstUntil: now + BREAKER_TIME }
}

function ring(state: Playback, timer: Timer, now: number): Step {
  switch (timer) {
    case 'open':
      return state.wanted && !state.opened ? open(state) : [state, []]
    case 'retry-play':
      return [state, state.wanted && !state.ready ? [{ do: 'play' }] : []]
    case 'retry-pause':
      return [state, state.pausing ? [{ do: 'pause' }] : []]
    case 'give-up-pause':
      return [{ ...state, pausing: false }, []]
    case 'timeout':
      return state.ready ? [state, []] : expire(state, now)
    case 'stalled':
      return state.phase === 'loading' && !state.played ? expire(state, now) : [state, []]
    case 'unmute':
      if (state.sound !== 'starting-muted') return [state, []]
      return [
        { ...state, sound: 'unmuting' },
        [...hearable(state), { do: 'toast', toast: 'welcome' }, wait(state.token, 'unmuted', UNMUTE_DOUBT)],
      ]
    case 'unmuted':
      return [state.sound === 'unmuting' ? { ...state, sound: 'on' } : state, []]
    case 'hint-over':
      return [{ ...state, hint: false }, []]
    case 'switched':
      return [{ ...state, switching: false }, []]
  }
}

function expire(state: Playback, now: number): Step {
  if (state.source?.kind === 'video') return turnToPreview(countFailure(state, now))
  return fail(state, 0, now)
}

function wait(token: number, timer: Timer, ms: number): Effect {
  return { do: 'wait', ms, token, timer }
}

function waits(token: number, timer: Timer, times: readonly number[]): Effect[] {
  return times.map((ms) => wait(token, timer, ms))
}
