import { expect, test } from 'vitest'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()

test('every response has an id of its own, also errors and unknown paths', async () => {
  const ada = await app.signIn()
  const answers = [
    await ada.raw(listRatings.path),
    await ada.raw(rateAndAdvance.path, { method: 'POST', body: '{' }),
    await ada.raw('/api/nope'),
    await app.visitor().raw(listRatings.path),
    await ada.raw('/health'),
  ]
  const ids = answers.map(({ headers }) => headers['x-request-id'])

  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(String(id)))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the log names a failure by the id in the response', async () => {
  const broken = await app.another()
  const ada = await app.signIn()
  await app.db`alter table ratings rename to away`
  const { status, headers } = await ada.at(broken.url).raw(listRatings.path)
  await app.db`alter table away rename to ratings`

  expect(status).toBe(500)
  expect(broken.errors.map((line) => (JSON.parse(line) as { reqId: string }).reqId)).toEqual([
    headers['x-request-id'],
  ])
})

test('only a trusted proxy can set the request id', async () => {
  const id = 'proxy-0123456789abcdef'
  const behind = await app.another({ TRUST_PROXY: '1' })
  const headers = { 'x-request-id': id }

  expect((await behind.visitor().raw('/health', { headers })).headers['x-request-id']).toBe(id)
  expect((await app.visitor().raw('/health', { headers })).headers['x-request-id']).not.toBe(id)
  const odd = { 'x-request-id': 'a line" of its own' }
  expect((await behind.visitor().raw('/health', { headers: odd })).headers['x-request-id']).toMatch(
    /^[0-9a-f-]{36}$/,
  )
})
