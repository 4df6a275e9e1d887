import { expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { findSecrets } from '../harness/findSecrets.ts'
import { setUpApp } from '../harness/setUpApp.ts'

/*
 * No token, e-mail or cookie in the logs. harness/setUpApp.ts checks the server of every test file when it closes,
 * and the browser tests check after every test; this file tests the check itself, and one journey line by line.
 */

const app = setUpApp()

test('a listener signs in, shares, writes and fails: the log has the routes and no personal data', async () => {
  const ada = app.visitor()
  const email = 'ada@example.test'
  const { body: sent } = await ada.call(sendMagicLink, { body: { email } })
  const link = new URL(sent.magicLink ?? '')
  const mark = ada.cookies.get('asking') ?? ''
  await ada.raw(link.pathname + link.search)
  await ada.raw(link.pathname + link.search)
  const { body: collection } = await ada.call(createCollection, { body: { name: 'Mine', isPublic: true } })
  const { shareToken } = (await ada.call(shareCollection, { params: { id: collection.id } })).body
  await app.visitor().call(getSharedCollection, { params: { shareToken } })
  await ada.call(sendFeedback, { body: { email, message: 'Write to ada@example.test' } })
  await ada.raw(`/api/${email}?token=${link.searchParams.get('token')}`)
  // PostgreSQL's error quotes the whole row, with the address.
  await app.db`alter table users add constraint no_such_bio check (bio <> 'Odd') not valid`
  expect((await ada.call(updateProfile, { body: { bio: 'Odd' } })).status).toBe(500)
  await app.db`alter table users drop constraint no_such_bio`
  expect((await ada.call(getCurrentUser)).status).toBe(200)
  const log = app.logged.join('')

  expect(log).toContain('"route":"/api/auth/magic-link/send"')
  expect(log).toContain('"route":"/api/share/collection/:shareToken"')
  expect(log).toContain('"constraint":"no_such_bio"')
  for (const secret of [
    email,
    link.searchParams.get('token') ?? '',
    mark,
    ada.cookies.get('session') ?? '',
    shareToken,
  ]) {
    expect(secret).not.toBe('')
    expect(log).not.toContain(secret)
  }
})

test.each([
  'mailed to ada.b+c@mail.example.test',
  '{"token":"Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy123"}',
  'GET /share/collection/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYm12/preview.png',
  '{"req":{"headers":{"cookie":"x"}}}',
  '/sign-in/link?token=short',
])('the check finds what must not be logged: %s', (line) => {
  expect(findSecrets(line)).not.toEqual([])
})

test.each([
  '{"level":20,"reqId":"req-1a","method":"GET","route":"/api/share/collection/:shareToken","status":200}',
  'at processTicksAndRejectionsOfSomeLongName (node:internal/process/task_queues:105:5)',
  'file:///srv/node_modules/@fastify/rate-limit/index.js',
  'aLongNameOfAFunctionThatHas43LettersButNoMore',
])('the check accepts %s', (line) => {
  expect(findSecrets(line)).toEqual([])
})
