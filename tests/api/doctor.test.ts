import { mkdir, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { returnFromOpenId } from '../../contract/auth.ts'
import { recordManualBackup } from '../../server/backups/readLastBackup.ts'
import { checkBackup } from '../../server/doctor/checkBackup.ts'
import { checkClock } from '../../server/doctor/checkDatabase.ts'
import { checkMailRecords } from '../../server/doctor/checkMailRecords.ts'
import { checkProxy } from '../../server/doctor/checkProxy.ts'
import {
  checkDisk,
  checkPasskeys,
  checkRegistration,
  checkServices,
  checkVisitors,
} from '../../server/doctor/checkServices.ts'
import { termsOf } from '../../server/doctor/terms.ts'
import { type Env, readEnv } from '../../server/env.ts'
import { DOCTOR_HEADER, doctorToken } from '../../server/http/health.ts'
import { createDnsRecords } from '../../server/integrations/ownDomain.ts'
import { createSignInProviders } from '../../server/integrations/signIn/providers.ts'
import { PRODUCTION, SESSION_SECRET, setUpApp } from '../harness/setUpApp.ts'
import { setUpFolder, setUpService } from '../harness/setUpService.ts'
import { freePort } from '../harness/startProgram.ts'
import { listen as listenAt } from '../stand-ins/behaviour.ts'
import { startDns } from '../stand-ins/dns.ts'
import { startOpenId } from '../stand-ins/openId.ts'

/* What `npm run doctor` says of the machine, the proxy and the sender's domain. */

const app = setUpApp()
const dns = setUpService(startDns)
const folder = setUpFolder()
beforeEach(() => dns.reset())
afterEach(async () => {
  vi.useRealTimers()
  await app.db`delete from backups`
})

test.each([
  [900, 1000, 'ok', /^900\.0 GiB are free at /],
  [4, 1000, 'warning', /^4\.0 GiB are free at .*: make room before uploads are refused$/],
  [0.9, 1000, 'fault', /uploads are refused, so make room$/],
  [0.4, 10, 'fault', /^0\.4 GiB/],
  [3, 10, 'ok', /^3\.0 GiB/],
])('%d GiB free of %d is %s', async (free, all, state, message) => {
  const disk = async () => ({ bavail: free * 1024 ** 2, blocks: all * 1024 ** 2, bsize: 1024 })
  expect(await checkDisk(envOf(), disk)).toEqual({
    part: 'Disk',
    state,
    message: expect.stringMatching(message),
  })
})

test('a DATA_DIR that does not exist is a warning, not a crash', async () => {
  expect(await checkDisk(envOf({ DATA_DIR: path.join(folder, 'nowhere') }))).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/cannot be read \(ENOENT\)$/),
  })
})

test("a clock that differs from the database's is a warning with the difference", async () => {
  expect(await checkClock(app.db)).toMatchObject({ part: 'Clock', state: 'ok' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })

  expect(await checkClock(app.db)).toEqual({
    part: 'Clock',
    state: 'warning',
    message: expect.stringMatching(/ are (8\d|90) seconds apart: set both by NTP$/),
  })
})

test('the age of the last backup, its proof, and what to do when it is old, missing or failed', async () => {
  const { db } = app
  const env = envOf(PRODUCTION)
  const own = envOf({ ...PRODUCTION, DATABASE_URL: UNREACHABLE_DATABASE })
  const scheduled = envOf({ ...PRODUCTION, BACKUP_DIR: folder })
  const messageOf = async (original = env) => (await checkBackup(original, db)).message
  const advice = 'set BACKUP_DIR, and the server backs up every night'
  expect(await checkBackup(env, db)).toEqual({
    part: 'Backup',
    state: 'warning',
    message: `there is none; ${advice}`,
  })
  expect(await messageOf(own)).toMatch(/unless your database is backed up in another way$/)

  const file = path.join(folder, 'a.backup')
  await writeFile(file, 'rows')
  await recordManualBackup(db, { startedAt: new Date(), file, bytes: 3 * 1024 ** 2 })
  const setAge = (hours: number) => db`update backups set started_at = now() - ${hours} * interval '1 hour'`
  await setAge(5)
  expect(await checkBackup(env, db)).toEqual({
    part: 'Backup',
    state: 'ok',
    message: `5 hours old, 3.0 MiB, in ${file}, on the disk of the database, so copy it to another`,
  })
  await db`update backups set proven_at = now()`
  expect(await messageOf(own)).toBe(`5 hours old, 3.0 MiB, in ${file}, restored to prove it`)
  await db`update backups set proven_at = null, trouble = 'There is no room.'`
  expect(await checkBackup(env, db)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/; not proven: There is no room\.$/),
  })
  await db`update backups set trouble = null`
  await setAge(72)
  expect(await checkBackup(env, db)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^3 days old, .*; set BACKUP_DIR, and the server backs up every night$/),
  })
  // A development machine needs no backup.
  expect(await checkBackup(envOf(), db)).toMatchObject({ state: 'off' })
  await rm(file)
  expect(await messageOf()).toContain('; the file is gone')
  await db`
    insert into backups (scheduled, machine, started_at, ended_at, file, trouble)
    values (true, 'here', now() - interval '90 minutes', now(), ${file}, 'The disk is full.')`
  expect(await messageOf(scheduled)).toMatch(
    /; the last attempt, 1 hour ago, failed: The disk is full\.;.* read the log of the server$/,
  )
  expect(await checkBackup(env, null)).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('while the database does not answer'),
  })
})

test('a manual, unproven backup that was moved away hides neither the scheduled one nor its failures', async () => {
  const { db } = app
  const env = envOf({ ...PRODUCTION, BACKUP_DIR: folder })
  const file = path.join(folder, 'scheduled.backup')
  const moved = path.join(folder, 'moved-away.backup')
  await writeFile(file, 'rows')
  const schedule = (hoursAgo: number, bytes: number | null) => db`
    insert into backups (scheduled, machine, started_at, ended_at, file, bytes, proven_at, trouble)
    values (true, ${os.hostname()}, now() - ${hoursAgo} * interval '1 hour', now(), ${file}, ${bytes},
      case when ${bytes !== null} then now() end, case when ${bytes === null} then 'The disk is full.' end)`
  await schedule(5, 1024 ** 2)
  await recordManualBackup(db, { startedAt: new Date(), file: moved, bytes: 1 })
  const well = new RegExp(
    `^5 hours old, 1\\.0 MiB, in ${file}, restored to prove it, .*a newer one by hand was written to ${moved}$`,
  )
  // Another machine may be the one that has BACKUP_DIR.
  for (const each of [env, envOf(PRODUCTION)])
    expect(await checkBackup(each, db)).toMatchObject({ state: 'ok', message: expect.stringMatching(well) })

  await schedule(2, null)
  await recordManualBackup(db, { startedAt: new Date(), file: moved, bytes: 1 })
  expect((await checkBackup(env, db)).message).toContain('; the last attempt, 2 hours ago, failed: The disk')
  await db`update backups set started_at = now() - interval '72 hours' where scheduled`
  expect((await checkBackup(env, db)).message).toMatch(/^3 days old, .*; read the log of the server$/)

  // Nothing is scheduled any more.
  await writeFile(moved, 'rows')
  expect(await checkBackup(envOf(PRODUCTION), db)).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(new RegExp(`^0 minutes old, .* in ${moved}, `)),
  })
})

test.each([
  ['does not exist', async () => {}, /nowhere is not a folder\. Create it, or mount its disk\.$/],
  ['is a file', (place: string) => writeFile(place, ''), /nowhere is not a folder\. Create it, or/],
  ...(process.getuid?.() === 0
    ? []
    : [
        [
          'is not writable',
          (place: string) => mkdir(place, { mode: 0o500 }),
          /nowhere is not writable\. Change its owner or its permissions\.$/,
        ] as const,
      ]),
] as const)('a BACKUP_DIR that %s is an error, whatever backups there are', async (_, make, message) => {
  const { db } = app
  const file = path.join(folder, 'elsewhere.backup')
  await writeFile(file, 'rows')
  await recordManualBackup(db, { startedAt: new Date(), file, bytes: 1 })
  const place = path.join(folder, 'nowhere')
  await make(place)
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const env = envOf({ ...PRODUCTION, BACKUP_DIR: place })
  for (const answers of [db, null])
    expect(await checkBackup(env, answers)).toEqual({
      part: 'Backup',
      state: 'fault',
      message: expect.stringMatching(message),
    })
})

const MAIL = {
  ...PRODUCTION,
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Bangers <no-reply@bangers.example>',
}

test('a domain with all records is ok', async () => {
  dns.know('bangers.example', 'MX', 'mx.mail.example')
  dns.know('bangers.example', 'TXT', 'verification=1')
  dns.know('bangers.example', 'TXT', 'v=spf1 include:mail.example| -all')
  dns.know('s1._domainkey.bangers.example', 'TXT', `v=DKIM1; k=rsa; p=${'A'.repeat(200)}|${'B'.repeat(120)}`)
  dns.know('_dmarc.bangers.example', 'TXT', 'v=DMARC1; p=quarantine')

  expect(await records()).toEqual([
    { part: 'Sender', state: 'ok', message: 'bangers.example receives mail at mx.mail.example' },
    { part: 'SPF', state: 'ok', message: 'bangers.example has v=spf1 include:mail.example -all' },
    { part: 'DKIM', state: 'ok', message: expect.stringMatching(/^bangers\.example has a key at s1; /) },
    { part: 'DMARC', state: 'ok', message: '_dmarc.bangers.example has v=DMARC1; p=quarantine' },
  ])
})

test('for a domain without records, each warning says what to publish', async () => {
  const results = await records({ CONTACT_EMAIL: 'ada@bangers.example' })

  expect(results.map(({ part, state }) => [part, state])).toEqual([
    ['Sender', 'warning'],
    ['SPF', 'warning'],
    ['DKIM', 'off'],
    ['DMARC', 'warning'],
  ])
  const [sender, spf, dkim, dmarc] = results.map(({ message }) => message)
  expect(sender).toMatch(/add an MX record$/)
  expect(spf).toContain('publish the TXT record')
  expect(dkim).toContain('look for dkim=pass with header.d=bangers.example')
  expect(dmarc).toContain('_dmarc.bangers.example TXT "v=DMARC1; p=none; rua=mailto:ada@bangers.example"')
})

test.each<[part: string, given: ['MX' | 'TXT', ...string[]], message: RegExp, state?: string]>([
  ['SPF', ['TXT', 'v=spf1 +all'], /allows everybody to send/],
  ['SPF', ['TXT', 'v=spf1 mx all'], /allows everybody to send/],
  ['SPF', ['TXT', 'v=spf1 -all', 'v=spf1 mx -all'], /has 2 records, so none of them counts/],
  ['SPF', ['TXT', 'v=spf10 -all'], /has none/],
  ['Sender', ['MX', ''], /receives no mail/],
  ['DMARC', ['TXT', 'v=DMARC1; p=none'], /once reports are good, p=quarantine/, 'ok'],
  ['DMARC', ['TXT', 'v=DMARC1; rua=mailto:a@b.example'], /has no valid policy/],
  ['DMARC', ['TXT', 'v=DMARC1; p=whatever'], /has no valid policy/],
  ['DMARC', ['TXT', 'v=DMARC1\u001b[2J; p=reject'], /has none/],
])('%s: %j matches %s', async (part, [type, ...values], message, state = 'warning') => {
  const domain = part === 'DMARC' ? '_dmarc.bangers.example' : 'bangers.example'
  for (const value of values) dns.know(domain, type, value)
  const results = (await records()).find((each) => each.part === part)

  expect(results).toEqual({ part, state, message: expect.stringMatching(message) })
})

test('the record of the domain above counts for a subdomain without one', async () => {
  dns.know('_dmarc.bangers.example', 'TXT', 'v=DMARC1; p=reject')
  const results = await records({ MAIL_FROM: 'no-reply@mail.bangers.example' })

  expect(results.find(({ part }) => part === 'DMARC')).toMatchObject({ state: 'ok' })
})

test.each(['silent', 'failing', 'garbage'] as const)(
  'a DNS server that is %s makes warnings within the time limit, not a crash',
  async (behaviour) => {
    dns.behave(behaviour)
    const results = await records()

    expect(results.map(({ state }) => state)).toEqual(Array(4).fill('warning'))
    for (const { message } of results)
      expect(message).toMatch(/^bangers\.example could not be looked up \([A-Z]+\): check the DNS/)
  },
)

test.each([
  ['without SMTP_URL', { SMTP_URL: '' }, 'off', /no mail is sent/],
  [
    'from localhost',
    { MAIL_FROM: 'Bangers <no-reply@localhost>' },
    'warning',
    /set it to an address of your/,
  ],
  ['from no address', { MAIL_FROM: 'Bangers' }, 'warning', /set it to an address of your domain/],
])('mail %s: nothing is looked up', async (_, settings, state, message) => {
  expect(await records(settings)).toEqual([
    { part: 'Sender', state, message: expect.stringMatching(message) },
  ])
})

type Headers = Record<string, string | string[] | undefined>

/** What proxies change in the headers. */
const appendHeaders = (original: Headers) => ({
  'x-forwarded-for': [original['x-forwarded-for'], '203.0.113.7'].filter(Boolean).join(', '),
})
const replaceHeaders = () => ({ 'x-forwarded-for': '203.0.113.7' })
const onlyForward = () => ({ via: '1.1 proxy' })

test('a proxy that sends what the server needs is ok, and one machine needs none', async () => {
  const PUBLIC_URL = await startProxy(replaceHeaders)
  expect(await checkProxy(envOf({ PUBLIC_URL, TRUST_PROXY: '1' }))).toEqual({
    part: 'Proxy',
    state: 'ok',
    message: `${PUBLIC_URL} leads here, with what the server needs`,
  })
  expect(await checkProxy(envOf({ PUBLIC_URL }))).toMatchObject({ state: 'off' })
})

test('a proxy whose requests look local is a warning, because it opens /metrics to everybody', async () => {
  const PUBLIC_URL = await startProxy(() => ({ host: 'localhost', 'x-forwarded-for': undefined }))
  const { state, message } = await checkProxy(envOf({ PUBLIC_URL, TRUST_PROXY: 'true' }))
  expect(state).toBe('warning')
  expect(message).toMatch(/^TRUST_PROXY=true believes .*; everybody can read \/metrics, /)
})

test.each([
  ['1', 'one proxy that adds', [appendHeaders], null],
  ['true', 'one proxy that writes anew', [replaceHeaders], null],
  ['127.0.0.1', 'one proxy that adds', [appendHeaders], null],
  ['2', 'two proxies that add', [appendHeaders, appendHeaders], null],
  [
    '0',
    'one proxy that adds',
    [appendHeaders],
    /^TRUST_PROXY is 0, so all listeners share .* a proxy: set it to 1, /,
  ],
  [
    '1',
    'two proxies that add',
    [appendHeaders, appendHeaders],
    /^TRUST_PROXY is 1, so all listeners share .*: set it to 2, /,
  ],
  ['2', 'one proxy that adds', [appendHeaders], /^TRUST_PROXY is 2, so clients can forge .*: set it to 1, /],
  [
    'true',
    'two proxies that add',
    [appendHeaders, appendHeaders],
    /^TRUST_PROXY is true, so clients can .*: set it to 2, /,
  ],
  ['1', 'a proxy that only passes on', [onlyForward], /^TRUST_PROXY is 1, but no proxy writes .* can forge /],
])('TRUST_PROXY=%s behind %s', async (TRUST_PROXY, _, chain, advice) => {
  let PUBLIC_URL = (await app.another({ TRUST_PROXY })).url
  for (const change of chain) PUBLIC_URL = await startProxy(change, PUBLIC_URL)
  expect(await checkProxy(envOf({ PUBLIC_URL, TRUST_PROXY, SESSION_SECRET }))).toEqual({
    part: 'Proxy',
    state: advice ? 'warning' : 'ok',
    message: advice ? expect.stringMatching(advice) : `${PUBLIC_URL} leads here, with what the server needs`,
  })
})

test('/live tells how a request arrived only to callers with the secret', async () => {
  const PUBLIC_URL = await startProxy(appendHeaders)
  const env = envOf({ PUBLIC_URL, TRUST_PROXY: '1', SESSION_SECRET: 'y'.repeat(32) })
  expect(await checkProxy(env)).toEqual({
    part: 'Proxy',
    state: 'warning',
    message: 'the server has another SESSION_SECRET: run the doctor with the settings of the server',
  })
  for (const token of ['', 'x', doctorToken('y'.repeat(32))]) {
    const answer = await fetch(`${PUBLIC_URL}/live`, { headers: { [DOCTOR_HEADER]: token } })
    expect(await answer.json()).toEqual({ status: 'ok' })
  }
})

test.each<[string, http.RequestListener, RegExp]>([
  ['answers 502', (_, response) => response.writeHead(502).end('Bad Gateway'), /\/live answers 502: check /],
  ['has a page of its own', (_, response) => response.end('Welcome'), /the page of another program: check /],
  [
    'redirects',
    (_, response) => response.writeHead(301, { location: '/' }).end(),
    /does not answer \(.*redirect.*\): check /,
  ],
  ['hangs up', (request) => request.destroy(), /does not answer \(\w+\): check /],
])('a proxy that %s is a warning', async (_, listener, message) => {
  expect(await checkProxy(envOf({ PUBLIC_URL: await listen(listener), TRUST_PROXY: '1' }))).toEqual({
    part: 'Proxy',
    state: 'warning',
    message: expect.stringMatching(message),
  })
})

test.each([
  [
    'https://bangers.example',
    'ok',
    'people can add passkeys in their profile; those belong to bangers.example, and are lost with another host name',
  ],
  [
    'http://bangers.example',
    'off',
    'browsers allow none at http://bangers.example: PUBLIC_URL must begin with https and have a host name, no IP address',
  ],
  [
    'https://192.168.1.7',
    'off',
    'browsers allow none at https://192.168.1.7: PUBLIC_URL must begin with https and have a host name, no IP address',
  ],
])('signin-20: passkeys at %s are %s', (publicUrl, state, message) => {
  expect(checkPasskeys(envOf({ ...PRODUCTION, PUBLIC_URL: publicUrl }))).toEqual({
    part: 'Passkeys',
    state,
    message,
  })
})

test('the terms of providers with keys, and of Deezer, are listed', () => {
  expect(termsOf(envOf()).map(({ part }) => part)).toEqual(['Deezer'])
  const terms = termsOf(envOf({ SPOTIFY_CLIENT_ID: 'some-app', SPOTIFY_CLIENT_SECRET: 'hidden-secret' }))

  expect(terms[0]).toEqual({ part: 'Spotify', text: expect.stringContaining('admits five users') })
  expect(JSON.stringify(terms)).not.toContain('hidden-secret')
})

test('a check that never ends is a fault, and the other results are shown', async () => {
  const never = new Promise<never>(() => {})
  const results = await checkServices(
    envOf({ SMTP_URL: 'smtp://127.0.0.1:9', DATABASE_URL: UNREACHABLE_DATABASE }),
    {
      mailer: { send: () => never, findFault: () => never },
      signIn: { google: null, facebook: null, replit: null, oidc: null },
      store: app.store,
      companion: null,
      dns: createDnsRecords(envOf()),
    },
    3000,
  )

  expect(results).toContainEqual({
    part: 'Mail',
    state: 'fault',
    message: 'did not answer within 3 seconds',
  })
  expect(results.find(({ part }) => part === 'Storage')).toMatchObject({ state: 'ok' })
})

test.each<[string, () => Promise<string>, string]>([
  ['refuses connections', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  [
    'is at another path',
    () => listen((_, response) => response.writeHead(404).end()),
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
  ],
])(
  'signin-14: a provider that %s: the address that was asked, and what to compare',
  async (_, start, reason) => {
    const OIDC_ISSUER = `${await start()}/realms/music`
    const env = envOf({ OIDC_ISSUER, OIDC_CLIENT_ID: 'some-app', DATABASE_URL: UNREACHABLE_DATABASE })
    expect(await openIdFinding(env)).toEqual({
      part: 'OpenID',
      state: 'fault',
      message: `failed the check (${reason} at ${OIDC_ISSUER}/.well-known/openid-configuration): compare OIDC_* with what the provider shows`,
    })
  },
)

test.each([
  ['with a secret', { isPublic: false, onlyHeader: false }],
  ['with a secret in the header', { isPublic: false, onlyHeader: true }],
  ['that is public', { isPublic: true, onlyHeader: false }],
])('signin-14: whether a provider accepts the keys of a client %s', async (_, options) => {
  const provider = await startOpenId({ callback: returnFromOpenId.path, ...options })
  onTestFinished(() => provider.close())
  const secret = options.isPublic ? '' : provider.clientSecret
  const finding = (OIDC_CLIENT_ID: string, OIDC_CLIENT_SECRET: string) =>
    openIdFinding(
      envOf({
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID,
        OIDC_CLIENT_SECRET,
        DATABASE_URL: UNREACHABLE_DATABASE,
      }),
    )
  const wrong = {
    part: 'OpenID',
    state: 'fault',
    message:
      'failed the check (it does not accept the client id or the secret): compare OIDC_* with what the provider shows',
  }
  expect(await finding(provider.clientId, secret)).toEqual({
    part: 'OpenID',
    state: 'ok',
    message: 'answers, and accepts the keys',
  })
  expect(await finding('another-app', secret)).toEqual(wrong)
  if (secret) expect(await finding(provider.clientId, `${secret}!`)).toEqual(wrong)
  provider.answer('no tokens')
  expect(await finding(provider.clientId, secret)).toMatchObject({
    state: 'fault',
    message: expect.stringContaining(`(OAUTH_RESPONSE_IS_NOT_CONFORM at ${provider.issuer}/token)`),
  })
})

test.each([
  [
    'no other way to sign in',
    {},
    'off',
    /^invite: .*; without SMTP_URL .*, all need a link from npm run sign-in-link$/,
  ],
  ['mail', { SMTP_URL: 'smtp://127.0.0.1:9' }, 'ok', /\/admin or npm run account -- invite$/],
  ['a provider', { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'bangers' }, 'ok', /invite$/],
  ['development', { NODE_ENV: 'test', PUBLIC_URL: '' }, 'ok', /invite$/],
])('signin-17: registration by invitation with %s', (_, settings, state, message) => {
  const env = envOf({ ...PRODUCTION, REGISTRATION: 'invite', ...settings })
  expect(checkRegistration(env, { signIn: createSignInProviders(env, pino({ level: 'silent' })) })).toEqual({
    part: 'Registration',
    state,
    message: expect.stringMatching(message),
  })
})

test.each([
  ['off', 'open', 'VISITORS is off'],
  ['on', 'invite', 'REGISTRATION is not open'],
])('visitors-1: VISITORS=%s with REGISTRATION=%s is off', (VISITORS, REGISTRATION, reason) => {
  expect(checkVisitors(envOf({ VISITORS, REGISTRATION }))).toMatchObject({
    state: 'off',
    message: expect.stringContaining(reason),
  })
})

test.each(['localhost', '9.9.9', '127.0.0.1:x', 'dns.example'])(
  'DNS_SERVERS=%s is rejected',
  (DNS_SERVERS) => {
    expect(() => envOf({ DNS_SERVERS })).toThrow('DNS_SERVERS: must be IP addresses')
  },
)

function envOf(settings: Record<string, string> = {}) {
  return readEnv({ NODE_ENV: 'test', DATA_DIR: folder, DNS_SERVERS: dns.server, ...settings })
}

/** Nothing answers there. */
const UNREACHABLE_DATABASE = 'postgres://127.0.0.1:9/bangers'

async function openIdFinding(env: Env) {
  const findings = await checkServices(env, {
    mailer: { send: async () => true, findFault: async () => null },
    signIn: createSignInProviders(env, pino({ level: 'silent' })),
    store: app.store,
    companion: null,
    dns: createDnsRecords(env),
  })
  return findings.find(({ part }) => part === 'OpenID')
}

function records(settings: Record<string, string> = {}) {
  const env = envOf({ ...MAIL, ...settings })
  return checkMailRecords(env, createDnsRecords(env))
}

/** Forwards to a server, with changes to the headers. */
function startProxy(change: (original: Headers) => Headers, target = app.url): Promise<string> {
  const { hostname, port } = new URL(target)
  return listen((request, response) => {
    const all: Headers = { ...request.headers, ...change(request.headers) }
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const to = { hostname, port, path: request.url, headers }
    http.get(to, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
  })
}

/** An address until the end of the test. */
async function listen(listener: http.RequestListener): Promise<string> {
  const { port, close } = await listenAt(listener)
  onTestFinished(close)
  return `http://127.0.0.1:${port}`
}
