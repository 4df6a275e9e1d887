import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PREFETCH_SIZE } from '../../../contract/discovery.ts'
import { makeSong as song } from '../../../tests/makeSong.ts'
import type { DiscoveryCalls } from './discoveryCalls.ts'
import { createDiscoveryEngine } from './discoveryEngine.ts'
import { revealedRating } from './discoveryState.ts'

const LISTENING = { seconds: 4.5, source: 'preview' as const }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('two presses within one tick send one rating, at the first press (discover-8)', async () => {
  const { discovery, sent: ratings, did: actions } = await startDiscovery(['a', 'b'])
  discovery.rate('banger')
  discovery.rate('bust')
  expect(ratings).toEqual([{ microgenreId: '7', songId: 'a', rating: 'banger', heard: LISTENING }])
  expect(actions.splice(0)).toEqual(['load a', 'enable sound', 'pause', 'expect b'])
})

test('the next song plays 400 ms after the feedback has ended and the response has arrived (discover-10)', async () => {
  const { discovery, did: actions } = await startDiscovery(['a', 'b'])
  actions.length = 0
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1199)
  expect(actions).not.toContain('load b')
  await vi.advanceTimersByTimeAsync(1)
  expect(actions.at(-1)).toBe('load b')
  expect(discovery.getState().song?.id).toBe('b')
})

test('discover-40, discover-41: the reveal comes 380 ms after the press, and its sentence stays for six seconds', async () => {
  const { discovery } = await startDiscovery(['a', 'b'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(379)
  expect(revealedRating(discovery.getState())).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(revealedRating(discovery.getState())).toBe('banger')
  await vi.advanceTimersByTimeAsync(820)
  expect(discovery.getState()).toMatchObject({
    song: { id: 'b' },
    sentence: 'Banger for 62 % of 8 listeners',
  })
  await vi.advanceTimersByTimeAsync(5999)
  expect(discovery.getState().sentence).not.toBe('')
  await vi.advanceTimersByTimeAsync(1)
  expect(discovery.getState().sentence).toBe('')
})

test('discover-43: a song that is put off gives way as soon as its art has faded and the answer is there', async () => {
  const { discovery, sent: ratings, put: deferrals, did: actions } = await startDiscovery(['a', 'b'])
  actions.length = 0
  discovery.deferSong()
  discovery.deferSong()
  await vi.advanceTimersByTimeAsync(199)
  expect(discovery.getState().song?.id).toBe('a')
  await vi.advanceTimersByTimeAsync(2)
  expect(discovery.getState()).toMatchObject({ song: { id: 'b' }, sentence: '', isUndoable: true, rated: [] })
  expect(deferrals).toEqual([{ microgenreId: '7', songId: 'a', again: false }])
  expect(ratings).toEqual([])
  expect(actions).not.toContain('rated')

  discovery.deferSong()
  expect(deferrals, 'the second press of two is for the song before').toHaveLength(1)
  await vi.advanceTimersByTimeAsync(300)
  discovery.deferSong()
  expect(deferrals.at(-1)).toMatchObject({ songId: 'b' })
})

test('discover-43: when putting off fails, a message says so and the song stays', async () => {
  const { discovery, did: actions, failNext: failCalls } = await startDiscovery(['a', 'b'])
  failCalls()
  discovery.deferSong()
  await vi.advanceTimersByTimeAsync(200)
  expect(actions.slice(-2)).toEqual(['failed deferral', 'resume'])
  expect(discovery.getState()).toMatchObject({ song: { id: 'a' }, pending: null })
})

test('a failed rating shows one message and can be sent again; the song plays on where it was (discover-13)', async () => {
  const { discovery, sent: ratings, did: actions, failNext: failCalls } = await startDiscovery(['a', 'b'])
  actions.length = 0
  failCalls()
  discovery.rate('bust')
  await vi.advanceTimersByTimeAsync(800)
  expect(actions).toEqual(['enable sound', 'pause', 'expect b', 'failed rating', 'resume'])
  discovery.rate('bust')
  expect(ratings).toHaveLength(2)
})

test('a rating counts after switching the microgenre, and the new song keeps playing (discover-5)', async () => {
  const { discovery, did: actions } = await startDiscovery(['a', 'b'])
  discovery.rate('banger')
  discovery.choose('8')
  await vi.advanceTimersByTimeAsync(5000)
  expect(actions).toEqual(['load a', 'enable sound', 'pause', 'expect b', 'pause', 'rated', 'load 8-first'])
})

test('the next song is expected at the press, and prepared once verdict and answer are there (playback-25)', async () => {
  const { discovery, did: actions } = await startDiscovery(['a', 'b', 'c'])
  actions.length = 0
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(799)
  expect(actions).toEqual(['enable sound', 'pause', 'expect b', 'rated'])
  await vi.advanceTimersByTimeAsync(1)
  expect(actions.splice(0)).toEqual(['enable sound', 'pause', 'expect b', 'rated', 'prepare b'])
  await vi.advanceTimersByTimeAsync(400)
  expect(actions).toEqual(['load b'])
})

test("the server's next song is prepared, where another tab has rated the expected one (playback-25)", async () => {
  const { discovery, did: actions, answerWith: answerWithNext } = await startDiscovery(['a', 'b', 'c'])
  actions.length = 0
  answerWithNext('c')
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(actions).toEqual(['enable sound', 'pause', 'expect b', 'rated', 'expect c', 'prepare c', 'load c'])
})

test('after a switch of the microgenre the next song of the old one is not prepared (playback-26)', async () => {
  const { discovery, did: actions } = await startDiscovery(['a', 'b'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(700)
  discovery.choose('8')
  await vi.advanceTimersByTimeAsync(5000)
  expect(actions.filter((what) => /prepare|load/.test(what))).toEqual(['load a', 'load 8-first'])
})

test('nothing is prepared at the end of a microgenre (playback-26)', async () => {
  const { discovery, did: actions } = await startDiscovery(['a'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(5000)
  expect(actions).toEqual(['load a', 'enable sound', 'pause', 'rated', 'stop'])
})

test('the last song stops playback, and an undo plays the song again', async () => {
  const { discovery, did: actions } = await startDiscovery(['a'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(discovery.getState().view).toBe('complete')
  expect(actions.at(-1)).toBe('stop')
  discovery.send({ type: 'undo' })
  discovery.send({ type: 'undone', visit: 1, song: song('a') })
  expect(actions.at(-1)).toBe('load a')
})

test('the queue is refilled once per song, and the art of its songs is preloaded (discover-21)', async () => {
  const { discovery, asked: requests, preloaded } = await startDiscovery(['a', 'b', 'c', 'd'])
  expect(requests).toEqual(['first 7', 'ahead 7 from a'])
  expect(preloaded.at(-1)).toEqual(['b', 'c', 'd'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(requests).toHaveLength(2)
})

test('discover-21: the page asks for more songs when at most one is left, and not by the rating', async () => {
  const { discovery, asked: requests, sent: ratings, preloaded } = await startDiscovery([...'abcdefghijkl'])
  for (let n = 0; n < 11; n++) {
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
  }
  expect(discovery.getState().song?.id).toBe('l')
  expect(requests).toEqual([
    'first 7',
    'ahead 7 from a',
    'ahead 7 from d',
    'ahead 7 from g',
    'ahead 7 from j',
  ])
  expect(Object.keys(ratings[0] ?? {})).toEqual(['heard', 'microgenreId', 'songId', 'rating'])
  expect(preloaded).toContainEqual(['e', 'f', 'g', 'h'])
})

describe('what throws', () => {
  const reported = vi.fn()
  beforeEach(() => {
    vi.stubGlobal('reportError', reported.mockReset())
  })

  test('after a rating is stored, it is no failed rating (discover-13)', async () => {
    const { discovery, did: actions, breakDown: failAt } = await startDiscovery(['a', 'b'])
    failAt('rated')
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
    expect(discovery.getState()).toMatchObject({ song: { id: 'b' }, pending: null, isUndoable: true })
    expect(actions).not.toContain('failed rating')
    expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('rated'))
  })

  test.each(['pause', 'expect b', 'prepare b', 'enable sound'])(
    'the player at %s: the rating is stored, and the next song can be rated',
    async (what) => {
      const { discovery, sent: ratings, breakDown: failAt } = await startDiscovery(['a', 'b', 'c'])
      failAt(what)
      discovery.rate('banger')
      await vi.advanceTimersByTimeAsync(1200)
      expect(discovery.getState()).toMatchObject({ song: { id: 'b' }, pending: null })
      discovery.rate('bust')
      expect(ratings.map(({ songId }) => songId)).toEqual(['a', 'b'])
    },
  )

  test('before a rating is sent, it leaves the pads usable', async () => {
    const { discovery, sent: ratings, did: actions, breakDown: failAt } = await startDiscovery(['a', 'b'])
    failAt('ratingContext')
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
    expect(actions).toContain('failed rating')
    failAt('')
    discovery.rate('banger')
    expect(ratings).toHaveLength(1)
  })
})

test('discover-21: more songs that did not load are asked for again with the next song', async () => {
  const { discovery, asked: requests, breakDown: failAt } = await startDiscovery([...'abcdefgh'])
  failAt('ahead')
  for (let n = 0; n < 4; n++) {
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
  }
  failAt('')
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(discovery.getState().song?.id).toBe('f')
  expect(requests.slice(2)).toEqual(['ahead 7 from d', 'ahead 7 from e', 'ahead 7 from f'])
  expect(discovery.getState().queue.map(({ id }) => id)).toEqual(['g', 'h'])
})

test("a computer's clock that is set back leaves no pad dead (discover-10, discover-43)", async () => {
  const { discovery, put: deferrals } = await startDiscovery(['a', 'b', 'c', 'd'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(100)
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(1100)
  expect(discovery.getState().song?.id).toBe('b')
  discovery.deferSong()
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(600)
  discovery.deferSong()
  expect(deferrals.map(({ songId }) => songId)).toEqual(['b', 'c'])
})

test('nothing happens after the page is closed', async () => {
  const { discovery, did: actions, stop } = await startDiscovery(['a', 'b'])
  discovery.rate('banger')
  stop()
  actions.length = 0
  await vi.advanceTimersByTimeAsync(5000)
  discovery.rate('banger')
  expect(actions).toEqual(['rated'])
})

/** Discovery of microgenre 7 with these songs, the first of which is on screen. */
async function startDiscovery(ids: string[]) {
  const actions: string[] = []
  const requests: string[] = []
  const ratings: Parameters<DiscoveryCalls['sendRating']>[0][] = []
  const deferrals: Parameters<DiscoveryCalls['deferSong']>[0][] = []
  const preloaded: string[][] = []
  let areCallsFailing = false
  let failingAction = ''
  /** Notes what was done, or throws where it is broken. */
  function recordAction(what: string) {
    if (what === failingAction) throw new Error(what)
    return actions.push(what)
  }
  let nextSongId: string | null = null
  const calls: DiscoveryCalls = {
    async fetchNextSong(microgenreId) {
      requests.push(`first ${microgenreId}`)
      return song(microgenreId === '7' ? (ids[0] ?? '') : `${microgenreId}-first`)
    },
    async prefetchSongs(microgenreId) {
      const from = ratings.length
      requests.push(`ahead ${microgenreId} from ${ids[from]}`)
      if (failingAction === 'ahead') throw new Error(failingAction)
      return microgenreId === '7' ? ids.slice(from, from + PREFETCH_SIZE).map((id) => song(id)) : []
    },
    async sendRating(body) {
      ratings.push(body)
      if (areCallsFailing) throw new Error('500')
      const next = nextSongId ?? ids[ids.indexOf(body.songId) + 1]
      return {
        completed: !next,
        nextSong: next ? song(next) : null,
        ratedAt: '2026-01-02T03:04:05.678901Z',
        listeners: 8,
        room: { listeners: 8, bangers: 5 },
        totals: { totalBangers: 1, totalRatings: 1 },
        today: null,
        unlocked: false,
      }
    },
    async deferSong(body) {
      deferrals.push(body)
      if (areCallsFailing) throw new Error('500')
      const next = nextSongId ?? ids[ids.indexOf(body.songId) + 1]
      return { completed: !next, nextSong: next ? song(next) : null, saidAt: '2026-01-02T03:04:05.678901Z' }
    },
  }
  const discovery = createDiscoveryEngine({
    calls,
    playback: {
      load: ({ id }) => recordAction(`load ${id}`),
      uncover: ({ id }) => recordAction(`uncover ${id}`),
      prefetch: ({ id }) => recordAction(`expect ${id}`),
      prepare: ({ id }) => recordAction(`prepare ${id}`),
      pause: () => recordAction('pause') > 0,
      resume: () => recordAction('resume'),
      stop: () => recordAction('stop'),
      enableSound: () => recordAction('enable sound'),
    },
    onRated: () => recordAction('rated'),
    onFailure: (what) => recordAction(`failed ${what}`),
    preloadArt: (songs) => preloaded.push(songs.map(({ id }) => id)),
    ratingContext() {
      if (failingAction === 'ratingContext') throw new Error(failingAction)
      return { heard: LISTENING }
    },
    revealTime: () => 380,
    renderAfterPaint: (act) => act(),
  })
  const stop = discovery.run()
  discovery.choose('7')
  await vi.advanceTimersByTimeAsync(0)
  const failCalls = () => {
    areCallsFailing = true
  }
  const answerWithNext = (id: string) => {
    nextSongId = id
  }
  const failAt = (what: string) => {
    failingAction = what
  }
  return {
    discovery,
    did: actions,
    asked: requests,
    sent: ratings,
    put: deferrals,
    preloaded,
    stop,
    failNext: failCalls,
    answerWith: answerWithNext,
    breakDown: failAt,
  }
}
