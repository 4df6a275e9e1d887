import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { endAllSessions, getCurrentUser, listSessions } from '../../contract/auth.ts'
import {
  addPasskey,
  getPasskeyChallenge,
  getPasskeyOptions,
  listPasskeys,
  MAX_PASSKEYS,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from '../../contract/passkeys.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { restoreAccount, suspendAccount } from '../../server/auth/accountRights.ts'
import { passkeyOptions } from '../../server/auth/passkeys.ts'
import type { Context } from '../../server/context.ts'
import { readEnv } from '../../server/env.ts'
import { es256, makePasskey, rs256, type SoftPasskey } from '../harness/passkeys.ts'
import { PRODUCTION, setUpApp, setUpListener, type TestApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { startMailServer } from '../stand-ins/mailServer.ts'

const app = setUpApp()
const mailServer = setUpService(startMailServer)
/** Another process of the same service. */
let other: TestApp
let site: string
beforeAll(async () => {
  // On a busy machine loading it can take longer than a call may.
  await import('@simplewebauthn/server')
  site = app.url.replace('127.0.0.1', 'localhost')
  other = await app.another({ PUBLIC_URL: site })
})
beforeEach(() => app.db`delete from limit_counters`)
const ada = setUpListener(app)
afterEach(() => {
  vi.useRealTimers()
  expect([...app.errors, ...other.errors]).toEqual([])
})

type ForgedFields = Parameters<SoftPasskey['signIn']>[1]

async function register(listener: Visitor, passkey = makePasskey(site), forged: ForgedFields = {}) {
  const { body: options } = await listener.call(getPasskeyOptions)
  return listener.call(addPasskey, { body: passkey.register(options, forged) })
}

async function listenerWithPasskey() {
  const listener = await app.signIn()
  const passkey = makePasskey(site)
  const { body } = await register(listener, passkey)
  return { ...listener, passkey, passkeyId: body.id }
}

/** In a browser without a session. */
async function signIn(passkey: SoftPasskey, forged: ForgedFields = {}, browser = app.visitor()) {
  const { body: challenge } = await browser.call(getPasskeyChallenge)
  const { status, body } = await browser.call(signInWithPasskey, { body: passkey.signIn(challenge, forged) })
  return { status, body, browser }
}

const currentUserId = async (browser: Visitor) => {
  const { status, body } = await browser.call(getCurrentUser)
  return status === 200 ? body.id : null
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string
const TOO_LATE = 'This took too long, or was sent twice. Please try again.'
const NOT_CONFIRMED = 'This passkey could not be confirmed. Please try again, or use another way to sign in.'
const UNKNOWN_PASSKEY =
  'This passkey is not known here. It may have been removed. Please use another way to sign in.'
const NOT_USABLE = 'This passkey cannot be used here. Please try again, or use another device.'

describe('adding', () => {
  test('signin-22: the options require a discoverable passkey and user verification', async () => {
    await ada.call(updateProfile, { body: { firstName: 'Ada', lastName: 'Lovelace' } })
    const { body } = await ada.call(getPasskeyOptions)

    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43,}$/),
      rp: { id: 'localhost', name: 'Banger or Bust' },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: ada.email, displayName: 'Ada Lovelace' },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    })
    // The handle stays on the device, so it must reveal nothing about the account.
    expect(Buffer.from(body.user.id, 'base64url').toString()).not.toContain(ada.id)
  })

  test('signin-23: a passkey is named after the browser, can be renamed, and is not created twice on a device', async () => {
    const passkey = makePasskey(site)
    const { body: options } = await ada.call(getPasskeyOptions)
    const added = await ada.raw(addPasskey.path, {
      method: 'POST',
      json: passkey.register(options),
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
    })
    const { id } = added.body as { id: string }
    expect(added).toMatchObject({
      status: 200,
      body: { id: expect.any(String), name: 'Firefox on Linux', createdAt: TIME, lastUsedAt: null },
    })

    const renamed = await ada.call(renamePasskey, { params: { id }, body: { name: '  Work\nlaptop ' } })
    expect(renamed.body).toEqual({ id, name: 'Work laptop', createdAt: TIME, lastUsedAt: null })
    expect((await ada.call(listPasskeys)).body).toEqual([renamed.body])
    const again = (await ada.call(getPasskeyOptions)).body
    expect(again.excludeCredentials).toEqual([
      { type: 'public-key', id: passkey.id, transports: ['internal'] },
    ])
    expect(again.user.id).toBe(options.user.id)
    expect(await ada.call(addPasskey, { body: passkey.register(again) })).toMatchObject(
      refusal(409, 'This passkey was added before.'),
    )
  })

  test('signin-23: a name is one visible line of at most 60 characters', async () => {
    const { call, passkeyId } = await listenerWithPasskey()
    const rename = (name: string) => call(renamePasskey, { params: { id: passkeyId }, body: { name } })

    expect(await rename('\u200b \u202e')).toMatchObject(refusal(400, 'name: is missing'))
    expect(await rename('x'.repeat(61))).toMatchObject(refusal(400, 'name: is too long'))
    expect((await rename('x'.repeat(60))).status).toBe(200)
  })

  test.each<[string, ForgedFields]>([
    ['made at another site', { origin: 'https://evil.example' }],
    ['made at another port', { origin: 'http://localhost:1' }],
    ['for another site', { rpId: 'evil.example' }],
    ['made in a frame of another site', { crossOrigin: true }],
    ['that was used and not made', { type: 'webauthn.get' }],
    ['without asking who uses it', { flags: 0x41 }],
    ['without anybody there', { flags: 0x44 }],
    ['without a key', { flags: 0x05 }],
    ['that is backed up and cannot be', { flags: 0x55 }],
    ['with another id inside', { id: randomBytes(32) }],
    ['with a key that is none', { cose: randomBytes(91) }],
    ['with a key of another kind', { cose: Buffer.from(`a4010103272006215820${'00'.repeat(32)}`, 'hex') }],
  ])('signin-22: a passkey %s is refused', async (_, forged) => {
    expect(await register(ada, makePasskey(site), forged)).toMatchObject(refusal(400, NOT_USABLE))
    expect((await ada.call(listPasskeys)).body).toEqual([])
  })

  test('signin-22: a challenge is for one account, works once, and for ten minutes', async () => {
    const bob = await app.signIn()
    const { body: options } = await ada.call(getPasskeyOptions)
    const refused = refusal(409, TOO_LATE)
    const add = (who: Visitor, from: { challenge: string }) =>
      who.call(addPasskey, { body: makePasskey(site).register({ ...options, ...from }) })

    expect(await add(bob, options)).toMatchObject(refused)
    expect(await add(ada, { challenge: randomBytes(64).toString('base64url') })).toMatchObject(refused)
    expect(await add(ada, (await app.visitor().call(getPasskeyChallenge)).body)).toMatchObject(refused)
    expect((await add(ada, options)).status).toBe(200)
    expect(await add(ada, options)).toMatchObject(refused)
    const { body: older } = await ada.call(getPasskeyOptions)
    pass(10)
    expect(await add(ada, older)).toMatchObject(refused)
    expect((await ada.call(listPasskeys)).body).toHaveLength(1)
  })

  test('signin-23: a listener has at most ten passkeys, also when two tabs add the tenth', async () => {
    for (let i = 1; i < MAX_PASSKEYS; i++) await register(ada)
    const both = await Promise.all([register(ada), register(ada.at(other.url))])

    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body).toEqual({
      message: 'You can have 10 passkeys. Remove one that you do not use.',
    })
    expect((await ada.call(listPasskeys)).body).toHaveLength(10)
  })

  test('signin-22: a double press adds one passkey', async () => {
    const { body: options } = await ada.call(getPasskeyOptions)
    const body = makePasskey(site).register(options)
    const both = await Promise.all([
      ada.call(addPasskey, { body }),
      ada.at(other.url).call(addPasskey, { body }),
    ])

    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await ada.call(listPasskeys)).body).toHaveLength(1)
  })

  test('an account that was deleted meanwhile gets no passkey', async () => {
    const { body: options } = await ada.call(getPasskeyOptions)
    await app.db`delete from users where id = ${ada.id}`

    expect((await ada.call(addPasskey, { body: makePasskey(site).register(options) })).status).toBe(401)
  })

  test('signin-22: nobody takes over the passkey of another listener', async () => {
    const ada = await listenerWithPasskey()
    const bob = await app.signIn()

    expect((await register(bob, ada.passkey)).status).toBe(409)
    expect(
      await currentUserId((await signIn(ada.passkey, { userHandle: await handleOf(ada) })).browser),
    ).toBe(ada.id)
  })
})

describe('signing in', () => {
  test('signin-21: a passkey signs in, ends the session that the browser had, and is marked as used', async () => {
    const ada = await listenerWithPasskey()
    const bob = await app.signIn()
    const { status, body } = await signIn(ada.passkey, {}, bob)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect(await currentUserId(bob)).toBe(ada.id)
    expect(await app.db`select from sessions where user_id = ${bob.id}`).toHaveLength(0)
    expect((await ada.call(listPasskeys)).body).toMatchObject([{ id: ada.passkeyId, lastUsedAt: TIME }])
    expect((await ada.call(listSessions)).body).toHaveLength(2)
    expect((await signIn(ada.passkey)).status).toBe(200)
  })

  test.each([
    ['ES256', es256],
    ['RS256, as of Windows Hello', rs256],
  ])('signin-21: %s signs in, also with a key that version 0.1 stored', async (_, makeKey) => {
    const [now, old] = [makePasskey(site, makeKey()), makePasskey(site, makeKey())]
    expect((await register(ada, now)).status).toBe(200)
    await old.store(app.db, ada.id)

    for (const passkey of [now, old])
      expect(await currentUserId((await signIn(passkey)).browser)).toBe(ada.id)
  })

  test.each<[string, ForgedFields]>([
    ['at another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['as a new one', { type: 'webauthn.create' }],
    ['without asking who uses it', { flags: 0x01 }],
    ['without anybody there', { flags: 0x04 }],
  ])('signin-21: a passkey that is used %s does not sign in', async (_, forged) => {
    const { passkey } = await listenerWithPasskey()
    const { status, body, browser } = await signIn(passkey, forged)

    expect({ status, body }).toEqual(refusal(400, NOT_CONFIRMED))
    expect(await currentUserId(browser)).toBeNull()
    expect((await signIn(passkey)).status).toBe(200)
  })

  test('signin-21: data changed after signing does not sign in', async () => {
    const { passkey } = await listenerWithPasskey()
    const browser = app.visitor()
    const { body: challenge } = await browser.call(getPasskeyChallenge)
    const good = passkey.signIn(challenge)
    const data = Buffer.from(good.response.authenticatorData, 'base64url')
    data.writeUInt32BE(1000, 33)
    const client = Buffer.from(good.response.clientDataJSON, 'base64url')
    const changes = [
      { authenticatorData: data.toString('base64url') },
      { clientDataJSON: Buffer.concat([client, Buffer.from(' ')]).toString('base64url') },
      { signature: makePasskey(site).signIn(challenge).response.signature },
      { signature: 'AAAA' },
    ]

    for (const change of changes)
      expect(
        await browser.call(signInWithPasskey, {
          body: { ...good, response: { ...good.response, ...change } },
        }),
      ).toMatchObject(refusal(400, NOT_CONFIRMED))
    expect((await browser.call(signInWithPasskey, { body: good })).status).toBe(200)
  })

  test("signin-21: text that is not a browser's is refused", async () => {
    const { passkey } = await listenerWithPasskey()
    const { body: challenge } = await app.visitor().call(getPasskeyChallenge)
    const good = passkey.signIn(challenge)
    for (const part of ['AAAA', Buffer.from('{"type":7}').toString('base64url'), 'x'.repeat(4000)])
      for (const name of ['clientDataJSON', 'authenticatorData'] as const) {
        const body = { ...good, response: { ...good.response, [name]: part } }
        expect((await app.visitor().call(signInWithPasskey, { body })).status).toBe(400)
      }
  })

  test('signin-22: a challenge signs in once, on any server, for ten minutes', async () => {
    const { passkey } = await listenerWithPasskey()
    const browser = app.visitor()
    const refused = refusal(409, TOO_LATE)
    const { body: challenge } = await browser.call(getPasskeyChallenge)
    const body = passkey.signIn(challenge)

    expect((await browser.at(other.url).call(signInWithPasskey, { body })).status).toBe(200)
    for (const { url } of [app, other])
      expect(await browser.at(url).call(signInWithPasskey, { body })).toMatchObject(refused)
    expect(await browser.call(signInWithPasskey, { body: passkey.signIn(challenge) })).toMatchObject(refused)

    expect((await signIn(passkey, { challenge: randomBytes(64).toString('base64url') })).body).toEqual(
      refused.body,
    )
    expect((await signIn(passkey, { challenge: `${challenge.challenge}=` })).body).toEqual(refused.body)
    const { body: older } = await browser.call(getPasskeyChallenge)
    pass(10)
    expect(await browser.call(signInWithPasskey, { body: passkey.signIn(older) })).toMatchObject(refused)
  })

  test('signin-22: the challenge to add a passkey does not sign in', async () => {
    const ada = await listenerWithPasskey()
    const { body: options } = await ada.call(getPasskeyOptions)

    expect(await app.visitor().call(signInWithPasskey, { body: ada.passkey.signIn(options) })).toMatchObject(
      refusal(409, TOO_LATE),
    )
  })

  test('signin-22: a double press makes one session', async () => {
    const ada = await listenerWithPasskey()
    const { body: challenge } = await app.visitor().call(getPasskeyChallenge)
    const body = ada.passkey.signIn(challenge)
    const both = await Promise.all(
      [app, other].map((server) => server.visitor().call(signInWithPasskey, { body })),
    )

    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await ada.call(listSessions)).body).toHaveLength(2)
  })

  test('signin-21: a passkey whose counter does not rise is a copy, and does not sign in', async () => {
    const { passkey } = await listenerWithPasskey()
    expect((await signIn(passkey, { counter: 3_000_000_000 })).status).toBe(200)
    const message =
      'There seems to be a copy of this passkey. Please use another way to sign in, and remove this passkey in your profile.'

    for (const counter of [3_000_000_000, 2_999_999_999, 0])
      expect(await signIn(passkey, { counter })).toMatchObject({ status: 409, body: { message } })
    expect(app.logged.some((line) => line.includes('its counter did not rise'))).toBe(true)
    expect((await signIn(passkey, { counter: 3_000_000_001 })).status).toBe(200)
  })

  test('signin-21: a passkey without a counter signs in repeatedly', async () => {
    const { passkey } = await listenerWithPasskey()

    for (let i = 0; i < 3; i++) expect((await signIn(passkey, { counter: 0 })).status).toBe(200)
  })

  test('signin-21: an unknown passkey never creates an account, and neither does one with the handle of another', async () => {
    const ada = await listenerWithPasskey()
    const bob = await listenerWithPasskey()
    const [before] = await app.db<{ count: number }[]>`select count(*)::int from users`
    const stranger = makePasskey(site)

    for (const forged of [{ userHandle: randomBytes(32) }, { userHandle: await handleOf(ada) }])
      expect(await signIn(stranger, forged)).toMatchObject(refusal(404, UNKNOWN_PASSKEY))
    const asBob = await signIn(ada.passkey, { userHandle: await handleOf(bob) })
    expect(asBob).toMatchObject(refusal(404, UNKNOWN_PASSKEY))
    expect(await currentUserId(asBob.browser)).toBeNull()
    expect((await app.db<{ count: number }[]>`select count(*)::int from users`)[0]).toEqual(before)
  })

  test('signin-21: a suspended account does not sign in, until the suspension ends', async () => {
    const ada = await listenerWithPasskey()
    await app.db.begin((tx) => suspendAccount(tx, ada.id, 'operator'))

    expect(await signIn(ada.passkey)).toMatchObject(
      refusal(403, 'This account is suspended. Nobody can sign in to it right now.'),
    )
    await restoreAccount(app.db, ada.id, 'operator')
    expect((await signIn(ada.passkey)).status).toBe(200)
  })

  test('signin-21, signin-16: an account signs in while registration is closed', async () => {
    const { id, passkey } = await listenerWithPasskey()
    const closed = await app.another({ REGISTRATION: 'closed', PUBLIC_URL: site })

    expect(await currentUserId((await signIn(passkey, {}, closed.visitor())).browser)).toBe(id)
  })

  test('limits-2: the sixty-first try of a network within 15 minutes answers 429', async () => {
    const { passkey } = await listenerWithPasskey()
    await signIn(passkey)
    await app.db`update limit_counters set count = 60 where key like 'passkey-sign-in-ip:%'`

    expect(await signIn(passkey)).toMatchObject(
      refusal(429, 'Too many tries to sign in. Please wait a few minutes and try again.'),
    )
  })

  test('signin-21: on https the session has the cookie of other sign-ins', async () => {
    const production = await app.another(PRODUCTION)
    const passkey = makePasskey('https://bangers.example')
    const token = ada.cookies.get('session') ?? ''
    const there = production.visitor()
    there.cookies.set('__Host-session', token)
    const { body: options } = await there.call(getPasskeyOptions)
    expect(options.rp.id).toBe('bangers.example')
    expect((await there.call(addPasskey, { body: passkey.register(options) })).status).toBe(200)

    const visitor = production.visitor()
    const { body: challenge } = await visitor.call(getPasskeyChallenge)
    const { headers } = await visitor.call(signInWithPasskey, { body: passkey.signIn(challenge) })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-session=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
  })
})

test("signin-23, people-24: the owner gets a mail about a new passkey, but not with 'No e-mails'", async () => {
  const server = await app.another({ PUBLIC_URL: site, SMTP_URL: mailServer.url })
  const quiet = await app.signIn()
  await quiet.call(updateProfile, { body: { emailOptOut: true } })
  expect((await register(quiet.at(server.url))).status).toBe(200)
  expect((await register(ada.at(server.url))).status).toBe(200)

  await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual([[ada.email]])
  expect(mailServer.mails[0]?.text).toContain('A passkey was added: Unknown browser.')
  expect(mailServer.mails[0]?.text).toContain(`${site}/profile`)
})

describe('removing', () => {
  test('signin-23: a removed passkey does not sign in any more; sessions continue', async () => {
    const ada = await listenerWithPasskey()
    const { browser } = await signIn(ada.passkey)
    const remove = () => ada.call(removePasskey, { params: { id: ada.passkeyId } })

    expect(await remove()).toMatchObject({ status: 200, body: { success: true } })
    expect((await ada.call(listPasskeys)).body).toEqual([])
    expect(await signIn(ada.passkey)).toMatchObject(refusal(404, UNKNOWN_PASSKEY))
    expect(await currentUserId(browser)).toBe(ada.id)
    expect((await remove()).status).toBe(404)
  })

  test('signin-23: signing out everywhere removes passkeys if asked to, but not the only way to sign in', async () => {
    const ada = await listenerWithPasskey()
    const phone = await signIn(ada.passkey)
    const strict = await app.another({ ...PRODUCTION, PUBLIC_URL: site })
    expect(await ada.at(strict.url).call(endAllSessions, { query: { passkeys: 'remove' } })).toMatchObject(
      refusal(409, 'Your passkeys are your only way to sign in here.'),
    )
    expect(await currentUserId(phone.browser)).toBe(ada.id)
    expect((await ada.call(listPasskeys)).body).toHaveLength(1)

    expect((await ada.call(endAllSessions, { query: { passkeys: 'remove' } })).status).toBe(200)
    expect(await currentUserId(phone.browser)).toBeNull()
    expect(await signIn(ada.passkey)).toMatchObject(refusal(404, UNKNOWN_PASSKEY))
  })

  test('signing out everywhere keeps passkeys, deleting the account deletes them', async () => {
    const ada = await listenerWithPasskey()
    await ada.call(endAllSessions)
    const { status, browser } = await signIn(ada.passkey)
    expect(status).toBe(200)
    await browser.call(deleteAccount, { body: { confirmation: ada.email } })

    expect(await app.db`select from passkeys where user_id = ${ada.id}`).toHaveLength(0)
    expect((await signIn(ada.passkey)).status).toBe(404)
  })

  describe('signin-25: the only way to sign in', () => {
    const ONLY_WAY = refusal(409, 'This passkey is your only way to sign in here. Add another one first.')
    /** Without mail, and with Google where it has keys. */
    const production = (env: Record<string, string> = {}) =>
      app.another({ ...PRODUCTION, PUBLIC_URL: site, ...env })

    async function removeAt(server: TestApp, listener: Awaited<ReturnType<typeof listenerWithPasskey>>) {
      return listener.at(server.url).call(removePasskey, { params: { id: listener.passkeyId } })
    }

    test('stays where no mail is sent, until there is another passkey', async () => {
      const server = await production()
      const ada = await listenerWithPasskey()
      expect(await removeAt(server, ada)).toMatchObject(ONLY_WAY)
      await register(ada)

      expect((await removeAt(server, ada)).status).toBe(200)
    })

    test('goes where links are mailed to the address', async () => {
      const server = await production({ SMTP_URL: 'smtp://127.0.0.1:9' })
      const [ada, noAddress] = [await listenerWithPasskey(), await listenerWithPasskey()]
      await app.db`update users set email = null where id = ${noAddress.id}`

      expect((await removeAt(server, ada)).status).toBe(200)
      expect(await removeAt(server, noAddress)).toMatchObject(ONLY_WAY)
    })

    test('goes where a provider that the listener used has keys', async () => {
      const server = await production({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' })
      const [ada, bob] = [await listenerWithPasskey(), await listenerWithPasskey()]
      await app.db`
        insert into identities (provider, subject, user_id)
        values ('google', ${ada.id}, ${ada.id}), ('facebook', ${bob.id}, ${bob.id})`

      expect((await removeAt(server, ada)).status).toBe(200)
      expect(await removeAt(server, bob)).toMatchObject(ONLY_WAY)
    })

    test('two tabs do not remove the last two', async () => {
      const server = await production()
      const ada = await listenerWithPasskey()
      const { body: second } = await register(ada)
      const both = await Promise.all(
        [ada.passkeyId, second.id].map((id) => ada.at(server.url).call(removePasskey, { params: { id } })),
      )

      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await ada.call(listPasskeys)).body).toHaveLength(1)
    })
  })
})

test('an account keeps its handle after SESSION_SECRET has changed, so that devices recognise it', async () => {
  const ada = await listenerWithPasskey()
  const { body: before } = await ada.call(getPasskeyOptions)
  const context = { db: app.db, env: readEnv({}), secret: 'y'.repeat(32) } as Context

  expect((await passkeyOptions(context, ada.id)).user.id).toBe(before.user.id)
})

/** Minutes pass on the clock of the servers; the database's runs on. */
function pass(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
}

async function handleOf({ id }: { id: string }): Promise<Buffer> {
  const [row] = await app.db<{ userHandle: Buffer }[]>`
    select user_handle from passkeys where user_id = ${id} limit 1`
  if (!row) throw new Error('There is no passkey.')
  return row.userHandle
}
