import { expect, test } from 'vitest'
import { listMicrogenres, listNextMicrogenres } from '../../contract/discovery.ts'
import { recommendMicrogenres, savePreferences } from '../../contract/onboarding.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { computeAffinities } from '../../server/taste/affinities.ts'
import {
  findMicrogenre,
  type MadeMicrogenre,
  makeListeners,
  makeMicrogenre,
  rateOn,
  writeRatings,
} from '../factories.ts'
import { QUESTIONNAIRE_ANSWERS } from '../harness/ownerFixture.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('discover-47: without any ratings four microgenres are recommended, each with a true reason', async () => {
  const list = (await ada.call(listMicrogenres)).body
  const recommended = list.filter(({ reason }) => reason !== null)

  expect(recommended.map(({ reason }) => reason)).toEqual(Array(4).fill('Hardly explored yet'))
  expect((await ada.call(listMicrogenres)).body).toEqual(list)

  await ada.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS })
  const reasonsShown = (await ada.call(listMicrogenres)).body.flatMap(({ reason }) => reason ?? [])
  expect(reasonsShown.toSorted()).toEqual([
    'Fits three of your four answers',
    'Fits three of your four answers',
    'Fits two of your four answers',
    'Hardly explored yet',
  ])
})

test('discover-46: affinities equal a recount, from ten common listeners and a lift above 1', async () => {
  const [a, b, c, d, e, f, g, h] = await makeEightMicrogenres()
  await makeFans(12, [a, b, c])
  await makeFans(10, [c, d])
  await makeFans(9, [e, f])
  await makeFans(11, [g])
  // One banger is not enough.
  await makeFans(5, [e, f], { bangers: 1 })
  await makeFans(6, [h, a])
  await learnAffinities()

  const stored = await readAffinities()
  expect(stored).toEqual(await recountAffinities())
  const common = (one: MadeMicrogenre, other: MadeMicrogenre) =>
    stored.find((row) => row.microgenreId === one.id && row.otherId === other.id)?.listeners ?? 0
  expect([common(a, b), common(b, a), common(c, d), common(a, a), common(c, c)]).toEqual([12, 12, 10, 18, 22])
  expect([common(e, f), common(e, e), common(h, a), common(a, d)]).toEqual([0, 0, 0, 0])
})

test('discover-48: a second run, or two at once, change nothing', async () => {
  const before = await rowVersions()
  expect(before.length).toBeGreaterThan(0)
  await computeAffinities(app.db)
  await Promise.all([computeAffinities(app.db), computeAffinities(app.db)])

  expect(await rowVersions()).toEqual(before)
})

test('discover-48: a deleted account no longer counts, and nothing shows of the remaining nine', async () => {
  const [one, other] = await makeEightMicrogenres()
  await makeFans(9, [one, other])
  for (const { id } of [one, other]) await rateOn(ada, id)
  await learnAffinities()
  const affinitiesOfGenre = async () =>
    (await readAffinities()).filter(({ microgenreId }) => microgenreId === one.id)
  expect(await affinitiesOfGenre()).toMatchObject([{ listeners: 10 }, { listeners: 10 }])
  const bob = await app.signIn()
  await rateOn(bob, one.id, { most: 2 })
  expect((await suggestAfter(bob, one))[0]).toMatchObject({
    id: other.id,
    reason: `Listeners who banged in ${one.name} bang in ${other.name}`,
  })

  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  await learnAffinities()
  // Bob is the tenth listener with a banger in one of them.
  expect(await affinitiesOfGenre()).toMatchObject([{ otherId: one.id, listeners: 10 }])
  expect((await suggestAfter(bob, one)).map(({ reason }) => reason)).not.toContainEqual(
    expect.stringMatching(/^Listeners who banged/),
  )
})

test('discover-28, discover-46: suggestions follow affinity, without completed, retired and empty microgenres', async () => {
  const [done, near, nearer, retired] = await makeEightMicrogenres()
  const empty = await makeMicrogenre(app.db, 0)
  await makeFans(20, [done, nearer, retired])
  await makeFans(10, [done, near])
  await makeFans(10, [near])
  await learnAffinities()
  await app.db`update songs set retired_at = now() where microgenre_id = ${retired.id}`
  await app.db`update microgenres set live_song_count = 0 where id = ${retired.id}`
  await rateOn(ada, done.id)

  const suggested = await suggestAfter(ada, done, 20)
  expect(suggested.slice(0, 2).map(({ id }) => id)).toEqual([nearer.id, near.id])
  const ids = suggested.map(({ id }) => id)
  for (const never of [done, retired, empty]) expect(ids).not.toContain(never.id)

  await rateOn(ada, nearer.id)
  expect((await suggestAfter(ada, done))[0]?.id).toBe(near.id)
})

test('discover-46: a listener without bangers is recommended what fits the answers', async () => {
  const [disliked] = await makeEightMicrogenres()
  await rateOn(ada, disliked.id, { rating: 'bust' })
  await ada.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS })

  expect((await suggestAfter(ada, disliked))[0]?.reason).toBe('Fits all four of your answers')
})

test('discover-47: every reason is true, for listeners of all kinds', async () => {
  await learnAffinities()
  const listeners = await app.db<{ id: string; email: string }[]>`select id, email from users order by id`
  const reasons: string[] = []
  const facts = await readFacts()
  const zydeco = await findMicrogenre(app.db, 'zydeco')
  for (const { id, email } of listeners) {
    const listener = await app.signIn(email)
    const begin = (await listener.call(listMicrogenres)).body.filter(({ reason }) => reason !== null)
    const answers = (await listener.call(recommendMicrogenres, { query: QUESTIONNAIRE_ANSWERS })).body
    const liked = facts.liked.get(id) ?? new Set<string>()
    const next = await suggestAfter(listener, zydeco, 12)
    for (const { name, reason } of [...begin, ...answers.recommendedMicrogenres, ...next]) {
      const isTrue = facts.isTrue(name, reason ?? '', liked)
      expect({ name, reason, isTrue }).toEqual({ name, reason, isTrue: true })
      reasons.push(reason ?? '')
    }
  }

  expect(listeners.length).toBeGreaterThan(60)
  expect(reasons.length).toBeGreaterThan(1000)
  for (const kind of [/^Listeners who/, /^Fits/, /, like Zydeco$/, /^Hardly explored yet$/])
    expect(reasons.filter((reason) => kind.test(reason)).length).toBeGreaterThan(50)
})

test('discover-46, discover-47: relatives of a liked microgenre come before what is only alike, and the reason says so', async () => {
  const eve = await app.signIn()
  const [liked, related] = await makeEightMicrogenres()
  await app.db`
    update microgenres set relatives = array(select key from microgenres where id = ${related.id}) where id = ${liked.id}`
  await rateOn(eve, liked.id)
  const reason = `Related to ${liked.name}`
  expect((await suggestAfter(eve, liked))[0]).toMatchObject({ id: related.id, reason })
})

type Listener = Visitor & { id: string; email: string }

async function suggestAfter(listener: Listener, { id }: MadeMicrogenre, limit = 4) {
  return (await listener.call(listNextMicrogenres, { query: { exclude: id, limit } })).body
}

/** Folds the ratings, so that the listeners count, and learns. */
async function learnAffinities(): Promise<void> {
  await rollUp(app.db)
  await computeAffinities(app.db)
}

function makeEightMicrogenres() {
  const make = () => makeMicrogenre(app.db, 4)
  return Promise.all([make(), make(), make(), make(), make(), make(), make(), make()])
}

/** Listeners who have rated all songs of these microgenres, the first ones a banger. */
async function makeFans(count: number, genres: MadeMicrogenre[], { bangers = 2 } = {}): Promise<void> {
  const songs = genres.flatMap((genre) => genre.songs)
  for (const listener of await makeListeners(app.db, count))
    await writeRatings(app.db, listener, songs, (index) => index % 4 < bangers)
}

interface Affinity {
  microgenreId: string
  otherId: string
  listeners: number
  affinity: number
}

async function readAffinities(): Promise<Affinity[]> {
  const rows = await app.db<Affinity[]>`
    select microgenre_id, other_id, listeners, affinity from microgenre_affinities
    order by microgenre_id, microgenre_id <> other_id, other_id`
  return rows.map((row) => ({ ...row, affinity: Number(row.affinity.toFixed(4)) }))
}

const rowVersions = () =>
  app.db`select xmin::text, ctid::text, * from microgenre_affinities order by microgenre_id, other_id`.values()

/** The microgenres in which each listener has two bangers or more, from the ratings themselves. */
async function readLiked(): Promise<Map<string, Set<string>>> {
  const rows = await app.db<{ userId: string; liked: string[] }[]>`
    select user_id, array_agg(microgenre_id) as liked
    from (select user_id, microgenre_id from ratings where banger group by 1, 2 having count(*) >= 2) l
    group by user_id`
  return new Map(rows.map(({ userId, liked }) => [userId, new Set(liked)]))
}

/** Computed from the ratings, differently from the code. */
async function recountAffinities(): Promise<Affinity[]> {
  const liked = [...(await readLiked()).values()]
  const ids = [...new Set(liked.flatMap((all) => [...all]))].sort((a, b) => Number(a) - Number(b))
  const among = (...all: string[]) => liked.filter((one) => all.every((id) => one.has(id))).length
  return ids.flatMap((microgenreId) =>
    [microgenreId, ...ids.filter((id) => id !== microgenreId)].flatMap((otherId) => {
      const listeners = among(microgenreId, otherId)
      const share = among(otherId) / liked.length
      const lift = listeners / among(microgenreId) / share
      const isMore = listeners * liked.length > among(microgenreId) * among(otherId)
      if (listeners < 10 || (!isMore && microgenreId !== otherId)) return []
      const affinity = Math.log(lift) / 2 + Math.log(share)
      return [{ microgenreId, otherId, listeners, affinity: Number(affinity.toFixed(4)) }]
    }),
  )
}

/** Checks whether a reason is true. */
async function readFacts() {
  const liked = await readLiked()
  const everybody = [...liked.values()]
  const rows = await app.db<
    { id: string; name: string; family: string; tags: string[]; ratings: number; songs: number }[]
  >`
    with rated as materialized (
      select microgenre_id, count(*) as ratings from ratings group by microgenre_id
    )
    select m.id, m.name, m.family, m.energy || m.vocals || m.familiarity || m.mood as tags,
      coalesce(rated.ratings, 0)::int as ratings, m.live_song_count as songs
    from microgenres m left join rated on rated.microgenre_id = m.id`
  const named = new Map(rows.map((row) => [row.name, row]))
  const playable = rows.filter(({ songs }) => songs > 0)
  const average = playable.reduce((sum, { ratings, songs }) => sum + ratings / songs, 0) / playable.length
  const among = (...all: string[]) => everybody.filter((one) => all.every((id) => one.has(id))).length
  const words = ['no', 'one', 'two', 'three']

  function isTrue(name: string, reason: string, own: Set<string>): boolean {
    const it = named.get(name)
    if (!it) return false
    const [, from, to] = /^Listeners who banged in (.+) bang in (.+)$/.exec(reason) ?? []
    const other = named.get(from ?? '')
    if (other) {
      const both = among(other.id, it.id)
      const isMore = both * everybody.length > among(other.id) * among(it.id)
      return to === name && own.has(other.id) && both >= 10 && isMore
    }
    const fits = Object.values(QUESTIONNAIRE_ANSWERS).filter(
      (answer) => answer === 'both' || it.tags.includes(answer),
    ).length
    if (reason === 'Fits all four of your answers') return fits === 4
    if (reason.startsWith('Fits ')) return reason.split(' ')[1] === words[fits]
    const [, shared, like] = /^(.+), like (.+)$/.exec(reason) ?? []
    const likedByOthers = named.get(like ?? '')
    if (likedByOthers)
      return (shared ?? '')
        .toLowerCase()
        .split(/, | and /)
        .every((word) =>
          [it, likedByOthers].every(
            ({ tags, family }) => tags.includes(word) || family.toLowerCase() === word,
          ),
        )
    if (reason === 'Hardly explored yet') return it.ratings / it.songs <= average / 2
    return reason === 'Picked at random'
  }
  return { liked, isTrue }
}
