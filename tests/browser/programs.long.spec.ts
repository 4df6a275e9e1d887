import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { getCurrentUser } from '../../contract/auth.ts'
import { seedTastes } from '../harness/seedTastes.ts'
import { expect, newEmail, signInByLink, test } from './fixtures.ts'
import { startTestServer } from './testServer.ts'

/* The operator's built programs, with and without a running server. */

const linkIn = (text: string) => /^(http\S+\/sign-in\/link\?token=[\w-]{43})$/m.exec(text)?.[1] ?? ''

test('npm run sign-in-link: beside the server it prints a link whose button signs in', async ({
  page,
  app,
}) => {
  const email = newEmail()
  const { code, out, err } = await app.run('signInLink', [email.toUpperCase()], { PUBLIC_URL: '' })
  expect({ code, err }).toEqual({
    code: 0,
    err: `This link signs in as ${email}. It works once, for 15 minutes.\n`,
  })
  // The server's address, even if the program's environment lacks it.
  expect(linkIn(out)).toContain(`${app.url}/sign-in/link?token=`)

  await page.goto(linkIn(out))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  expect((await (await page.request.get(getCurrentUser.path)).json()).email).toBe(email)
})

const PROGRAMS = {
  account: 'account',
  backup: 'backup',
  catalogue: 'catalogue',
  database: 'database',
  doctor: 'doctor',
  feedback: 'feedback',
  learn: 'learn',
  restore: 'restore',
  share: 'share',
  signInLink: 'sign-in-link',
}
for (const [program, name] of Object.entries(PROGRAMS))
  test(`npm run ${name} -- --help only prints how it is used`, async ({ app }) => {
    const { code, out, err } = await app.run(program, ['--help'])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(new RegExp(`^Usage: npm run ${name}`, 'm'))
    expect(existsSync('--help')).toBe(false)
  })

test('npm run account: suspend blocks signing in, restore allows it, delete removes everything', async ({
  request,
  app,
}) => {
  const email = newEmail()
  await signInByLink(request, email)
  const sessionStatus = async () => (await request.get(getCurrentUser.path)).status()

  expect(await app.run('account', ['suspend', email])).toEqual({
    code: 0,
    out: `${email} is suspended and will be signed out everywhere within five seconds.\n`,
    err: '',
  })
  await expect.poll(sessionStatus).toBe(401)
  await signInByLink(request, email)
  expect(await sessionStatus()).toBe(401)
  const refused = await app.run('signInLink', [email])
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is suspended') })

  expect((await app.run('account', ['restore', email])).out).toBe(`${email} can sign in again.\n`)
  await signInByLink(request, email)
  expect(await sessionStatus()).toBe(200)

  const deleted = await app.run('account', ['delete', ` ${email.toUpperCase()}`])
  expect(deleted).toMatchObject({
    code: 0,
    out: `${email} is deleted with all its data.\n`,
  })
  expect(await app.db`select from users where email = ${email}`).toHaveLength(0)
  await expect.poll(sessionStatus).toBe(401)
})

test('signin-16: npm run account -- invite creates an account that waits for its owner', async ({
  request,
  app,
}) => {
  const email = newEmail()
  const closed = { REGISTRATION: 'closed' }
  expect(await app.run('signInLink', [email], closed)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`Run "npm run account -- invite ${email}" first.`),
  })
  expect(await app.run('account', ['invite', ` ${email.toUpperCase()}`], closed)).toEqual({
    code: 0,
    out: `${email} is invited, and can sign in from now on. No mail was sent.\n`,
    err: '',
  })
  const [made] = await app.db<{ id: string }[]>`select id from users where email = ${email}`
  expect((await app.run('account', ['invite', email])).out).toBe(`${email} already has an account.\n`)
  expect((await app.run('account', ['invite', 'nobody'])).err).toBe('nobody is not an e-mail address.\n')
  expect((await app.run('signInLink', [email], closed)).code).toBe(0)
  await signInByLink(request, email)
  expect((await (await request.get(getCurrentUser.path)).json()).id).toBe(made?.id)
})

test('accounts-7: npm run account lists, signs out, invites and revokes, and the trail says so', async ({
  request,
  app,
}) => {
  const email = newEmail()
  await signInByLink(request, email)
  const { id } = await (await request.get(getCurrentUser.path)).json()
  const listed = await app.run('account', ['list', email.toUpperCase()])
  expect(listed.out).toMatch(
    new RegExp(
      `^${id}  Account ${id}  l…\\d@example\\.org  joined [\\d-]+, last seen [\\d-]+, 0 ratings\\n$`,
    ),
  )
  expect((await app.run('account', ['list', 'nobody-has-this-name'])).out).toBe('There is no such account.\n')
  expect((await app.run('account', ['sign-out', email])).out).toBe(
    `${email} will be signed out everywhere within five seconds.\n`,
  )
  await expect.poll(async () => (await request.get(getCurrentUser.path)).status()).toBe(401)
  expect((await app.run('account', ['sign-out', id])).out).toBe(`${email} is signed in nowhere.\n`)

  const made = await app.run('account', ['invite', '--note', 'The choir', '--uses', '20', '--days', '2'])
  expect(made.out).toMatch(
    /\/invite\/[\w-]{43}\nIt makes 20 accounts, until [\d-]+\. .*\nREGISTRATION is open/,
  )
  const { out } = await app.run('account', ['invitations'])
  const [, number = ''] = /^(\d+) {2}open {2}0 of 20 used {2}until [\d-]+ {2}The choir$/m.exec(out) ?? []
  expect((await app.run('account', ['revoke', number])).out).toBe(
    `Invitation ${number} makes no account any more.\n`,
  )
  expect((await app.run('account', ['invite', '--uses', '0'])).code).toBe(2)
  expect((await app.run('account', ['revoke', '999999'])).err).toBe('There is no such invitation.\n')
  const acts = await app.db`
    select action, label, reason from decisions where steward_id is null order by id desc limit 3`
  expect(acts.map(({ action, label, reason }) => [action, label, reason])).toEqual([
    ['revoke', 'The choir', 'npm run account'],
    ['invite', 'The choir', 'npm run account'],
    ['sign-out', `Account ${id}`, 'npm run account'],
  ])
})

test('invalid input prints a message and changes nothing', async ({ app }) => {
  const before = await app.db`select count(*) from sign_in_tokens`
  const answers = await Promise.all([
    app.run('signInLink'),
    app.run('signInLink', ['not an address']),
    app.run('signInLink', [newEmail(), 'more']),
    app.run('account', ['constructor', newEmail()]),
    app.run('account', ['suspend']),
    app.run('account', ['suspend', 'nobody@example.org']),
    app.run('account', ['delete', '123456789012345678']),
    app.run('doctor', [], { PORT: 'x' }),
  ])

  expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 1, 1, 1])
  expect(answers.map(({ out }) => out).join('')).toBe('')
  expect(answers.map(({ err }) => err)).toEqual([
    ...Array(3).fill('Usage: npm run sign-in-link -- EMAIL\n'),
    ...Array(2).fill(expect.stringMatching(/^Usage: npm run account -- COMMAND\n/)),
    'There is no account nobody@example.org.\n',
    'There is no account 123456789012345678.\n',
    expect.stringContaining('PORT: '),
  ])
  expect(await app.db`select count(*) from sign_in_tokens`).toEqual(before)
})

test('without the settings of the server a command finds no database, and makes none', async ({ app }) => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-programs-'))
  const elsewhere = { DATA_DIR: path.join(dataDir, 'none') }
  const words = `There is no database in ${elsewhere.DATA_DIR}. Give this command the settings of the server`
  try {
    for (const [program, ...args] of [
      ['signInLink', newEmail()],
      ['account', 'list'],
      ['backup', 'file'],
    ] as const)
      expect(await app.run(program, [...args], elsewhere), program).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining(words),
      })
    expect((await app.run('doctor', [], elsewhere)).out).toMatch(/^WARN +Database +There is no database in /m)
    expect(existsSync(path.join(elsewhere.DATA_DIR, 'postgres'))).toBe(false)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('discover-63: the server learns by itself when there are enough ratings', async () => {
  const app = await startTestServer()
  try {
    // A run that begins before all ratings are there would count for an hour. The database goes on.
    await app.kill('server')
    await app.db`delete from taste_runs`
    await seedTastes(app.db, { listeners: 60 })
    await app.start()
    await expect
      .poll(() => app.db`select from taste_runs where outcome is not null`, { timeout: 60_000 })
      .toHaveLength(1)
  } finally {
    await app.close()
  }
})

test.describe('npm run feedback', () => {
  test('people-21, diagnostics-22: prints what people wrote, newest first, beside the server', async ({
    app,
  }) => {
    await app.db`delete from feedback`
    expect(await app.run('feedback')).toEqual({ code: 0, out: 'There is no feedback.\n', err: '' })
    const [ada] = await app.db<{ id: string }[]>`
      insert into users (email, email_opt_out) values (${newEmail()}, true) returning id`
    await app.db`
      insert into feedback (user_id, email, message, created_at, mailed_at) values
        (null, 'v@example.org', ${'Hello\u001b[2J\nthere'}, '2026-03-01 08:00Z', null),
        (${ada?.id ?? ''}, 'ada@example.org', 'Louder', '2026-03-04 23:59Z', now())`
    const { code, out, err } = await app.run('feedback')

    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(
      '2026-03-04 23:59 UTC  a listener who wants no e-mails  mailed\nLouder\n\n' +
        '2026-03-01 08:00 UTC  v@example.org (no account)\nHello\uFFFD[2J\nthere\n\n',
    )
    const since = await app.run('feedback', ['--since', '2026-03-04', '--json'])
    expect(JSON.parse(since.out)).toEqual({
      id: expect.any(String),
      from: 'listener',
      email: null,
      message: 'Louder',
      createdAt: '2026-03-04T23:59:00.000Z',
      mailed: true,
    })
    expect((await app.run('feedback', ['--since', '2026-03-05', '--json'])).out).toBe('')
  })
})

test.describe('npm run doctor', () => {
  test('when everything works: services, callback addresses, and exit code 0', async ({ app }) => {
    const { smtp, url } = await startMail()
    try {
      const { code, out, err } = await app.run('doctor', [], {
        SMTP_URL: url.replace('smtp://', 'smtp://postman:letter-secret@'),
      })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(
        new RegExp(`^ok +Database +PostgreSQL \\d.*shared with the running server at ${app.url}$`, 'm'),
      )
      expect(out).toMatch(/^ok +Clock +this machine's and the database's agree$/m)
      expect(out).toMatch(/^\S+ +Disk +\d+\.\d GiB are free at \//m)
      expect(out).toMatch(/^- +Proxy +PUBLIC_URL is this machine: there is no proxy to check$/m)
      expect(out).toMatch(/^ok +Mail +127\.0\.0\.1:\d+ answers, and accepts the keys/m)
      expect(out).toMatch(/^WARN +Sender +MAIL_FROM is Banger or Bust <no-reply@localhost>: set it to/m)
      expect(out).toMatch(/^ +Spotify +an application in development mode .*five users/m)
      expect(out).toMatch(/^ok +Storage +\/.*\/uploads accepts files$/m)
      expect(out).toMatch(/^ok +Google +answers/m)
      expect(out).toMatch(/^ok +Facebook +answers/m)
      expect(out).toMatch(/^- +Companion +COMPANION_\* is not set/m)
      expect(out).toMatch(/^- +Contact +CONTACT_EMAIL and OPERATOR_NAME are not set, for the privacy page; /m)
      expect(out).toMatch(/^ok +Registration +open: people get an account/m)
      expect(out).toMatch(
        /^ok +Passkeys +people can add passkeys in their profile; those belong to localhost, /m,
      )
      expect(out).toMatch(/^ok +Diagnostics +the pages are open to every listener/m)
      expect(out).toMatch(/^ok +Elsewhere +songs have links to youtube, youtube-music, spotify, deezer, /m)
      expect(out).toMatch(/^- +Growth +CATALOGUE_GROW is not set: the server adds no songs by itself$/m)
      expect(out).toMatch(/^- +Replit +REPLIT_CLIENT_ID is not set/m)
      expect(out).toMatch(/^- +OpenID +OIDC_ISSUER and OIDC_CLIENT_ID are not set: not available$/m)
      for (const [name, callback] of [
        ['Google', '/api/auth/google/callback'],
        ['Facebook', '/api/auth/facebook/callback'],
        ['Replit', '/api/callback'],
        ['OpenID', '/api/auth/oidc/callback'],
      ])
        expect(out).toMatch(new RegExp(`^ +${name} +${app.url}${callback}$`, 'm'))
    } finally {
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    }
  })
})

/** A mail server that requires a password. */
async function startMail(): Promise<{ smtp: SMTPServer; url: string }> {
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'letter-secret' ? done(null, { user: username }) : done(new Error('wrong password')),
  })
  // A client that disconnects must not fail the test that is running.
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const address = smtp.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return { smtp, url: `smtp://127.0.0.1:${port}` }
}
