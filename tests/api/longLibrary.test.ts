import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { makeMicrogenre, writeRatings } from '../factories.ts'
import { requestBytes } from '../harness/request.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const RATINGS = 5000
/** More than the server's database pool. */
const LISTENERS = 10

let songs: string[]
/** Separate from the server's pool. */
let beside: Database
afterAll(() => beside.end())
beforeAll(async () => {
  beside = connect(app.target, { max: 2 })
  songs = (await makeMicrogenre(app.db, RATINGS)).songs
  await app.db`
    update songs set year = case when id % 3 = 0 then 1970 + id % 50 end, duration_ms = 180000 + id,
      title = 'Title "' || id || E'" \\ \t\u2028 <b>é 夏 🎧', artist = 'Artist / ' || id,
      youtube_id = case when id % 5 > 0 then left(md5(id::text), 11) end,
      blocked_video_id = case when id % 7 = 0 then left(md5(id::text), 11) end,
      album_art = case when id % 11 = 0 then 'https://example.test/' || id end
    where id = any(${songs}::bigint[])`
})

async function listenerWith(count: number) {
  const listener = await app.signIn()
  await writeRatings(app.db, listener.id, songs.slice(0, count), (index) => index % 3 > 0)
  return listener
}

test('a long list has exactly the format of a short one, in every compression', async () => {
  const ada = await listenerWith(1200)
  const beginning = await ada.raw(listRatings.path, { headers: { range: 'items=0-499' } })
  const whole = await ada.raw(listRatings.path)
  const list = whole.body as RatedSong[]

  expect(beginning.status).toBe(206)
  expect(whole).toMatchObject({ status: 200, headers: { 'content-type': beginning.headers['content-type'] } })
  expect(whole.text.slice(0, beginning.text.length - 1)).toBe(beginning.text.slice(0, -1))
  expect(list.map(({ id }) => id)).toEqual(songs.slice(0, 1200).toReversed())
  for (const type of ['banger', 'bust'] as const) {
    const { body } = await ada.call(listRatings, { query: { type } })
    expect(body).toEqual(list.filter(({ rating }) => rating === type))
  }
  expect((await openList(ada, 'gzip, deflate')).text).toBe(whole.text)
  expect((await openList(ada, 'gzip, deflate, br')).text).toBe(whole.text)
})

test('a range of thousands returns the whole list', async () => {
  const ada = await listenerWith(600)
  const { status, body } = await ada.raw(listRatings.path, { headers: { range: 'items=0-9998' } })

  expect(status).toBe(200)
  expect(body).toHaveLength(600)
})

test('ten long libraries opened at once leave database connections for other calls', async () => {
  const bob = await app.signIn()
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listenerWith(600)))
  let lists: ReturnType<typeof openList>[] = []
  await beside.begin(async (tx) => {
    // Blocks the lists for now.
    await tx`lock table ratings in access exclusive mode`
    lists = listeners.map((each) => openList(each))
    await expect.poll(waitingForRatings).toBeGreaterThan(0)
    for (let i = 0; i < 20; i++) expect((await bob.call(getMyStats)).status).toBe(200)
  })

  for (const { status, text } of await Promise.all(lists)) {
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveLength(600)
  }
})

test('a listener who reads long lists repeatedly is refused for a while, others are not', async () => {
  const [ada, bob] = await Promise.all([listenerWith(600), listenerWith(600)])
  // Simulates more lists than a test has time to read.
  await app.db`update listener_stats set total_ratings = 100000 where user_id = ${ada.id}`
  for (let n = 0; n < 2; n++) expect((await ada.raw(listRatings.path)).status).toBe(200)
  const refused = await ada.raw(listRatings.path)

  expect(refused).toMatchObject({ status: 429, body: { message: expect.stringMatching(/long lists/) } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ada.raw(listRatings.path, { headers: { range: 'items=0-99' } })).status).toBe(206)
  expect((await bob.raw(listRatings.path)).status).toBe(200)
})

test('other calls do not wait while the JSON of a library of thousands of ratings is written', async () => {
  const ada = await listenerWith(RATINGS)
  await requestList(ada)
  const shares: number[] = []
  for (let i = 0; i < 3; i++) shares.push(await longestShare(() => requestList(ada)))
  // Written in one piece, the share would be nearly 1.
  expect(Math.min(...shares)).toBeLessThan(0.5)
})

async function openList(listener: Visitor, encoding?: string) {
  const { status, headers, bytes } = await requestList(listener, encoding)
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[headers['content-encoding'] ?? '']
  return { status, text: String(unpack ? unpack(bytes) : bytes) }
}

function requestList({ cookies }: Visitor, encoding = 'identity') {
  return requestBytes(`${app.url}${listRatings.path}`, {
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'accept-encoding': encoding,
    },
  })
}

async function waitingForRatings(): Promise<number> {
  const [row] = await beside<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_locks where relation = 'ratings'::regclass and not granted`
  return row?.waiting ?? 0
}

/**
 * The longest turn of the event loop meanwhile as a share of all its turns, in CPU time, so that other programs on the
 * machine do not count.
 */
async function longestShare(work: () => Promise<unknown>): Promise<number> {
  let [longest, sum, before] = [0, 0, process.cpuUsage()]
  const workDone = work().then(() => true)
  for (let isDone = false; !isDone; ) {
    isDone = await Promise.race([workDone, new Promise<false>((resolve) => setImmediate(resolve, false))])
    const { user, system } = process.cpuUsage(before)
    sum += user + system
    longest = Math.max(longest, user + system)
    before = process.cpuUsage()
  }
  return longest / sum
}
