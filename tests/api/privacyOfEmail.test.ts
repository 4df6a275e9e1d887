import { beforeAll, expect, test } from 'vitest'
import { listAchievements } from '../../contract/achievements.ts'
import { readAccountEmail } from '../../contract/admin.ts'
import { sendMagicLink } from '../../contract/auth.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listFeedback, sendFeedback } from '../../contract/feedback.ts'
import { createMix } from '../../contract/mixes.ts'
import { savePreferences } from '../../contract/onboarding.ts'
import {
  follow,
  getProfile,
  listFollowers,
  listFollowing,
  listPublicUsers,
  updateProfile,
} from '../../contract/profiles.ts'
import { shareAchievement } from '../../contract/sharing.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { describeSharePage } from '../../server/sharing/sharePage.ts'
import { type MadeMicrogenre, makeMicrogenre, rate, rateOn } from '../factories.ts'
import { CALLS, send } from '../harness/calls.ts'
import { makeOwnerFixture, type OwnerFixture, QUESTIONNAIRE_ANSWERS } from '../harness/ownerFixture.ts'
import { readContract } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { pathOf } from '../harness/visitor.ts'
import { startOutside } from '../stand-ins/outside.ts'

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env, { callsPerMinute: Number.MAX_SAFE_INTEGER })
/** Pictures hold no text. */
const endpoints = (await readContract()).filter(({ path }) => !path.endsWith('.png'))

let genre: MadeMicrogenre
let people: Person[]
let follower: Follower
let fixture: OwnerFixture

beforeAll(async () => {
  genre = await makeMicrogenre(app.db, 12)
  people = [
    await makePerson('shown', { isPublic: true, showEmail: true }),
    await makePerson('hidden', { isPublic: true }),
    // Shows the address, but the profile is private now.
    await makePerson('private', { isPublic: false, showEmail: true }),
  ]
  follower = await makeFollower()
  fixture = await makeOwnerFixture(app)
  await rollUp(app.db)
})

/** The calls that may contain an address that its owner shows (people-3, people-27). */
const PROFILE_CALLS = [getProfile, listPublicUsers, listFollowers, listFollowing].map(nameOf)

/**
 * Operators read them: a message contains the address that its writer gave (diagnostics-22), and an address that an
 * operator opens is recorded (accounts-3).
 */
const OPERATOR_CALLS = [listFeedback, readAccountEmail].map(nameOf)

// Covers every call of the contract, future ones too: QUERIES and harness/calls.ts have the input for a response.
test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s reveals no address of another listener, unless its owner shows it, wrote it to the operator or an operator opens it (people-3)',
  async (name, endpoint) => {
    const revealed = new Set<string>()
    let successCount = 0
    const eve = CALLS[name]?.consumes ? await makeFollower() : follower
    const input = (await CALLS[name]?.input?.({ ...fixture, genre, owner: eve })) ?? {}
    for (const person of people) {
      for (const path of pathsOf(endpoint, person, eve.ids)) {
        // Actions of operators on accounts would change these people.
        const body = endpoint.access === 'diagnostics' ? {} : (input.body ?? {})
        const json = endpoint.body ? body : undefined
        for (const caller of [eve, app.visitor()]) {
          const answer = await caller.raw(path, { method: endpoint.method, json })
          if (answer.status < 400) successCount++
          if (holdsAddress(answer, person)) revealed.add(person.name)
        }
      }
    }

    // Calls that need more than a body are made by their owner.
    if (successCount === 0) {
      const answer = await send(eve, endpoint, input)
      if (answer.status === (CALLS[name]?.ownerStatus ?? 200)) successCount++
      for (const person of people) if (holdsAddress(answer, person)) revealed.add(person.name)
    }

    const mayReveal = people.filter((person) =>
      OPERATOR_CALLS.includes(name) ? true : PROFILE_CALLS.includes(name) && person.name === 'shown',
    )
    expect([...revealed]).toEqual(mayReveal.map((person) => person.name))
    if (endpoint.access === 'public' || endpoint.access === 'signed-in') {
      expect(
        successCount,
        'answers; when there is none, QUERIES or harness/calls.ts lacks something',
      ).toBeGreaterThan(0)
    }
  },
)

test('a hidden address cannot be found by searching, whole or in parts', async () => {
  const finds = async (search: string) =>
    (await follower.call(listPublicUsers, { query: { search } })).body.map(({ id }) => id)

  for (const { name, id, email } of people) {
    const expected = name === 'shown' ? [id] : []
    for (const search of [email, `${name}-address`, `${name}-address-7f3a@priv`]) {
      expect([search, await finds(search)]).toEqual([search, expected])
    }
  }
})

test('the documents of shared pages contain no address, not even one that its owner shows elsewhere (sharing-16)', async () => {
  const pages = people.flatMap((person) => person.sharePaths.map((path) => ({ person, path })))
  expect(pages.length).toBeGreaterThan(people.length)
  for (const { person, path } of pages) {
    const page = await describeSharePage(app.db, readEnv({}), path, NO_FRAMES)

    expect(JSON.stringify(page)).toContain(`Name of ${person.name}`)
    expect(holdsAddress(page, person)).toBe(false)
  }
})

/** Queries that give a call a response. */
const QUERIES: Record<string, (person: Person) => { [name: string]: string | undefined }[]> = {
  'GET /api/users/discover': ({ name }) => [{}, { search: `name of ${name}` }, { search: `${name}-address` }],
  'GET /sign-in/link': ({ linkToken }) => [{}, { token: linkToken }],
  'GET /api/microgenres/:id/next-song': () => [{}, { prefetch: 'true' }],
  'GET /api/questionnaire/recommendations': () => [QUESTIONNAIRE_ANSWERS],
  'GET /api/music/search': () => [{ artist: 'Artist', title: 'Song' }],
  'GET /api/users/me/bangers/export': () => [{ form: 'csv' }, { form: 'jspf' }],
  'GET /api/users/me/export': () => ['json', 'csv', 'jspf'].map((format) => ({ format })),
}

type Follower = Awaited<ReturnType<typeof makeFollower>>

interface Person {
  name: string
  id: string
  email: string
  /** Ids of the person, of a public listener who follows and is followed by the person, and of what the person owns. */
  ids: string[]
  shareTokens: string[]
  sharePaths: string[]
  /** The token of an unused sign-in link sent to the person. */
  linkToken: string
}

/** A listener with everything that a listener can have, so that no response is empty. */
async function makePerson(
  name: string,
  { isPublic, showEmail }: { isPublic: boolean; showEmail?: boolean },
): Promise<Person> {
  const ada = await app.signIn(`${name}-address-7f3a@privacy.example.test`)
  const firstName = `Name of ${name}`
  await ada.call(updateProfile, { body: { isPublic: true, firstName, bio: 'Dub, mostly.' } })
  await rateOn(ada, genre.id)
  await ada.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS })
  await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hello' } })
  const { id } = (await ada.call(createCollection, { body: { name: 'Late', isPublic: true } })).body
  await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
  const collection = (await ada.call(shareCollection, { params: { id } })).body.shareToken
  const master = (await ada.call(listAchievements)).body.find(({ type }) => type === 'microgenre_master')
  if (!master) throw new Error('Twelve bangers make a master.')
  const achievement = (await ada.call(shareAchievement, { params: { id: master.id } })).body.shareToken
  const mixBody = { name: 'Early', songIds: genre.songs.slice(0, 1), isPublic: true }
  const mix = (await ada.call(createMix, { body: mixBody })).body
  const fan = await app.signIn()
  await fan.call(updateProfile, { body: { isPublic: true } })
  await fan.call(follow, { params: { id: ada.id } })
  await ada.call(follow, { params: { id: fan.id } })
  const sent = await ada.call(sendMagicLink, { body: { email: ada.email } })
  await ada.call(updateProfile, { body: { isPublic, showEmail: showEmail ?? false } })
  return {
    name,
    id: ada.id,
    email: ada.email,
    ids: [ada.id, fan.id, id, master.id, mix.id],
    shareTokens: [collection, achievement, mix.shareToken ?? ''],
    sharePaths: [
      `/share/collection/${collection}`,
      `/share/achievement/${achievement}`,
      `/share/mix/${mix.shareToken}`,
    ],
    linkToken: new URL(sent.body.magicLink ?? '').searchParams.get('token') ?? '',
  }
}

/** Another listener, who followed them all while they were public, and has some of everything. */
async function makeFollower() {
  const eve = await app.signIn()
  const followed = people.map(({ id }) => id)
  await app.db`insert into follows (follower_id, followed_id) select ${eve.id}, unnest(${followed}::bigint[])`
  await rate(eve, genre.id, genre.songs[0] ?? '')
  await rate(eve, genre.id, genre.songs[1] ?? '')
  const mixBody = { name: 'Mine', songIds: genre.songs.slice(0, 1), isPublic: true }
  const mix = (await eve.call(createMix, { body: mixBody })).body
  const collection = (await eve.call(createCollection, { body: { name: 'Mine', isPublic: true } })).body
  const achievements = (await eve.call(listAchievements)).body
  return { ...eve, ids: [collection.id, mix.id, ...achievements.map(({ id }) => id)] }
}

/** The paths of a call with each id that fits, and with each query. */
function pathsOf(endpoint: Endpoint, person: Person, own: string[]): string[] {
  const queries = QUERIES[nameOf(endpoint)]?.(person) ?? [{}]
  const values: Record<string, string[]> = {
    id: [...person.ids, ...own, genre.id],
    songId: [genre.songs[1] ?? ''],
    shareToken: person.shareTokens,
  }
  const [, param] = /:(\w+)/.exec(endpoint.path) ?? []
  const paths = param
    ? (values[param] ?? [...person.ids, ...person.shareTokens]).map((value) =>
        endpoint.path.replace(/:\w+/g, value),
      )
    : [endpoint.path]
  return paths.flatMap((path) => queries.map((query) => pathOf({ ...endpoint, path }, { query })))
}

/** Searches for the part before the @, to find an address in every spelling of the sign. */
const holdsAddress = (answer: unknown, { name }: Person) =>
  JSON.stringify(answer).toLowerCase().includes(`${name}-address-7f3a`)

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}
