import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { listRatings, removeRating } from '../../contract/library.ts'
import { deleteAccount, follow, unfollow } from '../../contract/profiles.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { removeFollows } from '../../server/profiles/deleteAccount.ts'
import {
  type MadeMicrogenre,
  makeMicrogenre,
  nextSong,
  prefetchSongs,
  rate,
  rateOn,
  streakOf,
} from '../factories.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { scaled } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

/** Rounds of each race, shared by listeners who race at the same time. */
const ROUNDS = scaled(20, 200)
const LISTENERS = 10

const app = setUpApp()
const other = setUpService(() => app.another())
let rolling: Promise<void>
let isDone = false

// Totals are rolled up meanwhile, as in production.
beforeEach(() => {
  isDone = false
  rolling = (async () => {
    while (!isDone) {
      await rollUp(app.db)
      await wait(20)
    }
  })()
})
afterEach(async () => {
  isDone = true
  await rolling
  await expectRecount(app.db)
  await removeFollows(app.db)
  expect(await wrongCounts()).toEqual([])
  expect(
    await app.db`
      select from follows f where not exists (select from users u where u.id = f.follower_id)
        or not exists (select from users u where u.id = f.followed_id)`,
  ).toEqual([])
  expect(app.errors).toEqual([])
  expect(other.errors).toEqual([])
})

test('two tabs give one song the same rating', async () => {
  await race(3, async ({ one, two, genre }) => {
    const song = (await nextSong(one, genre.id))?.id ?? ''
    const answers = await Promise.all([rate(one, genre.id, song), rate(two, genre.id, song)])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    // The other listeners of the race rate the song meanwhile.
    const [first, second] = answers.map(({ body: { listeners, room, ...rest } }) => rest)
    expect(first).toEqual(second)
    const ratings = (await one.call(listRatings)).body.filter(({ id }) => id === song)
    expect(ratings).toHaveLength(1)
    if (answers[0].body.completed) await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('two tabs give one song opposite ratings', async () => {
  await race(3, async ({ one, two, genre, id }) => {
    const song = (await nextSong(one, genre.id))?.id ?? ''
    const before = await streakOf(app.db, id)
    const answers = await Promise.all([
      rate(one, genre.id, song, 'banger'),
      rate(two, genre.id, song, 'bust'),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0].body.nextSong).toEqual(answers[1].body.nextSong)
    expect((await streakOf(app.db, id)) - before).toBe(1)
    if (answers[0].body.completed) await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('two tabs rate the last two songs: exactly one response says completed', async () => {
  await race(2, async ({ one, two, genre }) => {
    const [first = '', second = ''] = genre.songs
    const answers = await Promise.all([rate(one, genre.id, first), rate(two, genre.id, second)])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.filter(({ body }) => body.completed)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.nextSong === null)).toHaveLength(1)
    expect(await nextSong(one, genre.id)).toBeNull()
    await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('a rating races a restart', async () => {
  await race(4, async ({ one, two, genre, id }) => {
    const song = (await nextSong(one, genre.id))?.id ?? ''
    const [rated, restarted] = await Promise.all([
      rate(one, genre.id, song),
      two.call(restartMicrogenre, { params: { id: genre.id } }),
    ])

    expect([rated.status, restarted.status]).toEqual([200, 200])
    // In either order, the pass's remaining and rated songs are all songs, once each.
    const inPass = await isRatedInPass(id, genre.id, song)
    expect([...(await rateOn(one, genre.id)), ...(inPass ? [song] : [])].sort()).toEqual(
      [...genre.songs].sort(),
    )
    await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('a rating races an undo of the song before', async () => {
  await race(6, async ({ one, two, genre }) => {
    const before = (await nextSong(one, genre.id))?.id ?? ''
    const song = (await rate(one, genre.id, before)).body.nextSong?.id ?? ''
    const [rated, undone] = await Promise.all([
      rate(one, genre.id, song, 'bust'),
      two.call(removeRating, { params: { songId: before }, query: { undo: 'true' } }),
    ])

    expect([rated.status, undone.status]).toEqual([200, 200])
    expect((await nextSong(one, genre.id))?.id).toBe(before)
    expect(await rateOn(one, genre.id)).toHaveLength(genre.songs.length - 1)
    await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('a rating races an undo of the same song', async () => {
  await race(3, async ({ one, two, genre }) => {
    const song = (await nextSong(one, genre.id))?.id ?? ''
    await rate(one, genre.id, song, 'banger')
    const [rated, undone, twice] = await Promise.all([
      rate(one, genre.id, song, 'bust'),
      two.call(removeRating, { params: { songId: song }, query: { undo: 'true' } }),
      two.call(removeRating, { params: { songId: song }, query: { undo: 'true' } }),
    ])

    expect(rated.status).toBe(200)
    expect([200, 404]).toContain(undone.status)
    expect([200, 404]).toContain(twice.status)
    await rateOn(one, genre.id)
    await one.call(restartMicrogenre, { params: { id: genre.id } })
  })
})

test('two tabs begin a microgenre and get the same order', async () => {
  const listeners = await signInTwice()
  await Promise.all(
    listeners.map(async ({ one, two }) => {
      for (let round = 0; round < ROUNDS / LISTENERS; round++) {
        const genre = await makeMicrogenre(app.db, 3)
        const [, , rated] = await Promise.all([
          prefetchSongs(one, genre.id),
          prefetchSongs(two, genre.id),
          rate(two, genre.id, genre.songs[0] ?? ''),
        ])
        expect(rated.status).toBe(200)
        const rest = await rateOn(one, genre.id)
        expect([genre.songs[0], ...rest].sort()).toEqual([...genre.songs].sort())
      }
    }),
  )
})

test('listeners follow and unfollow one another, and counts equal the rows', async () => {
  const listeners = await signInTwice()
  await app.db`update users set is_public = true`
  const statuses = await Promise.all(
    Array.from({ length: ROUNDS * 2 }, (_, i) => {
      const from = listeners[i % LISTENERS]
      const to = listeners[(i * 7 + 3) % LISTENERS]
      if (!from || !to || from.id === to.id) return 200
      return from.one.call(i % 3 ? follow : unfollow, { params: { id: to.id } }).then(({ status }) => status)
    }),
  )

  expect([...new Set(statuses)]).toEqual([200])
})

test('following somebody who deletes their account at the same time answers 200 or 404', async () => {
  for (let round = 0; round < 5; round++) {
    const [leaver, ...fans] = await signInPublic(5)
    if (!leaver) return
    const [firstRejected, ...followed] = await Promise.all([
      deleteOwnAccount(leaver),
      ...fans.map((fan) => fan.at(other.url).call(follow, { params: { id: leaver.id } })),
    ])

    expect(firstRejected).toBe(200)
    for (const { status } of followed) expect([200, 404]).toContain(status)
  }
})

test('following in one tab while another deletes the account answers 200 or 401', async () => {
  for (let round = 0; round < 5; round++) {
    const [leaver, ...stars] = await signInPublic(5)
    if (!leaver) return
    const tab = leaver.at(other.url)
    const [firstRejected, ...followed] = await Promise.all([
      deleteOwnAccount(leaver),
      ...stars.map((star) => tab.call(follow, { params: { id: star.id } })),
    ])

    expect(firstRejected).toBe(200)
    for (const { status } of followed) expect([200, 401]).toContain(status)
  }
})

test('eight people who follow one another delete their accounts at once, while others follow and unfollow them', async () => {
  for (let round = 0; round < 2; round++) {
    const people = await signInPublic(8)
    const [fan] = await signInPublic(1)
    for (const person of people)
      for (const { id } of people) if (id !== person.id) await person.call(follow, { params: { id } })
    const meanwhile = people.flatMap(({ id }, i) => [
      fan?.call(i % 2 ? follow : unfollow, { params: { id } }),
      people[0]?.at(other.url).call(i % 2 ? unfollow : follow, { params: { id } }),
    ])
    const firstRejected = await Promise.all(people.map(deleteOwnAccount))
    const statuses = (await Promise.all(meanwhile)).map((answer) => answer?.status)

    expect(firstRejected).toEqual(people.map(() => 200))
    for (const status of statuses) expect([200, 400, 401, 404]).toContain(status)
  }
})

type Person = Awaited<ReturnType<TestApp['signIn']>>

async function signInPublic(count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await app.signIn())
  await app.db`update users set is_public = true where id = any(${people.map(({ id }) => id)}::bigint[])`
  return people
}

async function deleteOwnAccount(person: Person): Promise<number> {
  return (await person.call(deleteAccount, { body: { confirmation: person.email } })).status
}

interface Tabs {
  id: string
  /** Two tabs of one listener, on two server processes. */
  one: Visitor
  two: Visitor
}

async function signInTwice(): Promise<Tabs[]> {
  const tabs: Tabs[] = []
  for (let i = 0; i < LISTENERS; i++) {
    const one = await app.signIn()
    tabs.push({ id: one.id, one, two: one.at(other.url) })
  }
  return tabs
}

async function race(
  songs: number,
  round: (tabs: Tabs & { genre: MadeMicrogenre }) => Promise<void>,
): Promise<void> {
  const genre = await makeMicrogenre(app.db, songs)
  await Promise.all(
    (await signInTwice()).map(async (tabs) => {
      for (let i = 0; i < ROUNDS / LISTENERS; i++) await round({ ...tabs, genre })
    }),
  )
}

async function isRatedInPass(listener: string, genre: string, song: string): Promise<boolean> {
  const rows = await app.db`
    select from ratings r join listener_genres g using (user_id, microgenre_id, pass)
    where r.user_id = ${listener} and r.microgenre_id = ${genre} and r.song_id = ${song}`
  return rows.length > 0
}

function wrongCounts() {
  return app.db`
    select from follow_counts c full join (
      select user_id, sum(followers) as followers, sum(following) as following from (
        select followed_id as user_id, 1 as followers, 0 as following from follows
        union all select follower_id, 0, 1 from follows) one
      group by user_id) f on f.user_id = c.user_id
    where (c.followers, c.following) is distinct from (f.followers, f.following)`
}
