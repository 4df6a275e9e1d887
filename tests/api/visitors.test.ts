import { beforeEach, expect, test } from 'vitest'
import { getVisitorPreview } from '../../contract/visitors.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startDeezer } from '../stand-ins/deezer.ts'

const deezer = setUpService(startDeezer)
const app = setUpApp(() => ({ DEEZER_URL: deezer.url }))
beforeEach(() => {
  deezer.reset()
  app.renewServices()
})

const makeSong = async () => (await makeMicrogenre(app.db, 1)).songs[0] ?? ''
const preview = (id: string, from = app) => from.visitor().call(getVisitorPreview, { params: { id } })

test('visitors-3: a hundred visitors at once and later ones cost one look-up', async () => {
  const id = await makeSong()
  const answers = await Promise.all(Array.from({ length: 100 }, () => preview(id)))
  answers.push(await preview(id))

  expect(new Set(answers.map(({ body }) => body.result?.previewUrl)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({ success: true, result: { source: 'deezer' } })
  expect(deezer.requests).toHaveLength(1)
})

test.each(['nothing', 'down'] as const)(
  'visitors-3: a song for which Deezer has %s is not looked up again',
  async (answer) => {
    const id = await makeSong()
    deezer.answer(answer)
    expect(await preview(id)).toMatchObject({ status: 200, body: { success: false, result: null } })
    const before = deezer.requests.length
    deezer.reset()
    const other = await app.another({ DEEZER_URL: deezer.url })
    expect((await preview(id)).body.success).toBe(false)
    expect((await preview(id, other)).body.success).toBe(false)
    expect(before).toBeGreaterThan(0)
    expect(deezer.requests).toEqual([])
  },
)

test('visitors-3: a network causes forty look-ups a minute, and retired songs none', async () => {
  const [first = '', second = ''] = (await makeMicrogenre(app.db, 2)).songs
  await app.db`update songs set retired_at = now() where id = ${first}`
  expect((await preview(first)).status).toBe(404)
  await preview(second)
  await app.db`update limit_counters set count = 40 where key like 'visitor-lookups:%'`

  expect((await preview(second)).status).toBe(200)
  expect((await preview(await makeSong())).status).toBe(429)
  await app.db`delete from limit_counters where key like 'visitor-lookups%'`
})

test.each<Record<string, string>>([
  { VISITORS: 'off' },
  { REGISTRATION: 'closed' },
  { REGISTRATION: 'invite' },
])('visitors-1: with %j there is nothing to hear', async (settings) => {
  const closed = await app.another({ DEEZER_URL: deezer.url, ...settings })
  expect(await preview(await makeSong(), closed)).toMatchObject({
    status: 404,
    body: { message: 'There is no such call.' },
  })
  expect(deezer.requests).toEqual([])
})
