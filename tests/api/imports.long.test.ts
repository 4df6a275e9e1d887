import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getImport, removeImport } from '../../contract/imports.ts'
import { applyImport, revertImport } from '../../server/imports/applyImport.ts'
import { runImports } from '../../server/imports/runImports.ts'
import { createLog } from '../../server/process/log.ts'
import { makeImport as makeLoves, makeMicrogenre, rate } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

/* A million plays of one history (imports-11, imports-15): memory, progress, cancel, and other people's ratings. */

const app = setUpApp()
const PLAYS = scaled(50_000, 1_000_000)
const LOVES = scaled(2000, 10_000)
const RATINGS = 1000
const MIB = 1024 * 1024

test('imports-11: a million plays are read in 250 MiB, progress moves, others rate as before, cancelling is quick', {
  timeout: 1_200_000,
}, async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 4000)
  const songs = genre.songs.values()
  const before = await timeRatings(bob, genre.id, songs)
  const content = await writeHistory()
  const [first, second] = [await makeImport(ada.id), await makeImport(ada.id)]
  const withFile = (_: string, use: (path: string) => Promise<unknown>) => use(content)
  const integrations = { store: { ...app.store, withFile } }
  const context = { db: app.db, log: createLog('silent', process.stdout), integrations }
  const rss = process.memoryUsage.rss()
  const read = async (id: string) => (await ada.call(getImport, { params: { id } })).body
  let [peak, stall, movedAt, last] = [0, 0, performance.now(), '']
  const watch = setInterval(async () => {
    peak = Math.max(peak, process.memoryUsage.rss() - rss)
    const { status, progress } = await read(first)
    const now = JSON.stringify(progress)
    if (now !== last) movedAt = performance.now()
    // The thread starts slowly from source.
    else if (status === 'reading' && progress.bytes > 0) stall = Math.max(stall, performance.now() - movedAt)
    last = now
  }, 200)
  onTestFinished(() => clearInterval(watch))
  const started = performance.now()
  const running = runImports(context as never, AbortSignal.timeout(1_100_000))
  const during = await timeRatings(bob, genre.id, songs)
  const patience = { timeout: 1_000_000, interval: 500 }
  await expect.poll(async () => (await read(first)).status, patience).toBe('ready')
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  const done = await read(first)
  await expect.poll(async () => (await read(second)).progress.rows, patience).toBeGreaterThan(0)
  const removedAt = performance.now()
  await ada.call(removeImport, { params: { id: second } })
  await running
  const cancel = performance.now() - removedAt
  console.log(
    `${PLAYS} plays: ${seconds.toFixed(1)} s, ${(peak / MIB).toFixed(0)} MiB more, longest stall ${stall.toFixed(0)} ms, ` +
      `cancelled in ${cancel.toFixed(0)} ms, p99 of ratings ${before.toFixed(1)} → ${during.toFixed(1)} ms, load ${os.loadavg()[0]}`,
  )

  expect(done.progress.rows).toBe(PLAYS)
  expect(done.heaps.known).toBeGreaterThanOrEqual(2000)
  expect(done.heaps.unknown).toBeLessThanOrEqual(50_000)
  expect(peak).toBeLessThan(250 * MIB)
  // Others may use the machine.
  const slowness = Math.max(1, (os.loadavg()[0] ?? 0) / os.cpus().length)
  expect(stall).toBeLessThan(1000 * slowness)
  expect(cancel).toBeLessThan(1000 * slowness)
  expect(during).toBeLessThan(1.5 * before * slowness)
})

test('imports-28: others rate as before while ten thousand loves are applied and taken back', {
  timeout: 600_000,
}, async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const [loved, rated] = [await makeMicrogenre(app.db, LOVES), await makeMicrogenre(app.db, 3000)]
  const songs = rated.songs.values()
  const id = await makeLoves(
    app.db,
    ada.id,
    loved.songs.map((songId) => ({ songId })),
  )
  const before = await timeRatings(bob, rated.id, songs)
  const applying = applyImport(app.db, id, { bangers: true, busts: true, plays: true })
  const whileApplied = await timeRatings(bob, rated.id, songs)
  expect(await applying).toBe(true)
  await app.db`update imports set status = 'reverting' where id = ${id}`
  const reverting = revertImport(app.db, id)
  const whileReverted = await timeRatings(bob, rated.id, songs)
  expect(await reverting).toBe(true)
  const load = os.loadavg()[0] ?? 0
  console.log(
    `p99 of ratings ${before.toFixed(1)} ms, ${whileApplied.toFixed(1)} while ${LOVES} loves are applied, ` +
      `${whileReverted.toFixed(1)} while they are taken back, load ${load.toFixed(1)}`,
  )
  const slowness = Math.max(1, load / os.cpus().length)
  expect(Math.max(whileApplied, whileReverted)).toBeLessThan(1.5 * before * slowness)
})

/** Milliseconds that 99 of 100 ratings need at most. */
async function timeRatings(bob: Visitor, genre: string, songs: Iterator<string>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < RATINGS; n++) {
    const started = performance.now()
    await rate(bob, genre, songs.next().value)
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(RATINGS * 0.99)] ?? 0
}

async function makeImport(owner: string): Promise<string> {
  const [row] = await app.db<{ id: string }[]>`
    insert into imports (user_id, upload_key) values (${owner}, gen_random_uuid()) returning id`
  return row?.id ?? ''
}

/** An extended history of Spotify, in which few songs have most plays. */
async function writeHistory(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = createWriteStream(path.join(folder, 'a.json'))
  for (let n = 0; n < PLAYS; n++) {
    const song = n % 2 === 0 ? n % 4000 : Math.floor((n * 7919) % 300_000)
    const row = {
      ts: new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString(),
      ms_played: 200_000,
      ip_addr: '203.0.113.7',
      master_metadata_track_name: `Song ${song}`,
      master_metadata_album_artist_name: `Artist ${song}`,
      spotify_track_uri: null,
      incognito_mode: false,
    }
    if (!file.write(`${n === 0 ? '[' : ','}${JSON.stringify(row)}\n`)) await once(file, 'drain')
  }
  file.end(']')
  await once(file, 'finish')
  return file.path.toString()
}
