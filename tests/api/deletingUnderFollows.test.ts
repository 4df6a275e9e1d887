import { afterEach, beforeAll, expect, test } from 'vitest'
import { deleteAccount, follow, unfollow } from '../../contract/profiles.ts'
import { expectRecount } from '../harness/recount.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'

const ROUNDS = 5

const app = setUpApp()
let other: TestApp
beforeAll(async () => {
  other = await app.another()
})
afterEach(async () => {
  expect(await wrongCounts()).toEqual([])
  await expectRecount(app.db)
  expect([...app.errors, ...other.errors]).toEqual([])
})

type Person = Awaited<ReturnType<TestApp['signIn']>>

test('following somebody who deletes their account at the same time answers 200 or 404', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [leaving, ...fans] = await signInPublic(5)
    if (!leaving) return
    const [gone, ...followed] = await Promise.all([
      leave(leaving),
      ...fans.map((fan) => fan.at(other.url).call(follow, { params: { id: leaving.id } })),
    ])

    expect(gone).toBe(200)
    for (const { status } of followed) expect([200, 404]).toContain(status)
  }
})

test('following in one tab while another deletes the account answers 200 or 401', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [leaving, ...stars] = await signInPublic(5)
    if (!leaving) return
    const tab = leaving.at(other.url)
    const [gone, ...followed] = await Promise.all([
      leave(leaving),
      ...stars.map((star) => tab.call(follow, { params: { id: star.id } })),
    ])

    expect(gone).toBe(200)
    for (const { status } of followed) expect([200, 401]).toContain(status)
  }
})

test('eight people who follow one another delete their accounts at once, while others follow and unfollow them', async () => {
  for (let round = 0; round < 2; round++) {
    const people = await signInPublic(8)
    const [fan] = await signInPublic(1)
    for (const person of people) await followAll(person, people)
    const meanwhile = people.flatMap(({ id }, i) => [
      fan?.call(i % 2 ? follow : unfollow, { params: { id } }),
      people[0]?.at(other.url).call(i % 2 ? unfollow : follow, { params: { id } }),
    ])
    const gone = await Promise.all(people.map(leave))
    const statuses = (await Promise.all(meanwhile)).map((answer) => answer?.status)

    expect(gone).toEqual(people.map(() => 200))
    for (const status of statuses) expect([200, 400, 401, 404]).toContain(status)
  }
})

async function signInPublic(count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await app.signIn())
  await app.db`update users set is_public = true where id = any(${people.map(({ id }) => id)}::bigint[])`
  return people
}

async function followAll(person: Person, people: Person[]): Promise<void> {
  for (const { id } of people) if (id !== person.id) await person.call(follow, { params: { id } })
}

async function leave(person: Person): Promise<number> {
  return (await person.call(deleteAccount, { body: { confirmation: person.email } })).status
}

function wrongCounts() {
  return app.db`
    select u.id from users u
    where u.follower_count <> (select count(*) from follows f where f.followed_id = u.id)
       or u.following_count <> (select count(*) from follows f where f.follower_id = u.id)`
}
