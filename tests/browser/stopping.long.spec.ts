import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import type { Song } from '../../contract/shapes.ts'
import { rate } from '../factories.ts'
import { freePort } from '../harness/startProgram.ts'
import type { Visitor } from '../harness/visitor.ts'
import { signInAt } from '../harness/visitor.ts'
import { startTestServer } from './testServer.ts'

/* Graceful stops, as in every upgrade: no rating fails or is lost. */

test('SIGTERM: /ready answers 503, listeners are served until the end, and the exit code is 0', async () => {
  const app = await startTestServer({ DRAIN_SECONDS: '5' })
  try {
    const ada = await signInAt(app.url, 'stopping@example.test')
    const rating = rateOn(ada)
    await expect.poll(() => rating.songs.length).toBeGreaterThan(5)
    const stopped = app.stop()
    await expect.poll(async () => (await ada.raw('/ready')).status).toBe(503)
    expect((await ada.raw('/health')).status).toBe(200)
    expect((await ada.raw('/live')).status).toBe(200)

    expect(await stopped).toBe(0)
    // A call sent after the end is refused; those sent before were answered.
    expect(await rating.ended).toMatch(/^ECONN(REFUSED|RESET)$/)

    await app.start()
    const storedSongs = (await ada.call(listRatings)).body.map(({ id }) => id)
    expect(storedSongs).toEqual(expect.arrayContaining(rating.songs))
  } finally {
    await app.close()
  }
})

test('an incomplete request does not delay the stop', async () => {
  const app = await startTestServer()
  try {
    const half = http.request(`${app.url}${rateAndAdvance.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '100' },
    })
    half.on('error', () => {})
    half.write('{')
    await expect.poll(async () => (await fetch(`${app.url}/health`)).status).toBe(200)
    const startTime = Date.now()

    expect(await app.stop()).toBe(0)
    expect(Date.now() - startTime).toBeLessThan(30_000)
    expect(app.output()).toContain('running calls did not end within 8 s')
    half.destroy()
  } finally {
    await app.close()
  }
})

test('when the reader of its output closes, as head -1 does, the server and its database stop', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-unread-'))
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'test',
    CATALOGUE_VERIFY: 'false',
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
  }
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid')
  try {
    const program = 'set -o pipefail; "$0" dist/server/main.js | head -1'
    const pipeline = spawn('bash', ['-c', program, process.execPath], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let line = ''
    pipeline.stdout.on('data', (chunk) => {
      line += chunk
    })
    const [code] = await once(pipeline, 'close')

    expect({ code, line }).toEqual({ code: 0, line: 'preparing the database\n' })
    expect(existsSync(pidFile), 'PostgreSQL has stopped').toBe(false)
  } finally {
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
})

/** Milliseconds between ratings, which keep the listener below the limit of calls while the server stops. */
const RATING_PAUSE = 20

/** Rates song after song over keep-alive connections until a call fails; `ended` resolves to the failure. */
function rateOn(listener: Visitor) {
  const songs: string[] = []
  const failure = rateEverySong(listener, songs).then(
    (failure) => failure ?? 'every song was rated',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
  return { songs, ended: failure }
}

/** Adds each acknowledged song to `rated`; returns the response that was not an acknowledgement. */
async function rateEverySong(listener: Visitor, rated: string[]): Promise<string | null> {
  for (const { id } of (await listener.call(listMicrogenres)).body) {
    let song: Song | null = (await listener.call(getNextSong, { params: { id } })).body as Song
    while (song) {
      const answer = await rate(listener, id, song.id)
      if (answer.status !== 200) return `an answer with ${answer.status}`
      rated.push(song.id)
      song = answer.body.nextSong
      await wait(RATING_PAUSE)
    }
  }
  return null
}
