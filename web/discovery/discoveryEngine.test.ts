import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import { makeSong as song } from '../../tests/makeSong.ts'
import type { DiscoveryCalls } from './discoveryCalls.ts'
import { createDiscoveryEngine } from './discoveryEngine.ts'
import { reveal } from './discoveryState.ts'

const HEARD_PART = { seconds: 4.5, source: 'preview' as const }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('two presses within one tick send one rating, at the first press (discover-8)', async () => {
  const { discovery, sent, did } = await listen(['a', 'b'])
  discovery.rate('banger')
  discovery.rate('bust')
  expect(sent).toEqual([{ microgenreId: '7', songId: 'a', rating: 'banger', heard: HEARD_PART }])
  expect(did.splice(0)).toEqual(['load a', 'interacted', 'pause', 'expect b'])
})

test('the next song plays 400 ms after the feedback has ended and the response has arrived (discover-10)', async () => {
  const { discovery, did } = await listen(['a', 'b'])
  did.length = 0
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1199)
  expect(did).not.toContain('load b')
  await vi.advanceTimersByTimeAsync(1)
  expect(did.at(-1)).toBe('load b')
  expect(discovery.state().song?.id).toBe('b')
})

test('discover-40, discover-41: the reveal comes 380 ms after the press, and its sentence stays for six seconds', async () => {
  const { discovery } = await listen(['a', 'b'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(379)
  expect(reveal(discovery.state())).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(reveal(discovery.state())).toBe('banger')
  await vi.advanceTimersByTimeAsync(820)
  expect(discovery.state()).toMatchObject({ song: { id: 'b' }, sentence: 'Banger for 62 % of 8 listeners' })
  await vi.advanceTimersByTimeAsync(5999)
  expect(discovery.state().sentence).not.toBe('')
  await vi.advanceTimersByTimeAsync(1)
  expect(discovery.state().sentence).toBe('')
})

test('discover-43: a song that is put off gives way as soon as its art has faded and the answer is there', async () => {
  const { discovery, sent, put, did } = await listen(['a', 'b'])
  did.length = 0
  discovery.deferSong()
  discovery.deferSong()
  await vi.advanceTimersByTimeAsync(199)
  expect(discovery.state().song?.id).toBe('a')
  await vi.advanceTimersByTimeAsync(2)
  expect(discovery.state()).toMatchObject({ song: { id: 'b' }, sentence: '', undoable: true, rated: [] })
  expect(put).toEqual([{ microgenreId: '7', songId: 'a', again: false }])
  expect(sent).toEqual([])
  expect(did).not.toContain('rated')

  discovery.deferSong()
  expect(put, 'the second press of two is for the song before').toHaveLength(1)
  await vi.advanceTimersByTimeAsync(300)
  discovery.deferSong()
  expect(put.at(-1)).toMatchObject({ songId: 'b' })
})

test('discover-43: when putting off fails, a message says so and the song stays', async () => {
  const { discovery, did, failNext } = await listen(['a', 'b'])
  failNext()
  discovery.deferSong()
  await vi.advanceTimersByTimeAsync(200)
  expect(did.slice(-2)).toEqual(['failed notNow', 'resume'])
  expect(discovery.state()).toMatchObject({ song: { id: 'a' }, pending: null })
})

test('a failed rating shows one message and can be sent again; the song plays on where it was (discover-13)', async () => {
  const { discovery, sent, did, failNext } = await listen(['a', 'b'])
  did.length = 0
  failNext()
  discovery.rate('bust')
  await vi.advanceTimersByTimeAsync(800)
  expect(did).toEqual(['interacted', 'pause', 'expect b', 'failed rating', 'resume'])
  discovery.rate('bust')
  expect(sent).toHaveLength(2)
})

test('a rating counts after switching the microgenre, and the new song keeps playing (discover-5)', async () => {
  const { discovery, did } = await listen(['a', 'b'])
  discovery.rate('banger')
  discovery.choose('8')
  await vi.advanceTimersByTimeAsync(5000)
  expect(did).toEqual(['load a', 'interacted', 'pause', 'expect b', 'pause', 'rated', 'load 8-first'])
})

test('the next song is expected at the press, and prepared once verdict and answer are there (playback-25)', async () => {
  const { discovery, did } = await listen(['a', 'b', 'c'])
  did.length = 0
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(799)
  expect(did).toEqual(['interacted', 'pause', 'expect b', 'rated'])
  await vi.advanceTimersByTimeAsync(1)
  expect(did.splice(0)).toEqual(['interacted', 'pause', 'expect b', 'rated', 'prepare b'])
  await vi.advanceTimersByTimeAsync(400)
  expect(did).toEqual(['load b'])
})

test("the server's next song is prepared, where another tab has rated the expected one (playback-25)", async () => {
  const { discovery, did, answerWith } = await listen(['a', 'b', 'c'])
  did.length = 0
  answerWith('c')
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(did).toEqual(['interacted', 'pause', 'expect b', 'rated', 'expect c', 'prepare c', 'load c'])
})

test('after a switch of the microgenre the next song of the old one is not prepared (playback-26)', async () => {
  const { discovery, did } = await listen(['a', 'b'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(700)
  discovery.choose('8')
  await vi.advanceTimersByTimeAsync(5000)
  expect(did.filter((what) => /prepare|load/.test(what))).toEqual(['load a', 'load 8-first'])
})

test('nothing is prepared at the end of a microgenre (playback-26)', async () => {
  const { discovery, did } = await listen(['a'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(5000)
  expect(did).toEqual(['load a', 'interacted', 'pause', 'rated', 'stop'])
})

test('the last song stops playback, and an undo plays the song again', async () => {
  const { discovery, did } = await listen(['a'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(discovery.state().view).toBe('complete')
  expect(did.at(-1)).toBe('stop')
  discovery.send({ type: 'undo' })
  discovery.send({ type: 'undone', visit: 1, song: song('a') })
  expect(did.at(-1)).toBe('load a')
})

test('the queue is refilled once per song, and the art of its songs is preloaded (discover-21)', async () => {
  const { discovery, asked, preloaded } = await listen(['a', 'b', 'c', 'd'])
  expect(asked).toEqual(['first 7', 'ahead 7 from a'])
  expect(preloaded.at(-1)).toEqual(['b', 'c', 'd'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(asked).toHaveLength(2)
})

test('discover-21: the page asks for more songs when at most one is left, and not by the rating', async () => {
  const { discovery, asked, sent, preloaded } = await listen([...'abcdefghijkl'])
  for (let n = 0; n < 11; n++) {
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
  }
  expect(discovery.state().song?.id).toBe('l')
  expect(asked).toEqual(['first 7', 'ahead 7 from a', 'ahead 7 from d', 'ahead 7 from g', 'ahead 7 from j'])
  expect(Object.keys(sent[0] ?? {})).toEqual(['heard', 'microgenreId', 'songId', 'rating'])
  expect(preloaded).toContainEqual(['e', 'f', 'g', 'h'])
})

describe('what throws', () => {
  const reported = vi.fn()
  beforeEach(() => {
    vi.stubGlobal('reportError', reported.mockReset())
  })

  test('after a rating is stored, it is no failed rating (discover-13)', async () => {
    const { discovery, did, breakDown } = await listen(['a', 'b'])
    breakDown('rated')
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
    expect(discovery.state()).toMatchObject({ song: { id: 'b' }, pending: null, undoable: true })
    expect(did).not.toContain('failed rating')
    expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('rated'))
  })

  test.each(['pause', 'expect b', 'prepare b', 'interacted'])(
    'the player at %s: the rating is stored, and the next song can be rated',
    async (what) => {
      const { discovery, sent, breakDown } = await listen(['a', 'b', 'c'])
      breakDown(what)
      discovery.rate('banger')
      await vi.advanceTimersByTimeAsync(1200)
      expect(discovery.state()).toMatchObject({ song: { id: 'b' }, pending: null })
      discovery.rate('bust')
      expect(sent.map(({ songId }) => songId)).toEqual(['a', 'b'])
    },
  )

  test('before a rating is sent, it leaves the pads usable', async () => {
    const { discovery, sent, did, breakDown } = await listen(['a', 'b'])
    breakDown('told')
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
    expect(did).toContain('failed rating')
    breakDown('')
    discovery.rate('banger')
    expect(sent).toHaveLength(1)
  })
})

test('discover-21: more songs that did not load are asked for again with the next song', async () => {
  const { discovery, asked, breakDown } = await listen([...'abcdefgh'])
  breakDown('ahead')
  for (let n = 0; n < 4; n++) {
    discovery.rate('banger')
    await vi.advanceTimersByTimeAsync(1200)
  }
  breakDown('')
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(1200)
  expect(discovery.state().song?.id).toBe('f')
  expect(asked.slice(2)).toEqual(['ahead 7 from d', 'ahead 7 from e', 'ahead 7 from f'])
  expect(discovery.state().queue.map(({ id }) => id)).toEqual(['g', 'h'])
})

test("a computer's clock that is set back leaves no pad dead (discover-10, discover-43)", async () => {
  const { discovery, put } = await listen(['a', 'b', 'c', 'd'])
  discovery.rate('banger')
  await vi.advanceTimersByTimeAsync(100)
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(1100)
  expect(discovery.state().song?.id).toBe('b')
  discovery.deferSong()
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(600)
  discovery.deferSong()
  expect(put.map(({ songId }) => songId)).toEqual(['b', 'c'])
})

test('nothing happens after the page is closed', async () => {
  const { discovery, did, stop } = await listen(['a', 'b'])
  discovery.rate('banger')
  stop()
  did.length = 0
  await vi.advanceTimersByTimeAsync(5000)
  discovery.rate('banger')
  expect(did).toEqual(['rated'])
})

/** Discovery of microgenre 7 with these songs, the first of which is on screen. */
async function listen(ids: string[]) {
  const did: string[] = []
  const asked: string[] = []
  const sent: Parameters<DiscoveryCalls['sendRating']>[0][] = []
  const put: Parameters<DiscoveryCalls['deferSong']>[0][] = []
  const preloaded: string[][] = []
  let fails = false
  let broken = ''
  /** Notes what was done, or throws where it is broken. */
  function note(what: string) {
    if (what === broken) throw new Error(what)
    return did.push(what)
  }
  let answered: string | null = null
  const calls: DiscoveryCalls = {
    async fetchNextSong(microgenreId) {
      asked.push(`first ${microgenreId}`)
      return song(microgenreId === '7' ? (ids[0] ?? '') : `${microgenreId}-first`)
    },
    async prefetchSongs(microgenreId) {
      const from = sent.length
      asked.push(`ahead ${microgenreId} from ${ids[from]}`)
      if (broken === 'ahead') throw new Error(broken)
      return microgenreId === '7' ? ids.slice(from, from + PREFETCH_SIZE).map((id) => song(id)) : []
    },
    async sendRating(body) {
      sent.push(body)
      if (fails) throw new Error('500')
      const next = answered ?? ids[ids.indexOf(body.songId) + 1]
      return {
        completed: !next,
        nextSong: next ? song(next) : null,
        ratedAt: '2026-01-02T03:04:05.678901Z',
        room: { listeners: 8, bangers: 5 },
        totals: { totalBangers: 1, totalRatings: 1 },
        today: null,
        unlocked: false,
      }
    },
    async deferSong(body) {
      put.push(body)
      if (fails) throw new Error('500')
      const next = answered ?? ids[ids.indexOf(body.songId) + 1]
      return { completed: !next, nextSong: next ? song(next) : null, saidAt: '2026-01-02T03:04:05.678901Z' }
    },
  }
  const discovery = createDiscoveryEngine({
    calls,
    playback: {
      load: ({ id }) => note(`load ${id}`),
      prefetch: ({ id }) => note(`expect ${id}`),
      prepare: ({ id }) => note(`prepare ${id}`),
      pause: () => note('pause') > 0,
      resume: () => note('resume'),
      stop: () => note('stop'),
      markInteracted: () => note('interacted'),
    },
    onRated: () => note('rated'),
    onFailure: (what) => note(`failed ${what}`),
    preloadArt: (songs) => preloaded.push(songs.map(({ id }) => id)),
    ratingContext() {
      if (broken === 'told') throw new Error(broken)
      return { heard: HEARD_PART }
    },
    revealTime: () => 380,
    drawLater: (act) => act(),
  })
  const stop = discovery.run()
  discovery.choose('7')
  await vi.advanceTimersByTimeAsync(0)
  const failNext = () => {
    fails = true
  }
  const answerWith = (id: string) => {
    answered = id
  }
  const breakDown = (what: string) => {
    broken = what
  }
  return { discovery, did, asked, sent, put, preloaded, stop, failNext, answerWith, breakDown }
}
