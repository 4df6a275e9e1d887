import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAchievements } from '../../contract/achievements.ts'
import { rateAndAdvance, restartMicrogenre } from '../../contract/discovery.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { listRatingChanges, listRatings, removeRating } from '../../contract/library.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'
import { applyRatingChanges, matchesTotals } from '../../web/library/ratingsQuery.ts'
import { type MadeMicrogenre, makeMicrogenre, prefetchSongs, rate, rateOn, streakOf } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { SEED } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

type Step =
  | { do: 'rate'; song: number; banger: boolean }
  | { do: 'undo' | 'remove'; song: number }
  | { do: 'restart'; genre: number }

const song = fc.integer({ min: 0, max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('rate' as const), song, banger: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'remove' as const), song }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('restart' as const), genre: fc.integer({ min: 0, max: 1 }) }),
  },
)

test("the server matches a simple model after random sequences of a listener's actions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const ada = await app.signIn()
      const genres = [await makeMicrogenre(app.db, 4), await makeMicrogenre(app.db, 2)]
      const model = new RatingModel(genres)
      let ratings = (await ada.call(listRatings)).body
      for (const [n, each] of steps.entries()) {
        // A page that has loaded the list some steps ago.
        if (n === Math.floor(steps.length / 3)) ratings = (await ada.call(listRatings)).body
        expect(await perform(ada, genres, each)).toBe(model.perform(each))
        expect((await ada.call(getMyStats)).body).toMatchObject(model.totals())
      }
      expect(await ratingsOf(ada)).toEqual(model.library())
      if (ratings[0]) {
        const changes = await ada.call(listRatingChanges, { query: { since: ratings[0].createdAt } })
        const list = applyRatingChanges(ratings, changes.body ?? { ratings: [], removed: [] })
        expect(list).toEqual((await ada.call(listRatings)).body)
        expect(matchesTotals(list, changes.body ?? { totalBangers: -1, totalRatings: -1 })).toBe(true)
      }
      expect(await streakOf(app.db, ada.id)).toBe(model.streak)
      for (const genre of genres) {
        const offered = (await prefetchSongs(ada, genre.id)).map(({ id }) => id)
        expect(offered.sort()).toEqual(model.leftIn(genre))
      }
    }),
    { seed: SEED, numRuns: 25, endOnFailure: false },
  )
  await expectRecount(app.db)
})

/** The rules discover-22, discover-26, discover-14 and undo, without a database. */
class RatingModel {
  streak = 0
  readonly #genres: MadeMicrogenre[]
  readonly #pass = new Map<MadeMicrogenre, number>()
  readonly #ratings = new Map<string, StoredRating & { before: StoredRating | null }>()

  constructor(genres: MadeMicrogenre[]) {
    this.#genres = genres
  }

  /** Takes the step and returns the status that the call must have. */
  perform(each: Step): number {
    if (each.do === 'restart') {
      const genre = this.#genres[each.genre]
      if (genre) this.#pass.set(genre, this.#passOf(genre) + 1)
      return 200
    }
    const [genre, id] = locate(this.#genres, each.song)
    const old = this.#ratings.get(id)
    if (each.do === 'rate') {
      const inPass = old?.pass === this.#passOf(genre)
      const before = inPass ? (old?.before ?? null) : old ? { banger: old.banger, pass: old.pass } : null
      this.#ratings.set(id, { banger: each.banger, pass: this.#passOf(genre), before })
      if (!inPass) this.streak += 1
      return 200
    }
    if (!old) return 404
    // Without its time, undo does not remove a rating of an earlier pass.
    if (each.do === 'undo' && old.pass !== this.#passOf(genre)) return 404
    if (each.do === 'undo' && old.before) this.#ratings.set(id, { ...old.before, before: null })
    else this.#ratings.delete(id)
    this.streak = Math.max(this.streak - 1, 0)
    return 200
  }

  totals() {
    const all = [...this.#ratings.values()]
    return { totalRatings: all.length, totalBangers: all.filter(({ banger }) => banger).length }
  }

  library(): [string, string][] {
    return [...this.#ratings]
      .map(([id, { banger }]): [string, string] => [id, banger ? 'banger' : 'bust'])
      .sort()
  }

  leftIn(genre: MadeMicrogenre): string[] {
    return genre.songs.filter((id) => this.#ratings.get(id)?.pass !== this.#passOf(genre)).sort()
  }

  #passOf(genre: MadeMicrogenre): number {
    return this.#pass.get(genre) ?? 1
  }
}

interface StoredRating {
  banger: boolean
  pass: number
}

async function perform(listener: Visitor, genres: MadeMicrogenre[], each: Step): Promise<number> {
  if (each.do === 'restart') {
    const params = { id: genres[each.genre]?.id ?? '' }
    return (await listener.call(restartMicrogenre, { params })).status
  }
  const [genre, id] = locate(genres, each.song)
  if (each.do === 'rate') return (await rate(listener, genre.id, id, each.banger ? 'banger' : 'bust')).status
  const query = each.do === 'undo' ? { undo: 'true' as const } : {}
  return (await listener.call(removeRating, { params: { songId: id }, query })).status
}

function locate(genres: MadeMicrogenre[], index: number): [MadeMicrogenre, string] {
  const all = genres.flatMap((genre) => genre.songs.map((id): [MadeMicrogenre, string] => [genre, id]))
  const songId = all[index]
  if (!songId) throw new Error(`There is no song ${index}.`)
  return songId
}

async function ratingsOf(listener: Visitor): Promise<[string, string][]> {
  const { body } = await listener.call(listRatings)
  return body.map(({ id, rating }): [string, string] => [id, rating]).sort()
}

describe('the response', () => {
  /* The response to a rating has what the page would otherwise request (discover-66). */

  const app = setUpApp()
  const ada = setUpListener(app)
  const zone = 'Europe/Berlin'

  type Rating = BodyOf<typeof rateAndAdvance>
  const send = async (listener: Visitor, body: Rating) => (await listener.call(rateAndAdvance, { body })).body

  test("discover-66: the response has the listener's totals and those of the day, equal to those of their calls", async () => {
    const genre = await makeMicrogenre(app.db, 4)
    const [first = '', second = '', third = ''] = genre.songs
    const there = await app.signIn()
    const rating = { microgenreId: genre.id, rating: 'banger', zone } as const
    await send(there, { ...rating, songId: first })

    expect(await send(ada, { ...rating, songId: first })).toMatchObject({
      totals: { totalBangers: 1, totalRatings: 1 },
      today: { dailyBangers: 1, dailyRatings: 1 },
    })
    await app.db`update ratings set rated_at = (rated_at at time zone 'UTC' - interval '2 days') at time zone 'UTC' where song_id = ${first}`
    expect(await send(ada, { ...rating, songId: second, rating: 'bust' })).toMatchObject({
      totals: { totalBangers: 1, totalRatings: 2 },
      today: { dailyBangers: 0, dailyRatings: 1 },
    })
    const { totals, today } = await send(ada, { ...rating, songId: third })
    expect((await ada.call(getMyStats)).body).toMatchObject(totals)
    expect((await ada.call(getDailyStats, { query: { tz: zone } })).body).toMatchObject(today ?? {})

    // A repeated rating, one that changed, and one of a later pass.
    expect(await send(ada, { ...rating, songId: third })).toMatchObject({ totals, today })
    expect(await send(ada, { ...rating, songId: third, rating: 'bust' })).toMatchObject({
      totals: { totalBangers: 1, totalRatings: 3 },
      today: { dailyBangers: 0, dailyRatings: 2 },
    })
    await ada.call(restartMicrogenre, { params: { id: genre.id } })
    expect(await send(ada, { ...rating, songId: first })).toMatchObject({
      totals: { totalBangers: 1, totalRatings: 3 },
      today: { dailyBangers: 1, dailyRatings: 3 },
    })
    await ada.call(removeRating, { params: { songId: third } })
    expect(await send(ada, { ...rating, songId: first })).toMatchObject({
      totals: { totalBangers: 1, totalRatings: 2 },
    })
  })

  test('discover-66: without a time zone the response has no totals of the day', async () => {
    const genre = await makeMicrogenre(app.db, 4)
    const [songId = ''] = genre.songs

    const { status, body } = await ada.call(rateAndAdvance, {
      body: { microgenreId: genre.id, songId, rating: 'bust' },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        completed: false,
        nextSong: expect.objectContaining({ microgenreId: genre.id }),
        ratedAt: expect.any(String),
        listeners: 1,
        room: null,
        totals: { totalBangers: 0, totalRatings: 1 },
        today: null,
        isFirst: true,
        canLean: false,
        unlocked: false,
      },
    })
  })

  test('discover-66: the response says whether an achievement waits to be announced', async () => {
    const genre = await makeMicrogenre(app.db, 4)
    const [first = '', second = ''] = genre.songs
    const rating = { microgenreId: genre.id, rating: 'banger' } as const

    expect(await send(ada, { ...rating, songId: first })).toMatchObject({ unlocked: true })
    // The response did not reach the page.
    expect(await send(ada, { ...rating, songId: first })).toMatchObject({ unlocked: true })
    await ada.call(checkAchievements)
    expect(await send(ada, { ...rating, songId: second })).toMatchObject({ unlocked: false })
  })

  test('discover-17: an unknown zone is UTC, and one that is too long is rejected', async () => {
    const genre = await makeMicrogenre(app.db, 3)
    await rateOn(ada, genre.id, { most: 1 })
    const [songId = ''] = genre.songs
    const rating = { microgenreId: genre.id, songId, rating: 'bust' } as const
    const { today } = await send(ada, { ...rating, zone: 'Mars/Olympus' })
    expect((await ada.call(getDailyStats)).body).toMatchObject(today ?? {})
    const body = { ...rating, zone: 'x'.repeat(65) }
    expect((await ada.call(rateAndAdvance, { body })).status).toBe(400)
  })
})
