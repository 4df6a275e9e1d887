import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { rateAndAdvance } from '../../contract/discovery.ts'
import type { SongRange } from '../measure/listeners.ts'
import type { AddCleanUp } from '../measure/report.ts'

/* Whom wrk calls, and how. */

/** A server that stores ratings, or the echo. */
export interface Target {
  url: string
  /** With %d for the song and %s for the rating. */
  body: string
  firstSong: number
  songs: number
  /** In turn. */
  ratings: readonly (string | number)[]
}

export interface Load {
  calls: number
  seconds: number
  /** Responses with status 400 or more, and calls without one. */
  refused: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export const perSecond = ({ calls, seconds }: Load) => calls / seconds

export const productAt = (url: string, { microgenreId, firstSong, songs }: SongRange): Target => ({
  url: url + rateAndAdvance.path,
  body: JSON.stringify({
    microgenreId: String(microgenreId),
    songId: '%d',
    rating: '%s',
    zone: 'Europe/Berlin',
  }),
  firstSong,
  songs,
  ratings: ['bust', 'banger', 'banger'],
})

/** See README.md for its songs. */
export const peerAt = (url: string): Target => ({
  url: new URL('/api/v1/db/rate-song', url).href,
  body: '{"filepath":"m/bells-%d.mp3","rating":%s}',
  firstSong: 1,
  songs: 200,
  ratings: [...Array(11).keys()],
})

/** On the server's version of Node. */
export async function startEcho(later: AddCleanUp): Promise<{ url: string; pid: number }> {
  const echo = fork(path.join(import.meta.dirname, 'echo.ts'), { execPath: process.env.SERVER_NODE })
  later(() => void (echo.connected && echo.disconnect()))
  const [port] = await once(echo, 'message')
  return { url: `http://127.0.0.1:${port}`, pid: echo.pid ?? 0 }
}

/**
 * So many concurrent callers, each rating song after song for its own listeners, with a mean pause in milliseconds.
 */
export async function loadByHttp(
  { url, body, firstSong, songs, ratings }: Target,
  sessions: readonly string[],
  { seconds, connections, pause = 0 }: { seconds: number; connections: number; pause?: number },
): Promise<Load> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-rate-'))
  try {
    const file = path.join(folder, 'cookies')
    await writeFile(file, sessions.map((session) => `session=${session}\n`).join(''))
    const size = ['-t', connections, '-c', connections, '-d', `${seconds}s`, '--timeout', '10s']
    const script = path.join(import.meta.dirname, 'rate.lua')
    const { host, pathname } = new URL(url)
    const own = [file, connections, host, pathname, body, firstSong, songs, ratings.join(), Math.round(pause)]
    const args = [...size, '-s', script, url, '--', ...own].map(String)
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    if (code !== 0) throw new Error(`wrk exited with ${code}:\n${output}`)
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Load
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
