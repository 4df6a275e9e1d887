import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  type AccountAction,
  ADMIN_PAGE_SIZE,
  actOnAccount,
  clearLimit,
  createInvitation,
  deleteAnyAccount,
  listAccounts,
  listAuditLog,
  listJobs,
  listLimits,
  readAccountEmail,
  revokeInvitation,
} from '../../contract/admin.ts'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { listCases, listDecisions, undoDecision } from '../../contract/desk.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { listAccounts as findAccounts } from '../../server/admin/accounts.ts'
import { foldTexts } from '../../server/foldTexts.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { PLAIN_PRODUCTION, setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'

/* What operators see and do (accounts-1 and on), in production, where they are the people in DIAGNOSTIC_EMAILS. */

const OPERATOR = 'operator@example.test'
const COLLEAGUE = 'colleague@example.test'

const app = setUpApp()
const production = setUpService(() =>
  app.another({ ...PLAIN_PRODUCTION, DIAGNOSTIC_EMAILS: `${OPERATOR},${COLLEAGUE}` }),
)
let operator: Visitor & { id: string }
beforeAll(async () => {
  operator = await signInHere(OPERATOR)
})

/** A listener of the production server, signed in by a link of the development server. */
async function signInHere(email?: string) {
  const listener = await app.signIn(email)
  return { ...listener, ...listener.at(production.url) }
}

async function named(firstName: string, lastName: string | null = null) {
  const listener = await signInHere()
  await listener.call(updateProfile, { body: { firstName, lastName } })
  return listener
}

const act = (id: string, action: AccountAction, who: Visitor = operator) =>
  who.call(actOnAccount, { params: { id }, body: { action } })
const find = async (search: string) => (await operator.call(listAccounts, { query: { search } })).body
const acts = async () =>
  (await operator.call(listAuditLog)).body.map(({ by, isCommand, subject, label, action }) => ({
    by,
    isCommand,
    subject,
    label,
    action,
  }))
const ofOperator = () => ({ by: `Account ${operator.id}`, isCommand: false })

test('accounts-1: stewards and other listeners are no operators', async () => {
  const steward = await signInHere()
  await act(steward.id, 'steward')
  expect((await steward.at(app.url).call(listCases)).status).toBe(200)
  for (const endpoint of [listAccounts, listAuditLog, listJobs, listLimits])
    expect((await steward.call(endpoint)).status).toBe(403)
  expect((await act(operator.id, 'suspend', steward)).status).toBe(403)
})

test('accounts-2, accounts-3: an account shows what operators need, and its e-mail only in part', async () => {
  const ada = await named('Ada', 'Lovelace')
  const genre = await makeMicrogenre(app.db, 2)
  for (const song of genre.songs) await rate(ada, genre.id, song)
  await app.signIn(ada.email)
  await app.db`insert into identities (provider, subject, user_id) values
    ('google', ${randomUUID()}, ${ada.id}), ('oidc https://id.example', ${randomUUID()}, ${ada.id})`
  const [account] = await find(ada.email)
  expect(account).toEqual({
    id: ada.id,
    name: 'Ada Lovelace',
    email: expect.stringMatching(/^l…\d+@example\.test$/),
    createdAt: expect.any(String),
    lastSeenAt: expect.any(String),
    ratings: 2,
    sessions: 2,
    providers: ['google', 'oidc'],
    invitation: null,
    isSteward: false,
    isOperator: false,
    suspendedAt: null,
    isSuspendedBySteward: false,
  })
  expect(Date.parse(account?.lastSeenAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test('accounts-2: a search finds accounts by whole address, number and part of a name, private ones too', async () => {
  const bob = await named('Bob', 'Ünïque')
  const carol = await named('Carol', '100%_unique')
  const nameless = await signInHere()
  const ids = async (search: string) => (await find(search)).map(({ id }) => id)

  expect(await ids(` ${bob.email.toUpperCase()} `)).toEqual([bob.id])
  expect(await ids(bob.email.slice(0, -1))).toEqual([])
  expect(await ids('@example.test')).toEqual([])
  expect(await ids(nameless.id)).toEqual([nameless.id])
  expect(await ids(`Account ${nameless.id}`)).toEqual([nameless.id])
  expect(await ids('ob ün')).toEqual([bob.id])
  expect(await ids('NIQUE')).toEqual([carol.id, bob.id])
  expect(await ids('100%_')).toEqual([carol.id])
  expect(await ids('unïque')).toEqual([carol.id, bob.id])
  expect(await ids("'; drop table users")).toEqual([])
})

test('accounts-2: pages list the newest first, and a search has further pages', async () => {
  const count = ADMIN_PAGE_SIZE + 3
  await app.db`
    insert into users (first_name, last_name) select 'Paged', n::text from generate_series(1, ${count}::int) n`
  const first = await find('paged')
  const before = first.at(-1)?.id
  const second = (await operator.call(listAccounts, { query: { search: 'paged', before } })).body
  expect([...first, ...second].map(({ name }) => name)).toEqual(
    Array.from({ length: count }, (_, n) => `Paged ${count - n}`),
  )
  const all = (await operator.call(listAccounts)).body
  expect(all.slice(0, ADMIN_PAGE_SIZE)).toEqual(first)
})

test('accounts-2: a filter lists only suspended accounts, also within a search', async () => {
  const [first, second] = [await named('Sus', 'Pended'), await named('Sus', 'Pended')]
  await named('Sus', 'Free')
  const suspended = async (search: string) =>
    (await operator.call(listAccounts, { query: { search, only: 'suspended' } })).body.map(({ id }) => id)
  for (const { id } of [first, second]) await act(id, 'suspend')
  expect((await suspended('')).slice(0, 2)).toEqual([second.id, first.id])
  await act(second.id, 'restore')
  expect(await suspended('sus')).toEqual([first.id])
  expect(await suspended(first.email)).toEqual([first.id])
  expect(await suspended(second.email)).toEqual([])
})

test('accounts-2: with many accounts a rare name is found by its index', async () => {
  await app.db`
    insert into users (first_name, last_name) select 'Frequent', 'No ' || n from generate_series(1, 5000) n`
  await app.db`insert into users (first_name) values ('Zyxomma')`
  await app.db`insert into users (first_name) select 'Newer' from generate_series(1, 3000) n`
  await foldTexts(app.db)
  await app.db`vacuum analyze users`
  const search = (text: string) =>
    app.db.begin(async (tx) => {
      const before = await scans(tx)
      const accounts = await findAccounts(tx, { DIAGNOSTIC_EMAILS: [] }, { search: text, before: null })
      return { found: accounts.length, byIndex: (await scans(tx)) - before }
    })
  expect(await search('zyx')).toEqual({ found: 1, byIndex: 1 })
  expect(await search('newer')).toEqual({ found: ADMIN_PAGE_SIZE, byIndex: 0 })
})

/** How often this transaction has used the index of names. */
async function scans(tx: TestApp['db'] | Parameters<typeof findAccounts>[0]): Promise<number> {
  const [row] = await tx<{ scans: number }[]>`
    select coalesce(pg_stat_get_xact_numscans('users_folded_names'::regclass), 0)::int as scans`
  return row?.scans ?? 0
}

test('accounts-3, accounts-5: the audit trail names whoever sees a whole address', async () => {
  const dora = await named('Dora')
  const { body } = await operator.call(readAccountEmail, { params: { id: dora.id } })
  expect(body).toEqual({ email: dora.email })
  expect((await acts())[0]).toEqual({
    ...ofOperator(),
    subject: 'account',
    label: 'Dora',
    action: 'email',
  })
  expect((await operator.call(readAccountEmail, { params: { id: '999999999' } })).status).toBe(404)
})

test('accounts-3: an operator can see sixty addresses an hour', async () => {
  const [row] = await app.db<
    { id: string }[]
  >`insert into users (email) values ('limited@x.example') returning id`
  const see = () => operator.call(readAccountEmail, { params: { id: row?.id ?? '' } })
  await app.db`
    insert into limit_counters (key, count, expires_at) values (${`admin-email:${operator.id}`}, 59, now() + interval '1 hour')
    on conflict (key) do update set count = 59`
  expect((await see()).status).toBe(200)
  expect((await see()).status).toBe(429)
  await app.db`delete from limit_counters`
})

test('accounts-4: a suspension signs out and blocks sign-in until it ends, and repeating it changes nothing', async () => {
  const eve = await named('Eve')
  const [suspended, again] = [await act(eve.id, 'suspend'), await act(eve.id, 'suspend')]
  expect(suspended.body).toMatchObject({ id: eve.id, sessions: 0, suspendedAt: expect.any(String) })
  expect(again.body).toEqual(suspended.body)
  expect((await eve.call(getCurrentUser)).status).toBe(401)
  expect((await act(eve.id, 'restore')).body.suspendedAt).toBeNull()
  expect((await app.signIn(eve.email)).id).toBe(eve.id)
  expect((await acts()).slice(0, 2).map(({ label, action }) => [label, action])).toEqual([
    ['Eve', 'restore'],
    ['Eve', 'suspend'],
  ])
})

test('accounts-4: signing out everywhere ends every session at once, and the listener can come back', async () => {
  const fay = await named('Fay')
  const other = (await app.signIn(fay.email)).at(production.url)
  expect((await fay.call(getCurrentUser)).status).toBe(200)
  expect((await act(fay.id, 'sign-out')).body.sessions).toBe(0)
  for (const browser of [fay, other]) expect((await browser.call(getCurrentUser)).status).toBe(401)
  expect((await app.signIn(fay.email)).id).toBe(fay.id)
})

test('accounts-4: a steward is appointed and dismissed', async () => {
  const gus = await signInHere()
  expect((await act(gus.id, 'steward')).body.isSteward).toBe(true)
  expect((await gus.call(listCases)).status).toBe(200)
  expect((await act(gus.id, 'unsteward')).body.isSteward).toBe(false)
  expect((await gus.call(listCases)).status).toBe(403)
})

test('accounts-4: operators can lock out neither themselves nor each other', async () => {
  const colleague = await signInHere(COLLEAGUE)
  const before = await acts()
  for (const id of [operator.id, colleague.id]) {
    for (const action of ['suspend', 'sign-out'] as const) expect((await act(id, action)).status).toBe(409)
    const body = { confirmation: `Account ${id}` }
    expect((await operator.call(deleteAnyAccount, { params: { id }, body })).status).toBe(409)
  }
  expect((await colleague.call(getCurrentUser)).status).toBe(200)
  expect((await find(COLLEAGUE))[0]?.isOperator).toBe(true)
  expect(await acts()).toEqual(before)
  expect((await act('999999999', 'suspend')).status).toBe(404)
})

test('accounts-4, people-18: deletion requires the name, and leaves as little as deletion by the listener', async () => {
  const hal = await named('Hal', 'Nine')
  const genre = await makeMicrogenre(app.db, 3)
  for (const song of genre.songs) await rate(hal, genre.id, song)
  await act(hal.id, 'steward')
  const remove = (confirmation: string) =>
    operator.call(deleteAnyAccount, { params: { id: hal.id }, body: { confirmation } })
  expect((await remove('Hal')).status).toBe(400)
  expect((await remove(hal.email)).status).toBe(400)
  expect((await hal.call(getCurrentUser)).status).toBe(200)
  expect((await remove(' hal NINE ')).body).toEqual({ success: true })
  expect((await remove('Hal Nine')).status).toBe(404)
  expect((await hal.call(getCurrentUser)).status).toBe(401)
  expect(await find('hal nine')).toEqual([])
  await expectRecount(app.db)
  const trail = (await acts()).slice(0, 2)
  expect(trail).toEqual(
    ['delete', 'steward'].map((action) => ({
      ...ofOperator(),
      subject: 'account',
      label: 'A deleted account',
      action,
    })),
  )
  expect(JSON.stringify(await app.db`select decisions::text as row from decisions`)).not.toMatch(
    new RegExp(`Hal|\\b${hal.id}\\b`),
  )
})

test('accounts-4: of two operators who delete at once, one succeeds, and the other gets a message', async () => {
  const ida = await named('Ida')
  const colleague = await signInHere(COLLEAGUE)
  const answers = await Promise.all(
    [operator, colleague].map((who) =>
      who.call(deleteAnyAccount, { params: { id: ida.id }, body: { confirmation: 'Ida' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await acts()).filter(({ action }) => action === 'delete')).toHaveLength(2)
})

test('accounts-4: suspending and signing in at once leave no session', async () => {
  for (let n = 0; n < 5; n++) {
    const jo = await signInHere()
    await Promise.all([act(jo.id, 'suspend'), app.signIn(jo.email).catch(() => null)])
    const remainingSessions = await app.db`select from sessions where user_id = ${jo.id}`
    expect(remainingSessions).toHaveLength(0)
  }
})

test('accounts-5, desk-18: the desk neither shows nor undoes the actions of operators', async () => {
  const kim = await named('Kim')
  await act(kim.id, 'suspend')
  const { body: invitation } = await operator.call(createInvitation, {
    body: { days: 1, uses: 1, note: 'Desk' },
  })
  await operator.call(revokeInvitation, { params: { id: invitation.id } })
  expect((await acts()).slice(0, 3).map(({ subject, label, action }) => [subject, label, action])).toEqual([
    ['invitation', 'Desk', 'revoke'],
    ['invitation', 'Desk', 'invite'],
    ['account', 'Kim', 'suspend'],
  ])
  const [last] = (await operator.call(listAuditLog)).body
  expect((await operator.call(listDecisions)).body).toEqual([])
  expect((await operator.call(undoDecision, { params: { id: last?.id ?? '' } })).status).toBe(404)
  const { body: older } = await operator.call(listAuditLog, { query: { before: last?.id } })
  expect(older[0]?.action).toBe('invite')
})

test('accounts-6: with a key, the number of YouTube searches used today is shown', async () => {
  await app.db`
    insert into provider_quotas (provider, day, used)
    select 'youtube-search', (now() at time zone 'America/Los_Angeles')::date - age, 37 - age
    from generate_series(0, 1) age`
  const { url } = await app.another({ DIAGNOSTIC_EMAILS: OPERATOR, YOUTUBE_API_KEY: 'key' })
  const { searches } = (await operator.at(url).call(listLimits)).body
  expect(searches).toEqual({ used: 37, max: 100 })
})

test('accounts-6: limits are listed with who reached them, and a cleared limit starts again', async () => {
  await app.db`delete from limit_counters`
  const leo = await named('Leo')
  const email = 'somebody@example.org'
  const reachLimit = (key: string, count: number) => app.db`
    insert into limit_counters (key, count, expires_at) values (${key}, ${count}, now() + interval '10 minutes')`
  await reachLimit(`preview:${leo.id}`, 120)
  await reachLimit(`collections:${leo.id}`, 99)
  await reachLimit(`magic-link-address:127.0.0.1:${email}`, 7)
  await reachLimit('magic-link-ip:203.0.113.77', 20)
  await reachLimit('message-network:2001:db8:1:2::/64', 5)
  await reachLimit(`complete-upload:${leo.id}`, 1_000_000)
  const { limits, quotas, reached, searches } = (await operator.call(listLimits)).body
  expect(searches).toBeNull()
  expect(limits).toContainEqual({
    name: 'magic-link-address',
    counts: 'sign-in links',
    per: 'address',
    max: 5,
    seconds: 900,
  })
  expect(quotas.suggestions).toBe(20)
  const reachedLimits = reached.map(({ counts, who, used, max }) => ({ counts, who, used, max }))
  expect(reachedLimits).toHaveLength(4)
  expect(reachedLimits).toEqual(
    expect.arrayContaining([
      { counts: 'previews', who: 'Leo', used: 120, max: 120 },
      { counts: 'sign-in links', who: 's…y@example.org', used: 7, max: 5 },
      { counts: 'sign-in links', who: '203.0.113.…', used: 20, max: 20 },
      { counts: 'messages from the privacy page', who: '2001:db8:…', used: 5, max: 5 },
    ]),
  )
  const requestLink = () => app.visitor().call(sendMagicLink, { body: { email } })
  expect((await requestLink()).status).toBe(429)
  const limit = reached.find(({ who }) => who.startsWith('s…y'))?.id ?? ''
  const clearReachedLimit = () => operator.call(clearLimit, { params: { limit } })
  expect((await clearReachedLimit()).body).toEqual({ success: true })
  expect((await clearReachedLimit()).status).toBe(404)
  expect((await requestLink()).status).toBe(200)
  expect((await acts())[0]).toEqual({
    ...ofOperator(),
    subject: 'limit',
    label: 'sign-in links (s…y@example.org)',
    action: 'clear',
  })
  const preview = reached.find(({ who }) => who === 'Leo')?.id ?? ''
  await operator.call(clearLimit, { params: { limit: preview } })
  await leo.call(deleteAccount, { body: { confirmation: leo.email } })
  expect((await acts())[0]?.label).toBe('A deleted account')
})
