import diagnostics from 'node:diagnostics_channel'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { contactOperator } from '../../contract/feedback.ts'
import { sweepLinks } from '../../server/auth/magicLink.ts'
import { createSession, sweepSessions } from '../../server/auth/sessions.ts'
import { claimOnce, sweepLimits } from '../../server/http/limits/limits.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { visitorAt } from '../harness/visitor.ts'

const CALLS = 30
/** Each server has its own counts. */
const app = setUpApp({}, { callsPerMinute: CALLS })
const TOO_MANY = { message: 'Too many requests. Please wait a moment.' }

test('limits-1: requests with made-up sessions count for their network', async () => {
  const server = await app.another()
  const statuses: number[] = []
  for (let i = 0; i < CALLS; i++) {
    const someone = visitorAt(server.url, new Map([['session', `made-up-${i}`.padEnd(43, 'x')]]))
    statuses.push((await someone.call(getCurrentUser)).status)
  }
  const another = visitorAt(server.url, new Map([['session', 'one-more']]))
  const { status, body, headers } = await another.call(getCurrentUser)

  expect(new Set(statuses)).toEqual(new Set([401]))
  expect({ status, body }).toEqual({ status: 429, body: TOO_MANY })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)

  // A person who opens an address gets a page.
  const page = await another.raw('/api/auth/google', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(page).toMatchObject({ status: 429, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(page.text).toContain(`<p>${TOO_MANY.message}</p>`)
})

test('a listener has one count over all sessions, unaffected by others on the network', async () => {
  const ada = await app.signIn('ada@example.test')
  const phone = await app.signIn('ada@example.test')
  const server = await app.another()
  const [desk, hand] = [ada.at(server.url), phone.at(server.url)]
  for (const each of [desk, hand]) expect((await each.call(getCurrentUser)).status).toBe(200)
  for (let i = 0; i < CALLS; i++) await visitorAt(server.url).call(getCurrentUser)
  expect((await visitorAt(server.url).call(getCurrentUser)).status).toBe(429)

  for (let i = 0; i < CALLS; i++) expect((await (i % 2 ? desk : hand).call(getCurrentUser)).status).toBe(200)
  expect((await desk.call(getCurrentUser)).status).toBe(429)
  expect((await hand.call(getCurrentUser)).status).toBe(429)
})

test('first visits of many listeners do not use up the limit of their network', async () => {
  const server = await app.another()
  for (let i = 0; i < CALLS * 2; i++) {
    const [user] = await app.db<{ id: string }[]>`
      insert into users (email) values (${`neighbour-${i}@example.test`}) returning id`
    const cookies = new Map([['session', (await createSession(app.db, user?.id ?? '', null)) ?? '']])
    expect((await visitorAt(server.url, cookies).call(getCurrentUser)).status).toBe(200)
  }
})

test('an expired session counts for its network again', async () => {
  const ada = await app.signIn()
  const server = await app.another()
  const atServer = ada.at(server.url)
  await atServer.call(getCurrentUser)
  for (let i = 0; i < CALLS; i++) await visitorAt(server.url).call(getCurrentUser)
  const copiedCookies = new Map(ada.cookies)
  await atServer.raw('/api/logout')

  expect((await visitorAt(server.url, copiedCookies).call(getCurrentUser)).status).toBe(429)
})

test('a rejected call has no effect', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const server = await app.another()
  const atServer = ada.at(server.url)
  for (let i = 0; i < CALLS + 1; i++) await atServer.call(getCurrentUser)
  const { status, body } = await atServer.call(rateAndAdvance, {
    body: { microgenreId: genre.id, songId: genre.songs[0] ?? '', rating: 'banger' },
  })

  expect({ status, body }).toEqual({ status: 429, body: TOO_MANY })
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
})

test('X-Forwarded-For counts with TRUST_PROXY only, and IPv6 by its /64', async () => {
  const direct = await app.another()
  const proxied = await app.another({ TRUST_PROXY: '1' })
  const from = async (server: { url: string }, address: string) =>
    (await visitorAt(server.url).raw(getCurrentUser.path, { headers: { 'x-forwarded-for': address } })).status
  for (let i = 0; i < CALLS; i++) {
    await from(direct, `203.0.113.${i}`)
    // The client's claim comes first, the address that the proxy saw last.
    await from(proxied, `203.0.113.${i}, 2001:db8:1:2::${i.toString(16)}`)
  }

  expect(await from(direct, '203.0.113.99')).toBe(429)
  expect(await from(proxied, '2001:db8:1:2:ffff::1')).toBe(429)
  expect(await from(proxied, '2001:db8:1:3::1')).toBe(401)
  expect(await from(proxied, '203.0.113.99')).toBe(401)
})

test('limits-1: an IPv6 /56 has as many calls as four networks, and uses up none of its neighbours', async () => {
  const { url } = await app.another({ TRUST_PROXY: '1' })
  const from = async (address: string) =>
    (await visitorAt(url).raw(getCurrentUser.path, { headers: { 'x-forwarded-for': address } })).status
  for (let n = 0; n < CALLS * 2; n++) await from('2001:db8:1:1::1')
  for (let n = 0; n < CALLS * 3; n++) expect(await from(`2001:db8:1:${(n + 2).toString(16)}::1`)).toBe(401)

  expect(await from('2001:db8:1:ff::1')).toBe(429)
  for (let n = 1; n < 7; n++) {
    for (let k = 0; k < 4; k++) expect(await from(`2001:db8:1:${n}0${k}::1`)).toBe(401)
  }
})

test('limits-1: the pages of the API and sockets count, too', async () => {
  const server = await app.another({ COMPANION_URL: 'http://127.0.0.1:9' })
  const firstAnswer = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' }
      http
        .get(`${server.url}/companion/api/token`, { headers, agent: false }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode))
        })
        .on('error', reject)
    })
  for (let n = 0; n < CALLS / 2; n++) {
    expect((await visitorAt(server.url).raw('/docs/json')).status).toBe(200)
    expect(await firstAnswer()).toBe(401)
  }

  expect((await visitorAt(server.url).raw('/docs/json')).status).toBe(429)
  expect((await visitorAt(server.url).raw('/docs')).status).toBe(429)
  expect(await firstAnswer()).toBe(429)
})

test('limits-2: an IPv6 /56 may send as many messages as four networks, a /48 as forty', async () => {
  await app.db`delete from limit_counters`
  const { url } = await app.another({ TRUST_PROXY: '1' })
  const sendFrom = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const json = { email: 'x@example.test', message: 'Hi' }
    return (await visitorAt(url).raw(contactOperator.path, { method: 'POST', json, headers })).status
  }
  for (let n = 0; n < 20; n++) await sendFrom('2001:db8:1:1::1')
  for (let n = 0; n < 15; n++) expect(await sendFrom(`2001:db8:1:${n + 2}::1`)).toBe(200)

  expect(await sendFrom('2001:db8:1:ff::1')).toBe(429)
  expect(await sendFrom('2001:db8:1:100::1')).toBe(200)
  await app.db`update limit_counters set count = 200 where key = 'message-network-48:2001:db8:1::/48'`
  expect(await sendFrom('2001:db8:1:200::1')).toBe(429)
  expect(await sendFrom('2001:db8:2:200::1')).toBe(200)
})

test.each([
  ['1', 'with a port that differs', (n: number) => `203.0.113.7:${50_000 + n}`],
  ['1', 'in brackets', (n: number) => `"[2001:db8:1:2::${n}]:${50_000 + n}"`],
  ['1', 'by a translator', (n: number) => (n % 2 ? '64:ff9b::203.0.113.7' : '::ffff:cb00:7107')],
  [
    'loopback, 10.0.0.0/8',
    'behind a proxy with a port',
    (n: number) => `203.0.113.7:5, 10.0.0.2:${50_000 + n}`,
  ],
  [
    'loopback; [2001:db8::]/32',
    'behind one in brackets',
    (n: number) => `203.0.113.7, [2001:db8::2]:${50_000 + n}`,
  ],
])('limits-1: with TRUST_PROXY=%s an address %s counts as one person', async (TRUST_PROXY, _, write) => {
  const { url } = await app.another({ TRUST_PROXY })
  const from = async (address: string) =>
    (await visitorAt(url).raw(getCurrentUser.path, { headers: { 'x-forwarded-for': address } })).status
  for (let n = 0; n < CALLS; n++) expect(await from(write(n))).toBe(401)

  expect(await from(write(CALLS))).toBe(429)
  expect(await from('198.51.100.1')).toBe(401)
})

test('limits-2: sign-in links are counted over all server processes', async () => {
  await app.db`delete from limit_counters`
  const other = await app.another()
  const callFrom = (url: string) =>
    visitorAt(url).call(sendMagicLink, { body: { email: 'bob@example.test' } })
  for (let i = 0; i < 5; i++) expect((await callFrom(i % 2 ? app.url : other.url)).status).toBe(200)

  expect((await callFrom(app.url)).status).toBe(429)
  expect((await callFrom(other.url)).status).toBe(429)
})

test('more than 200 share links within an hour answer 429 with Retry-After', async () => {
  const ada = (await app.signIn()).at((await app.another()).url)
  const { body: me } = await ada.call(getCurrentUser)
  const { body: collection } = await ada.call(createCollection, { body: { name: 'Mine', isPublic: true } })
  await app.db`
    insert into limit_counters (key, count, expires_at)
    values (${`sharing:${me.id}`}, 199, now() + interval '1 hour')`
  const share = () => ada.call(shareCollection, { params: { id: collection.id } })

  expect((await share()).status).toBe(200)
  expect(await share()).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^3[56]\d\d$/) },
    body: { message: 'You have shared too much within an hour. Please wait a while.' },
  })
})

test('a crash may reset a limit, but never frees a used challenge', async () => {
  const tables = await app.db`
    select relname as name, relpersistence = 'u' as "isUnlogged" from pg_class
    where relname in ('limit_counters', 'rate_limits') order by 1`
  expect(tables).toEqual([
    { name: 'limit_counters', isUnlogged: true },
    { name: 'rate_limits', isUnlogged: false },
  ])
})

test('during an upgrade a challenge works once, on the version before or on this one', async () => {
  const claimBefore = async (key: string) => {
    const [row] = await app.db<{ count: number }[]>`
      insert into rate_limits as l (key, count, expires_at)
      values (${`challenge:${key}`}, 1, now() + 600 * interval '1 second')
      on conflict (key) do update set
        count = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
          then l.count + 1 else 1 end,
        expires_at = case when l.expires_at between now() and excluded.expires_at + interval '1 minute'
          then l.expires_at else excluded.expires_at end
      returning count`
    return row?.count === 1
  }
  const claim = (key: string) => claimOnce(app.db, 'challenge', key, 600)
  const expire = () => app.db`update rate_limits set expires_at = now() - interval '1 second'`

  expect([await claimBefore('one'), await claim('one'), await claimBefore('one')]).toEqual([
    true,
    false,
    false,
  ])
  expect([await claim('two'), await claimBefore('two'), await claim('two')]).toEqual([true, false, false])
  await expire()
  expect([await claim('one'), await claimBefore('one'), await claim('one')]).toEqual([true, false, false])
  expect([await claimBefore('two'), await claim('two')]).toEqual([true, false])
})

test('only expired counts are deleted', async () => {
  const ada = await app.signIn()
  const bob = await app.signIn()
  for (const { email } of [ada, bob]) await app.visitor().call(sendMagicLink, { body: { email } })
  await app.db`delete from limit_counters`
  await app.db`delete from rate_limits`
  await app.db`
    insert into rate_limits (key, count, expires_at)
    values ('over:1', 1, now() - interval '1 second'), ('alive:2', 1, now() + interval '1 minute')`
  await app.db`
    insert into limit_counters (key, count, expires_at)
    select 'over:' || i, 1, now() - interval '1 second' from generate_series(1, 12000) i`
  await app.db`insert into limit_counters (key, count, expires_at) values ('alive:1', 1, now() + interval '1 minute')`
  await app.db`update sessions set expires_at = now() where user_id = ${bob.id}`
  await app.db`update sign_in_tokens set expires_at = now() - interval '25 hours' where email = ${bob.email}`
  for (const sweep of [sweepLimits, sweepSessions, sweepLinks]) await sweep(app.db)

  expect([...(await app.db`select key from limit_counters`.values())]).toEqual([['alive:1']])
  expect([...(await app.db`select key from rate_limits`.values())]).toEqual([['alive:2']])
  expect(await app.db`select from sessions where user_id = ${bob.id}`).toHaveLength(0)
  expect(await app.db`select from sessions where user_id = ${ada.id}`).toHaveLength(1)
  expect(await app.db`select from sign_in_tokens where email = ${bob.email}`).toHaveLength(0)
  expect(await app.db`select from sign_in_tokens where email = ${ada.email}`).toHaveLength(1)
})

describe('connections', () => {
  /* A server limits its connections. The tests use other addresses of this machine as other networks. */

  const LIMITS = { max: 20, perNetwork: 8 }
  const app = setUpApp({}, { connections: LIMITS })
  const proxied = setUpApp({ TRUST_PROXY: '127.0.0.1' }, { connections: LIMITS })
  const sockets: Socket[] = []
  /** The server's ends of the connections, which are in this process. */
  const accepted: Socket[] = []
  const keep = (message: unknown) => accepted.push((message as { socket: Socket }).socket)

  beforeAll(() => diagnostics.subscribe('net.server.socket', keep))
  afterAll(() => diagnostics.unsubscribe('net.server.socket', keep))
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(() => accepted.every(({ destroyed }) => destroyed)).toBe(true)
  })

  test('limits-4: connections of one network beyond its share are refused, and others still get responses', async () => {
    const silent = await openSilent(app, '127.0.0.2', 8)

    expect(await callFrom(app, '127.0.0.2')).toBe('refused')
    expect(await callFrom(app, '127.0.0.3')).toBe(401)
    silent[0]?.destroy()
    await expect.poll(() => callFrom(app, '127.0.0.2')).toBe(401)
    expect(silent.slice(1).every(({ closed }) => !closed)).toBe(true)
  })

  test('a trusted proxy may use all connections of the server', async () => {
    await openSilent(proxied, '127.0.0.1', 12)

    expect(await callFrom(proxied, '127.0.0.1')).toBe(401)
    await openSilent(proxied, '127.0.0.2', 8)
    await openSilent(proxied, '127.0.0.3', 8)
    expect(await callFrom(proxied, '127.0.0.1'), 'the server is full').toBe('refused')
  })

  test('a full server refuses connections, and accepts again when one closes', async () => {
    const [one] = await openSilent(app, '127.0.0.4', 8)
    await openSilent(app, '127.0.0.5', 8)
    await openSilent(app, '127.0.0.6', 4)

    expect(await callFrom(app, '127.0.0.7')).toBe('refused')
    one?.destroy()
    await expect.poll(() => callFrom(app, '127.0.0.7')).toBe(401)
  })

  test('idle keep-alive connections are closed to make room for new ones', async () => {
    const agents: http.Agent[] = []
    for (let i = 0; i < 40; i++) {
      const agent = new http.Agent({ keepAlive: true })
      agents.push(agent)
      expect(await callFrom(app, `127.0.0.${10 + (i % 5)}`, agent)).toBe(401)
    }
    for (const agent of agents) agent.destroy()
  })

  /** Idle connections. They are accepted before any request that follows. */
  async function openSilent({ url }: TestApp, localAddress: string, many: number): Promise<Socket[]> {
    const connections = Array.from({ length: many }, () => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      sockets.push(socket)
      return new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)))
    })
    return Promise.all(connections)
  }

  /** The status of a call, or 'refused' when the connection is closed. */
  function callFrom({ url }: TestApp, localAddress: string, agent: http.Agent | false = false) {
    return new Promise<number | 'refused'>((resolve) => {
      const call = http.get(`${url}${getCurrentUser.path}`, { localAddress, agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
      call.on('error', () => resolve('refused'))
    })
  }
})
