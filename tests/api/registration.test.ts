import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createInvitation, listAccounts, listInvitations, revokeInvitation } from '../../contract/admin.ts'
import {
  getCurrentUser,
  openInvitation,
  redeemMagicLink,
  returnFromGoogle,
  sendMagicLink,
  signInWithFacebook,
  signInWithGoogle,
} from '../../contract/auth.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'
import { visitProvider } from '../harness/visitor.ts'
import { startFacebook } from '../stand-ins/facebook.ts'
import { startOpenId } from '../stand-ins/openId.ts'

/*
 * REGISTRATION=closed (signin-16) and REGISTRATION=invite (signin-17, signin-18, signin-19), beside an open server
 * where people got their accounts.
 */

const google = setUpService(() => startOpenId({ callback: returnFromGoogle.path }))
const facebook = setUpService(startFacebook)
const app = setUpApp(() => ({ ...google.env('GOOGLE'), ...facebook.env }))
const closed = setUpService(() => app.another({ REGISTRATION: 'closed' }))
const club = setUpService(() => app.another({ REGISTRATION: 'invite' }))
const operator = setUpService(async () => (await app.signIn('operator@example.test')).at(club.url))

beforeEach(() => app.db`delete from limit_counters`)
afterEach(() => expect([...app.errors, ...closed.errors, ...club.errors]).toEqual([]))

const NOT_INVITED = '/auth?error=not-invited'
const INVITATION_NEEDED = '/auth?error=invitation-needed'
const INVITATION_OVER = '/auth?error=invitation-over'
let people = 0
const newEmail = () => `guest-${++people}@example.test`

/** Counts what signing in must not create without an account. */
const countPeople = async () => {
  const [row] = await app.db<{ people: number; identities: number }[]>`
    select (select count(*)::int from users) as people, (select count(*)::int from identities) as identities`
  return { people: row?.people ?? 0, identities: row?.identities ?? 0 }
}

/** An invitation, and the token in its link. */
async function invite({ days = 14, uses = 1, note }: { days?: number; uses?: number; note?: string } = {}) {
  const { body } = await operator.call(createInvitation, { body: { days, uses, note } })
  return { ...body, token: body.link.split('/').at(-1) ?? '' }
}

/** A browser that opens the invitation's page. */
async function opened(token: string): Promise<Visitor> {
  const browser = club.visitor()
  await browser.call(openInvitation, { body: { token } })
  return browser
}

async function askForLink(browser: Visitor, email = newEmail()) {
  // One network requests all links.
  await app.db`delete from limit_counters`
  const { body } = await browser.call(sendMagicLink, { body: { email } })
  return new URL(body.magicLink ?? '').search
}

/** Signs in by a link in the browser that asked for it. */
async function signInByLink(browser: Visitor, email?: string) {
  const link = await askForLink(browser, email)
  const { headers } = await browser.raw(redeemMagicLink.path + link)
  return headers.location
}

async function signInBy(browser: Visitor, start: typeof signInWithGoogle | typeof signInWithFacebook) {
  const address = await visitProvider((await browser.call(start)).headers.location ?? '', 'Allow')
  const { headers } = await browser.raw(address.pathname + address.search)
  return headers.location
}

const isNobody = async (browser: Visitor) => (await browser.call(getCurrentUser)).status === 401

test('signin-16, signin-19, signin-11: the response to a link request is the same with an account and without', async () => {
  const ada = await app.signIn(newEmail())
  for (const server of [closed, club]) {
    const [knownAnswer, unknown] = await Promise.all(
      [ada.email, newEmail()].map((email) => server.visitor().call(sendMagicLink, { body: { email } })),
    )
    expect(unknown?.status).toBe(knownAnswer?.status)
    const secrets = { magicLink: '', code: '' }
    expect({ ...unknown?.body, ...secrets }).toEqual({ ...knownAnswer?.body, ...secrets })
  }
})

describe('closed', () => {
  test('operators see in the metrics that mail fails, which no listener may see', async () => {
    const ada = await app.signIn(newEmail())
    const server = await app.another({ REGISTRATION: 'closed', SMTP_URL: 'smtp://127.0.0.1:9' })
    expect((await server.visitor().call(sendMagicLink, { body: { email: ada.email } })).status).toBe(200)

    await expect
      .poll(async () => (await server.visitor().raw('/metrics')).text)
      .toMatch(/^banger_service_calls_total\{service="Mail",result="failed"\} [1-9]/m)
  })

  test('signin-16: the link of an address with an account signs in', async () => {
    const ada = await app.signIn(newEmail())
    const browser = closed.visitor()

    expect(await signInByLink(browser, ada.email)).toBe('/')
    expect((await browser.call(getCurrentUser)).body.id).toBe(ada.id)
  })

  test("signin-16: another address's link says so once, in the browser that asked and elsewhere, and creates nothing", async () => {
    const before = await countPeople()
    const [browser, elsewhere] = [closed.visitor(), closed.visitor()]
    const link = await askForLink(browser)
    const first = await browser.raw(redeemMagicLink.path + link)
    const again = await browser.raw(redeemMagicLink.path + link)
    expect([first.headers.location, again.headers.location]).toEqual([NOT_INVITED, '/auth?error=link-used'])

    const next = await askForLink(browser)
    const pressed = await elsewhere.raw(redeemMagicLink.path + next, { method: 'POST' })
    expect(pressed.headers.location).toBe(NOT_INVITED)
    for (const who of [browser, elsewhere]) expect(await isNobody(who)).toBe(true)
    expect(await countPeople()).toEqual(before)
  })

  test('signin-16, signin-7: a verified address finds its account, and no other does', async () => {
    const ada = await app.signIn(newEmail())
    const before = await countPeople()
    for (const [email, email_verified] of [
      [newEmail(), true],
      [newEmail(), false],
      // The response does not reveal whether a claimed address has an account.
      [ada.email, false],
      [undefined, true],
    ] as const) {
      google.seat({ sub: `closed-${++people}`, email, email_verified })
      const browser = closed.visitor()
      expect([await signInBy(browser, signInWithGoogle), await isNobody(browser)]).toEqual([
        NOT_INVITED,
        true,
      ])
    }
    facebook.seat({ id: String(++people), email: ada.email })
    expect(await signInBy(closed.visitor(), signInWithFacebook)).toBe(NOT_INVITED)
    expect(await countPeople()).toEqual(before)

    google.seat({ sub: `closed-${++people}`, email: ada.email, email_verified: true })
    const browser = closed.visitor()
    await signInBy(browser, signInWithGoogle)
    expect((await browser.call(getCurrentUser)).body.id).toBe(ada.id)
  })

  test('signin-16: a person with an account from a provider signs in without an address', async () => {
    facebook.seat({ id: String(++people) })
    const [before, again] = [app.visitor(), closed.visitor()]
    for (const browser of [before, again]) await signInBy(browser, signInWithFacebook)

    const { status, body } = await before.call(getCurrentUser)
    expect(status).toBe(200)
    expect((await again.call(getCurrentUser)).body.id).toBe(body.id)
  })
})

const usesOf = async (id: string) => {
  const { invitations } = (await operator.call(listInvitations)).body
  const { uses, state } = invitations.find((one) => one.id === id) ?? {}
  return { uses, state }
}

describe('without an invitation', () => {
  test('signin-19: a new address gets no account, by link or provider', async () => {
    const before = await countPeople()
    expect(await signInByLink(club.visitor())).toBe(INVITATION_NEEDED)
    google.seat({ sub: `invited-${++people}`, email: newEmail(), email_verified: true })
    expect(await signInBy(club.visitor(), signInWithGoogle)).toBe(INVITATION_NEEDED)
    facebook.seat({ id: String(++people) })
    expect(await signInBy(club.visitor(), signInWithFacebook)).toBe(INVITATION_NEEDED)
    expect(await countPeople()).toEqual(before)
  })

  test('signin-17: a person with an account signs in as always, and uses up no invitation', async () => {
    const ada = await app.signIn(newEmail())
    const { id, token } = await invite()
    expect(await signInByLink(club.visitor(), ada.email)).toBe('/')
    expect(await signInByLink(await opened(token), ada.email)).toBe('/')
    google.seat({ sub: `invited-${++people}`, email: ada.email, email_verified: true })
    const browser = await opened(token)
    expect(await signInBy(browser, signInWithGoogle)).toBe('/')
    expect((await browser.call(getCurrentUser)).body.id).toBe(ada.id)
    expect(await usesOf(id)).toEqual({ uses: 0, state: 'open' })
  })
})

describe('with an invitation', () => {
  test('signin-18: a link makes the account in the browser that opened the invitation', async () => {
    const { id, token } = await invite({ note: 'For Ada' })
    const browser = await opened(token)
    expect(await signInByLink(browser)).toBe('/')
    const { body: user } = await browser.call(getCurrentUser)
    const [account] = (await operator.call(listAccounts, { query: { search: user.id } })).body
    expect(account).toMatchObject({ id: user.id, invitation: 'For Ada' })
    expect(await usesOf(id)).toEqual({ uses: 1, state: 'used' })
    expect([...browser.cookies.keys()]).toEqual(['session'])
  })

  test('signin-18: the link in the mail creates it in any other browser', async () => {
    const { token } = await invite()
    const link = await askForLink(await opened(token))
    const phone = club.visitor()
    const { headers } = await phone.raw(redeemMagicLink.path + link, { method: 'POST' })
    expect(headers.location).toBe('/')
    expect((await phone.call(getCurrentUser)).status).toBe(200)
  })

  test('signin-18: an invitation opened after the link was requested counts', async () => {
    const { token } = await invite()
    const browser = club.visitor()
    const link = await askForLink(browser)
    await browser.call(openInvitation, { body: { token } })
    expect((await browser.raw(redeemMagicLink.path + link)).headers.location).toBe('/')
  })

  test('signin-18: every provider makes the account, with an address and without', async () => {
    const { id, token } = await invite({ uses: 2 })
    google.seat({ sub: `invited-${++people}`, email: newEmail(), email_verified: true })
    expect(await signInBy(await opened(token), signInWithGoogle)).toBe('/')
    facebook.seat({ id: String(++people) })
    const browser = await opened(token)
    expect(await signInBy(browser, signInWithFacebook)).toBe('/')
    expect((await browser.call(getCurrentUser)).body.email).toBeNull()
    expect(await usesOf(id)).toEqual({ uses: 2, state: 'used' })
  })

  test('signin-17: of ten people who redeem one use at once, one gets an account', async () => {
    const { id, token } = await invite()
    const browsers = await Promise.all(Array.from({ length: 10 }, () => opened(token)))
    const links: string[] = []
    for (const browser of browsers) links.push(await askForLink(browser))
    const before = await countPeople()
    const ends = await Promise.all(
      browsers.map(
        async (browser, n) => (await browser.raw(redeemMagicLink.path + links[n])).headers.location,
      ),
    )
    expect(ends.sort()).toEqual(['/', ...Array(9).fill(INVITATION_OVER)])
    expect(await countPeople()).toEqual({ ...before, people: before.people + 1 })
    expect(await usesOf(id)).toEqual({ uses: 1, state: 'used' })
  })

  test('signin-17: one person who comes twice at once, by link and provider, gets one account and takes one use', async () => {
    for (const uses of [1, 3]) {
      const { id, token } = await invite({ uses })
      const email = newEmail()
      const [one, other] = [await opened(token), await opened(token)]
      const link = await askForLink(one, email)
      google.seat({ sub: `invited-${++people}`, email, email_verified: true })
      const address = await visitProvider(
        (await other.call(signInWithGoogle)).headers.location ?? '',
        'Allow',
      )
      const ends = await Promise.all([
        one.raw(redeemMagicLink.path + link),
        other.raw(address.pathname + address.search),
      ])
      expect(ends.map(({ headers }) => headers.location)).toEqual(['/', '/'])
      expect((await one.call(getCurrentUser)).body.id).toBe((await other.call(getCurrentUser)).body.id)
      expect((await usesOf(id)).uses).toBe(1)
    }
  })

  test('signin-17, signin-19: used, expired and revoked ones make no account, also one that was open when the link was sent', async () => {
    const used = await invite()
    expect(await signInByLink(await opened(used.token))).toBe('/')
    const expired = await invite({ days: 1 })
    const revoked = await invite()
    const browsers = [await opened(used.token), await opened(expired.token), await opened(revoked.token)]
    // Its cookie is only set while it is open.
    expect(browsers.map(({ cookies }) => cookies.has('invitation'))).toEqual([false, true, true])
    const before = await countPeople()
    const links = [await askForLink(browsers[1] as Visitor), await askForLink(browsers[2] as Visitor)]
    await app.db`update invitations set expires_at = now() where id = ${expired.id}`
    expect((await operator.call(revokeInvitation, { params: { id: revoked.id } })).body.state).toBe('revoked')
    for (const [n, link] of links.entries())
      expect((await browsers[n + 1]?.raw(redeemMagicLink.path + link))?.headers.location).toBe(
        INVITATION_OVER,
      )
    for (const [{ token }, state] of [
      [used, 'used'],
      [expired, 'expired'],
      [revoked, 'revoked'],
    ] as const) {
      const { body } = await club.visitor().call(openInvitation, { body: { token } })
      expect(body).toMatchObject({ state, registration: 'invite', isSignedIn: false })
    }
    expect(await countPeople()).toEqual(before)
  })
})

test('signin-17: only the hash of the token is stored, and only the first answer has the link', async () => {
  const invitation = await invite({ note: 'Secret', days: 2, uses: 5 })
  expect(invitation).toMatchObject({ note: 'Secret', state: 'open', uses: 0, maxUses: 5 })
  expect(invitation.link).toMatch(
    new RegExp(`^${club.url.replace('127.0.0.1', 'localhost')}/invite/[\\w-]{43}$`),
  )
  const days = (Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)) / 86_400_000
  expect(days).toBeCloseTo(2, 5)
  const rows = await app.db`select invitations::text as row from invitations`
  expect(JSON.stringify(rows)).not.toContain(invitation.token)
  expect(JSON.stringify((await operator.call(listInvitations)).body)).not.toContain(invitation.token)
})

test('signin-17: days and uses have limits, an empty note is none', async () => {
  for (const body of [
    { days: 0, uses: 1 },
    { days: 366, uses: 1 },
    { days: 1, uses: 0 },
    { days: 1, uses: 1001 },
    { days: 1, uses: 1, note: 'x'.repeat(101) },
  ])
    expect((await operator.call(createInvitation, { body })).status).toBe(400)
  expect((await invite({ note: '  ' })).note).toBeNull()
  const usual = (await operator.raw(createInvitation.path, { method: 'POST', json: {} })).body
  expect(usual).toMatchObject({ maxUses: 1, uses: 0 })
})

test('signin-18: an unknown token says so and sets no cookie; other servers say who can join', async () => {
  const { token } = await invite()
  const stranger = club.visitor()
  const unknown = await stranger.call(openInvitation, { body: { token: 'x'.repeat(43) } })
  expect(unknown.body).toMatchObject({ state: 'unknown', expiresAt: null })
  expect(stranger.cookies.size).toBe(0)

  const open = await app.visitor().call(openInvitation, { body: { token } })
  expect(open.body).toMatchObject({ state: 'open', registration: 'open' })
  const browser = closed.visitor()
  await browser.call(openInvitation, { body: { token } })
  const link = await askForLink(browser)
  const { headers } = await browser.raw(redeemMagicLink.path + link)
  expect(headers.location).toBe(NOT_INVITED)
  expect((await operator.call(openInvitation, { body: { token } })).body.isSignedIn).toBe(true)
})

test('signin-17: revoking twice changes nothing, an unknown invitation is 404', async () => {
  const { id } = await invite()
  const first = await operator.call(revokeInvitation, { params: { id } })
  const again = await operator.call(revokeInvitation, { params: { id } })
  expect(again.body).toEqual(first.body)
  expect((await operator.call(revokeInvitation, { params: { id: '999999' } })).status).toBe(404)
})
