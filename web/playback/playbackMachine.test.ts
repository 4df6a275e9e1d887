import { describe, expect, it } from 'vitest'
import type { Song } from '../../contract/shapes.ts'
import { makeSong } from '../../tests/makeSong.ts'
import { coverSong } from './coverSong.ts'
import { stepPlayback } from './playbackMachine.ts'
import {
  getCreditedAudio,
  initialPlayback,
  type Playback,
  type PlaybackEffect,
  type PlaybackEvent,
  showsVideo,
  type Timer,
} from './playbackState.ts'
import type { MediaState, Signal } from './player.ts'

describe('the first song of a page load', () => {
  it('opens the full embed, checks again while it is not ready, and times out after 10 s (playback-13)', () => {
    const player = listen()
    expect(player.send({ type: 'load', song: song() })).toEqual([
      { do: 'open', token: 1, source: { kind: 'video', videoId: 'abcdefghijk', strategy: 'full', start: 0 } },
      wait(100, 'retry-play'),
      wait(300, 'retry-play'),
      wait(500, 'retry-play'),
      wait(1000, 'retry-play'),
      wait(10_000, 'timeout'),
    ])
    expect(player.state.phase).toBe('loading')
    expect(player.expire('retry-play')).toEqual([{ do: 'play' }])
    player.signal({ type: 'ready' })
    expect(player.expire('retry-play')).toEqual([])
    expect(player.expire('timeout')).toEqual([])
  })

  it('starts muted when cued, and is unmuted with a welcome toast after 1.5 s (playback-5)', () => {
    const player = loadedAtOnce()
    const started = player.media('cued')
    expect(started.slice(0, 2)).toEqual([{ do: 'mute' }, { do: 'play' }])
    expect(started).toContainEqual(wait(1500, 'unmute'))
    player.media('playing')
    expect(player.expire('unmute')).toEqual([
      ...aloud,
      { do: 'toast', toast: 'welcome' },
      wait(1000, 'unmuted'),
    ])
    player.expire('unmuted')
    expect(player.state).toMatchObject({ sound: 'on' })
  })

  it('is unmuted only once, although both ready and cued schedule it', () => {
    const player = loadedAtOnce()
    player.signal({ type: 'ready' })
    expect(player.media('cued')).toEqual([{ do: 'mute' }, { do: 'play' }])
  })

  it('stays muted and asks for a tap when the browser pauses it on unmuting', () => {
    const player = loadedAtOnce()
    player.media('cued')
    player.media('playing')
    player.expire('unmute')
    expect(player.media('paused')).toEqual([{ do: 'mute' }, { do: 'play' }])
    expect(player.state).toMatchObject({ sound: 'tap' })
    player.media('playing')
    expect(player.send({ type: 'gesture' })).toEqual([...aloud])
    expect(player.state).toMatchObject({ sound: 'on', phase: 'playing' })
  })

  it('is unmuted at once when the listener interacts within the 1.5 s', () => {
    const player = loadedAtOnce()
    player.media('cued')
    expect(player.send({ type: 'gesture' })).toEqual([...aloud])
    expect(player.expire('unmute')).toEqual([])
  })
})

it('playback-44: a song that is shown opens nothing and has no box, until it is played', () => {
  const player = listen()
  expect(player.send({ type: 'show', song: song() })).toEqual([{ do: 'close' }])
  expect(player.state).toMatchObject({ phase: 'paused', player: 'closed' })
  expect(showsVideo(player.state)).toBe(false)
  expect(player.send({ type: 'toggle' })[0]).toMatchObject({ do: 'open', source: { kind: 'video' } })
  expect(showsVideo(player.state)).toBe(true)
})

describe('after an interaction', () => {
  it('cued unmutes and plays at volume 80 (playback-6)', () => {
    const player = loaded()
    expect(player.media('cued').slice(0, 3)).toEqual([...aloud, { do: 'play' }])
  })

  it("keeps the listener's own volume and mute", () => {
    const player = listen({ type: 'gesture' }, { type: 'volume', volume: 35, muted: true })
    player.send({ type: 'load', song: song() })
    expect(player.media('cued').slice(0, 3)).toEqual([
      { do: 'mute' },
      { do: 'volume', volume: 35 },
      { do: 'play' },
    ])
    expect(player.send({ type: 'volume', volume: 50, muted: false })).toEqual([
      { do: 'unmute' },
      { do: 'volume', volume: 50 },
    ])
  })
})

it.each<[MediaState, Playback['phase']]>([
  ['unstarted', 'loading'],
  ['buffering', 'loading'],
  ['cued', 'loading'],
  ['playing', 'playing'],
  ['paused', 'paused'],
  ['ended', 'ended'],
])('a video that is %s shows as %s', (media, phase) => {
  const player = loaded()
  player.media(media)
  expect(player.state.phase).toBe(phase)
})

describe('play and pause', () => {
  it('toggles, and has no control before the player is ready (playback-3)', () => {
    const player = loaded()
    expect(player.send({ type: 'toggle' })).toEqual([])
    player.signal({ type: 'ready' })
    player.media('playing')
    expect(player.send({ type: 'toggle' })[0]).toEqual({ do: 'pause' })
    player.media('paused')
    expect(player.send({ type: 'toggle' })).toContainEqual({ do: 'play' })
    player.media('playing')
    expect(player.state.phase).toBe('playing')
  })

  it('retries a pause after 100, 300 and 500 ms until it is confirmed (playback-13)', () => {
    const player = loaded()
    player.media('playing')
    const retries = player
      .send({ type: 'pause' })
      .filter((effect) => 'timer' in effect && effect.timer === 'retry-pause')
    expect(retries.map((effect) => 'ms' in effect && effect.ms)).toEqual([100, 300, 500])
    expect(player.expire('retry-pause')).toEqual([{ do: 'pause' }])
    player.media('paused')
    expect(player.expire('retry-pause')).toEqual([])
  })

  it('does not start when the listener pressed pause during loading', () => {
    const player = loaded()
    player.send({ type: 'pause' })
    expect(player.media('playing')).toEqual([{ do: 'pause' }])
    expect(player.state.phase).toBe('pausing')
  })

  it('follows the play button inside the video', () => {
    const player = loaded()
    player.media('playing')
    player.media('paused')
    player.media('playing')
    expect(player.state).toMatchObject({ phase: 'playing', player: 'played' })
  })

  it('shows the play icon at the end of a song, and plays the song again', () => {
    const player = loaded()
    player.media('playing')
    player.media('ended')
    expect(player.send({ type: 'toggle' })).toContainEqual({ do: 'play' })
  })
})

describe('the fallbacks', () => {
  it('go from the full embed to the minimal one after 500 ms, to the no-cookie host after 1000 ms, to the preview (playback-11)', () => {
    const player = loaded()

    expect(player.error(150)).toEqual([{ do: 'close' }, wait(500, 'open', 2)])
    expect(player.state).toMatchObject({ switching: true })
    expect(player.expire('open')[0]).toMatchObject({ do: 'open', token: 2, source: { strategy: 'minimal' } })

    expect(player.error(150)).toEqual([{ do: 'close' }, wait(1000, 'open', 3)])
    expect(player.expire('open')[0]).toMatchObject({
      do: 'open',
      token: 3,
      source: { strategy: 'no-cookie' },
    })

    expect(player.error(150)[0]).toMatchObject({
      do: 'open',
      token: 4,
      source: { kind: 'preview', fresh: false },
    })
    expect(player.state).toMatchObject({ phase: 'loading', switching: true })
  })

  it.each([5, 101, 150, 153])('try another embedding at error %d', (code) => {
    const player = loadedAtOnce()
    player.error(code)
    expect(player.state.source).toMatchObject({ kind: 'video', strategy: 'minimal' })
  })

  it.each([2, 100])('go straight to the preview at error %d', (code) => {
    const player = loadedAtOnce()
    expect(player.error(code)[0]).toMatchObject({ do: 'open', source: { kind: 'preview', fresh: false } })
    expect(player.state.failures).toBe(0)
  })

  it.each([null, '', 'too-short', 'with spaces'])(
    'begin with the preview for the video id %j',
    (youtubeId) => {
      const player = listen()
      expect(player.send({ type: 'load', song: song({ youtubeId }) })[0]).toMatchObject({
        do: 'open',
        source: { kind: 'preview', fresh: false },
      })
      expect(player.state).toMatchObject({ switching: false })
    },
  )

  it('go to the preview when the player is not ready in time, or did not load', () => {
    const slow = loadedAtOnce()
    expect(slow.expire('timeout')[0]).toMatchObject({ do: 'open', source: { kind: 'preview' } })
    const blocked = loadedAtOnce()
    expect(blocked.signal({ type: 'unavailable' })[0]).toMatchObject({
      do: 'open',
      source: { kind: 'preview' },
    })
  })

  it('go to the preview when a ready video does not start', () => {
    const player = loaded()
    expect(player.signal({ type: 'ready' })).toContainEqual(wait(10_000, 'stalled'))
    expect(player.expire('stalled')[0]).toMatchObject({ do: 'open', source: { kind: 'preview' } })
  })

  it("show 'Switching to Spotify...' until the preview has played for a second (playback-4)", () => {
    const player = previewAfterVideo()
    player.signal({ type: 'ready' })
    expect(player.media('playing')).toEqual([wait(1000, 'switched', 2)])
    expect(player.state).toMatchObject({ switching: true })
    player.expire('switched')
    expect(player.state).toMatchObject({ switching: false })
  })

  it('wait for the listener when the song is not meant to play', () => {
    const player = loaded()
    player.send({ type: 'pause' })
    expect(player.error(100)).toEqual([{ do: 'close' }])
    expect(player.send({ type: 'toggle' })[0]).toMatchObject({ do: 'open', source: { kind: 'preview' } })
  })
})

describe('the whole recording', () => {
  const audio = { url: 'https://archive.org/download/a/b.mp3', licence: 'by', attribution: 'Ann' }

  it('plays after the video, without a word about Spotify, and before the preview (playback-28)', () => {
    const player = listen({ type: 'gesture' }, { type: 'load', song: song({ audio }), start: 40 })
    expect(player.state.source).toMatchObject({ kind: 'video' })
    const source = { kind: 'audio', url: audio.url, start: 40 }
    expect(player.error(100)).toEqual([{ do: 'open', token: 2, source }, wait(15_000, 'timeout', 2)])
    expect(player.state).toMatchObject({ switching: false })
    expect(player.error(4)[0]).toMatchObject({ do: 'open', source: { kind: 'preview', fresh: false } })
    expect(player.state).toMatchObject({ switching: true })
  })

  it('is the first source of a song without a video, or with one that fails', () => {
    for (const about of [{ youtubeId: null }, { youtubeBlocked: true }]) {
      const player = listen({ type: 'load', song: song({ audio, ...about }) })
      expect(player.state.source).toMatchObject({ kind: 'audio' })
      expect(player.expire('timeout')[0]).toMatchObject({ source: { kind: 'preview' } })
    }
  })
})

it('discover-92: a covered song plays its whole recording, not its video', () => {
  const known = song({
    audio: { url: 'https://archive.org/download/a/b.mp3', licence: 'by', attribution: 'Ann' },
  })
  const player = listen({ type: 'load', song: coverSong(known) })
  expect(player.state.source).toMatchObject({ kind: 'audio' })
  expect(player.send({ type: 'uncover', song: known })).toEqual([])
  expect(getCreditedAudio(player.state, known.id)).toEqual(known.audio)
})

describe('the preview', () => {
  it('is searched once more when it fails; then there is no audio (playback-4, playback-14)', () => {
    const player = previewAfterVideo()
    expect(player.error(4)[0]).toMatchObject({ do: 'open', source: { kind: 'preview', fresh: true } })
    expect(player.error(4)).toEqual([{ do: 'close' }, { do: 'toast', toast: 'no-audio' }])
    expect(player.state).toMatchObject({ phase: 'silent', source: null })
  })

  it('leaves the song silent when there is none; pressing play tries all sources again', () => {
    const player = previewAfterVideo()
    expect(player.signal({ type: 'unavailable' })).toContainEqual({ do: 'toast', toast: 'no-audio' })
    expect(player.send({ type: 'toggle' })[0]).toMatchObject({
      do: 'open',
      source: { kind: 'video', strategy: 'full' },
    })
  })

  it("shows 'Click to Enable Audio' for 3 s when the browser blocks it", () => {
    const player = listen({ type: 'load', song: song({ youtubeId: null }) })
    player.signal({ type: 'ready' })
    expect(player.signal({ type: 'blocked' })).toEqual([wait(3000, 'hint-over')])
    expect(player.state).toMatchObject({ phase: 'blocked' })
    player.expire('hint-over')
    expect(player.state.phase).toBe('paused')
  })
})

describe('the circuit breaker (playback-11, playback-17)', () => {
  it('starts songs with the preview for a minute after three videos in a row failed in every way', () => {
    const player = listen({ type: 'gesture' })
    for (let n = 0; n < 3; n++) failCompletely(player)
    player.send({ type: 'load', song: song() })
    expect(player.state.source).toMatchObject({ kind: 'preview' })
    player.now += 60_000
    player.send({ type: 'load', song: song() })
    expect(player.state.source).toMatchObject({ kind: 'video' })
    failCompletely(player)
    player.send({ type: 'load', song: song() })
    expect(player.state.source).toMatchObject({ kind: 'preview' })
  })

  it('resets its count when a video plays', () => {
    const player = listen({ type: 'gesture' })
    failCompletely(player)
    failCompletely(player)
    player.send({ type: 'load', song: song() })
    player.media('playing')
    failCompletely(player)
    player.send({ type: 'load', song: song() })
    expect(player.state.source).toMatchObject({ kind: 'video' })
  })
})

describe('a video that failed for several listeners', () => {
  it('is skipped: the song starts with its preview', () => {
    const player = listen({ type: 'load', song: song({ youtubeBlocked: true }) })
    expect(player.state.source).toMatchObject({ kind: 'preview' })
    expect(player.state).toMatchObject({ videoTried: false, switching: false })
  })

  it('is tried once when there is no preview', () => {
    const player = listen({ type: 'load', song: song({ youtubeBlocked: true }) })
    expect(player.signal({ type: 'unavailable' })[0]).toMatchObject({
      do: 'open',
      source: { strategy: 'full' },
    })
    player.error(100)
    expect(player.state.source).toMatchObject({ kind: 'preview' })
    expect(player.signal({ type: 'unavailable' })).toContainEqual({ do: 'toast', toast: 'no-audio' })
    expect(player.state).toMatchObject({ phase: 'silent', errors: [100] })
  })
})

it('keeps the errors of a video until the next song', () => {
  const player = loadedAtOnce()
  player.error(150)
  player.expire('open')
  player.error(2)
  expect(player.state).toMatchObject({ videoTried: true, errors: [150, 2] })
  player.send({ type: 'load', song: song({ id: '2' }) })
  expect(player.state).toMatchObject({ errors: [] })
})

describe('a late event', () => {
  it('of a previous song changes nothing', () => {
    const player = loaded()
    player.send({ type: 'load', song: song({ id: '2' }) })
    const before = player.state
    for (const signal of [
      { type: 'error', code: 150 },
      { type: 'state', state: 'ended' },
      { type: 'blocked' },
      { type: 'unavailable' },
    ] satisfies Signal[]) {
      expect(player.send({ type: 'signal', token: 1, signal })).toEqual([])
    }
    expect(player.send({ type: 'timer', token: 1, timer: 'timeout' })).toEqual([])
    expect(player.state).toBe(before)
  })

  it('changes nothing after stop', () => {
    const player = loadedAtOnce()
    expect(player.send({ type: 'stop' })).toEqual([{ do: 'close' }])
    expect(player.send({ type: 'signal', token: 1, signal: { type: 'ready' } })).toEqual([])
    expect(player.state).toMatchObject({ phase: 'stopped', song: null })
  })
})

it('closes the video when its frame is removed from the page, and opens it again on play', () => {
  const player = loaded()
  player.media('playing')
  expect(player.send({ type: 'frame-gone' })).toEqual([{ do: 'close' }])
  expect(player.state.phase).toBe('paused')
  expect(player.send({ type: 'toggle' })[0]).toMatchObject({ do: 'open', source: { kind: 'video' } })
})

describe('a song that is prepared', () => {
  it('is opened in silence, and plays without another embed when it is loaded (playback-25)', () => {
    const player = prepared()
    expect(player.opened).toEqual([{ do: 'open', token: 1, source: video }, timeout])
    expect(player.signal({ type: 'ready' })).toEqual([])
    expect(player.media('cued')).toEqual([])
    expect(player.send({ type: 'toggle' })).toEqual([])
    expect(player.send({ type: 'load', song: song() })).toEqual([
      ...aloud,
      { do: 'play' },
      wait(10_000, 'stalled'),
    ])
    player.media('playing')
    expect(player.state).toMatchObject({ phase: 'playing', isPrepared: false })
  })

  it('starts as soon as it is ready, when it was loaded before (playback-25)', () => {
    const player = prepared()
    expect(player.send({ type: 'load', song: song() })).toContainEqual(
      expect.objectContaining({ ms: 1000, timer: 'retry-play' }),
    )
    expect(player.signal({ type: 'ready' })).toContainEqual({ do: 'play' })
  })

  it('is paused when the browser starts it before it is loaded (playback-25)', () => {
    const player = prepared()
    player.signal({ type: 'ready' })
    expect(player.media('playing')).toEqual([{ do: 'pause' }])
    expect(player.state.phase).toBe('paused')
  })

  it('cannot be played before it is loaded, not even without a source (playback-25)', () => {
    const player = prepared({ youtubeId: null })
    player.signal({ type: 'unavailable' })
    expect(player.state.phase).toBe('silent')
    expect(player.send({ type: 'toggle' })).toEqual([])
  })

  it('goes on with the next source when its first one failed, and says nothing before (playback-25)', () => {
    const player = prepared()
    player.error(100)
    player.signal({ type: 'unavailable' })
    expect(player.send({ type: 'load', song: song() })[0]).toMatchObject({
      do: 'open',
      source: { kind: 'preview' },
    })
    expect(player.signal({ type: 'unavailable' })).toContainEqual({ do: 'toast', toast: 'no-audio' })
  })

  it('is searched for again when the address of its preview has expired (playback-26, playback-14)', () => {
    const player = prepared({ youtubeId: null })
    expect(player.error(4)[0]).toMatchObject({ do: 'open', source: { kind: 'preview', fresh: true } })
    player.signal({ type: 'ready' })
    expect(player.send({ type: 'load', song: song({ youtubeId: null }) })).toContainEqual({ do: 'play' })
  })

  it('is dropped by another song (playback-26)', () => {
    const player = prepared()
    player.signal({ type: 'ready' })
    expect(player.send({ type: 'load', song: song({ id: '2', youtubeId: null }) })[0]).toMatchObject({
      do: 'open',
      source: { kind: 'preview', song: { id: '2' } },
    })
    expect(player.state).toMatchObject({ phase: 'loading', isPrepared: false })
  })
})

it('a prefetched song is fetched from the source that it would start with (playback-25)', () => {
  const player = loadedAtOnce()
  expect(player.send({ type: 'prefetch', song: song({ id: '2' }) })).toEqual([
    { do: 'prefetch', source: video },
  ])
  const blocked = song({ id: '3', youtubeBlocked: true })
  expect(player.send({ type: 'prefetch', song: blocked })).toEqual([
    { do: 'prefetch', source: { kind: 'preview', song: blocked, fresh: false } },
  ])
})

describe('a video that begins at the hook (playback-62)', () => {
  const starts = (effects: PlaybackEffect[]) =>
    effects.flatMap((effect) => (effect.do === 'open' ? [effect.source] : []))

  it('is opened there, in every embed, and again after its frame was gone', () => {
    const player = listen({ type: 'gesture' })
    expect(starts(player.send({ type: 'load', song: song(), start: 73 }))).toEqual([{ ...video, start: 73 }])
    player.error(150)
    expect(starts(player.expire('open'))).toMatchObject([{ strategy: 'minimal', start: 73 }])
    player.media('playing')
    player.send({ type: 'frame-gone' })
    expect(starts(player.send({ type: 'toggle' }))).toMatchObject([{ start: 73 }])
  })

  it('is prepared there, and only played on load', () => {
    const player = listen({ type: 'gesture' })
    expect(starts(player.send({ type: 'prepare', song: song(), start: 73 }))).toMatchObject([{ start: 73 }])
    player.signal({ type: 'ready' })
    expect(player.send({ type: 'load', song: song(), start: 73 })).toContainEqual({ do: 'play' })
  })

  it('is opened anew when another place wants it from its start', () => {
    const player = listen({ type: 'gesture' }, { type: 'prepare', song: song(), start: 73 })
    player.signal({ type: 'ready' })
    expect(starts(player.send({ type: 'load', song: song() }))).toEqual([video])
  })

  it('begins there also when its song was tried with the preview first, or again', () => {
    const blocked = song({ youtubeBlocked: true })
    const player = listen({ type: 'load', song: blocked, start: 73 })
    expect(starts(player.signal({ type: 'unavailable' }))).toMatchObject([{ kind: 'video', start: 73 }])
    player.error(100)
    player.signal({ type: 'unavailable' })
    expect(player.state.phase).toBe('silent')
    player.send({ type: 'toggle' })
    expect(starts(player.signal({ type: 'unavailable' }))).toMatchObject([{ kind: 'video', start: 73 }])
  })
})

/** The player sounds at the usual volume. */
const aloud = [{ do: 'unmute' }, { do: 'volume', volume: 80 }]

const wait = (ms: number, timer: Timer, token = 1) => ({ do: 'wait', ms, token, timer })

const video = { kind: 'video', videoId: 'abcdefghijk', strategy: 'full', start: 0 } as const
const timeout = wait(10_000, 'timeout')

function prepared(overrides: Partial<Song> = {}) {
  const player = listen({ type: 'gesture' })
  const opened = player.send({ type: 'prepare', song: song(overrides) })
  return Object.assign(player, { opened })
}

function listen(...events: PlaybackEvent[]) {
  const player = {
    state: initialPlayback,
    now: 1_000_000,
    send(event: PlaybackEvent): PlaybackEffect[] {
      const [next, effects] = stepPlayback(player.state, event, player.now)
      player.state = next
      return effects
    },
    signal: (signal: Signal) => player.send({ type: 'signal', token: player.state.token, signal }),
    media: (state: MediaState) => player.signal({ type: 'state', state }),
    error: (code: number) => player.signal({ type: 'error', code }),
    expire: (timer: Timer) => player.send({ type: 'timer', token: player.state.token, timer }),
  }
  for (const event of events) player.send(event)
  return player
}

/** The first song of a page load. */
const loadedAtOnce = () => listen({ type: 'load', song: song() })

/** After an interaction. */
const loaded = () => listen({ type: 'gesture' }, { type: 'load', song: song() })

function previewAfterVideo() {
  const player = loaded()
  player.error(100)
  return player
}

function failCompletely(player: ReturnType<typeof listen>) {
  player.send({ type: 'load', song: song() })
  player.error(150)
  player.expire('open')
  player.error(150)
  player.expire('open')
  player.error(150)
}

const song = ({ id = '1', ...overrides }: Partial<Song> = {}) =>
  makeSong(id, { youtubeId: 'abcdefghijk', ...overrides })
