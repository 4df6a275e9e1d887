import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { returnFromGoogle } from '../../contract/auth.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { requireEmbeddedConnection } from '../../server/db/embedded/connection.ts'
import { freePort } from '../harness/startProgram.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { startCoverart } from '../stand-ins/coverart.ts'
import { startDeezer } from '../stand-ins/deezer.ts'
import { startFacebook } from '../stand-ins/facebook.ts'
import { startListenbrainzAccounts } from '../stand-ins/listenbrainzAccounts.ts'
import { startOpenId } from '../stand-ins/openId.ts'
import { startSpotify } from '../stand-ins/spotify.ts'
import { startYoutube } from '../stand-ins/youtube.ts'
import { startYoutubeApi } from '../stand-ins/youtubeApi.ts'

/** Another version of Node to run the product on. */
const node = process.env.SERVER_NODE ?? process.execPath

/** The built product in a process of its own, with an empty data folder and stand-ins for outside services. */
export interface TestServer extends StandIns {
  /** Its address, such as http://localhost:43211, with TEST_SUB_PATH. */
  url: string
  /** Its database, for states that the page cannot create. */
  db: Database
  /** Ends the server process with `signal` and starts it again on the same data. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Sends SIGKILL to the server, the database, or both, without a restart. */
  kill(what: 'server' | 'database' | 'both'): Promise<void>
  /** Starts the server again after `kill` or `stop`. */
  start(): Promise<void>
  /** Stops the server gracefully; returns its exit code, null when a signal ended it. */
  stop(): Promise<number | null>
  /** Sends a signal to every process of the database, such as SIGSTOP. */
  signalDatabase(signal: NodeJS.Signals): Promise<void>
  dataDir: string
  /** The process that supervises the workers. */
  supervisor(): number
  /** The processes that answer calls. */
  workers(): number[]
  /** Everything the server printed. */
  output(): string
  /** Runs a command-line program on the server's data, with changes to its environment. */
  run(
    program: string,
    args?: string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | null; out: string; err: string }>
  close(): Promise<void>
}

type StandIns = Awaited<ReturnType<typeof startStandIns>>

/** The server has the keys of all. Replit has none. */
const startStandIns = async (subPath: string) => ({
  youtube: await startYoutube(),
  coverart: await startCoverart(),
  deezer: await startDeezer(),
  listenbrainz: await startListenbrainzAccounts(),
  /** The Data API and oEmbed. */
  youtubeApi: await startYoutubeApi(),
  spotify: await startSpotify(),
  /** A real OpenID provider. */
  google: await startOpenId({ callback: subPath + returnFromGoogle.path }),
  facebook: await startFacebook(),
})

/**
 * `settings` add to or replace the environment of the server; a DATA_DIR among them is not deleted.
 * `files` limits the files that the server may open; `subPath` is the path of PUBLIC_URL.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  { files, subPath = SUB_PATH }: { files?: number; subPath?: string } = {},
): Promise<TestServer> {
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(path.join(os.tmpdir(), 'bob-browser-')))
  const standIns = await startStandIns(subPath)
  const { youtube, coverart, deezer, listenbrainz, youtubeApi, spotify, google, facebook } = standIns
  const port = await freePort()
  const url = `http://localhost:${port}${subPath}`
  const env = {
    NODE_ENV: 'test',
    PROCESSES: '1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    COVERART_URL: coverart.url,
    // Its videos are not those of the stand-in.
    CATALOGUE_VERIFY: 'false',
    DEEZER_URL: deezer.url,
    PREVIEW_HOSTS: deezer.previewHost,
    LISTENBRAINZ_URL: listenbrainz.url,
    SPOTIFY_ACCOUNTS_URL: spotify.url,
    SPOTIFY_API_URL: spotify.url,
    SPOTIFY_CLIENT_ID: spotify.clientId,
    SPOTIFY_CLIENT_SECRET: spotify.clientSecret,
    YOUTUBE_API_KEY: youtubeApi.key,
    YOUTUBE_API_URL: youtubeApi.apiUrl,
    YOUTUBE_OEMBED_URL: youtubeApi.oembedUrl,
    YOUTUBE_PLAYER_URL: youtube.url,
    YOUTUBE_NOCOOKIE_URL: youtube.noCookieUrl,
    YOUTUBE_IMAGE_URL: youtube.url,
    ...google.env('GOOGLE'),
    ...facebook.env,
    LOG_LEVEL: 'debug',
    ...settings,
  }
  let output = ''
  const start = () => startServer(url, env, files, (text) => (output += text))
  let server = await start()
  // The socket's folder stays the same over restarts, and the pool reconnects by itself.
  const db = connect(settings.DATABASE_URL ?? (await requireEmbeddedConnection(dataDir)), { max: 2 })

  return {
    url,
    dataDir,
    ...standIns,
    db,
    supervisor: () => server.pid ?? 0,
    workers: () => childrenOf(server.pid ?? 0),
    output: () => output,
    run: (program, args = [], more = {}) => runProgram(program, args, { ...env, ...more }),
    async restart(signal) {
      await end(server, signal)
      server = await start()
    },
    async kill(what) {
      const database = await postmasterOf(dataDir)
      if (what !== 'database') await end(server, 'SIGKILL')
      if (what !== 'server') for (const pid of [database, ...childrenOf(database)]) signalNow(pid, 'SIGKILL')
    },
    async start() {
      server = await start()
    },
    async stop() {
      await end(server, 'SIGTERM')
      return server.exitCode
    },
    async signalDatabase(signal) {
      const database = await postmasterOf(dataDir)
      for (const pid of [database, ...childrenOf(database)]) signalNow(pid, signal)
    },
    async close() {
      await db.end({ timeout: 1 })
      await end(server, 'SIGTERM')
      await Promise.all(Object.values(standIns).map((each) => each.close()))
      if (!settings.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startServer(
  url: string,
  env: Record<string, string>,
  files: number | undefined,
  keep: (text: string) => void,
): Promise<ChildProcess> {
  const { PATH, HOME } = process.env
  const program = [node, 'dist/server/main.js']
  const [command = '', ...args] =
    files === undefined ? program : ['bash', '-c', `ulimit -n ${files} && exec "$0" "$@"`, ...program]
  const server = spawn(command, args, { env: { PATH, HOME, ...env } })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      keep(String(chunk))
    })
  }
  const deadline = Date.now() + 60_000
  for (;;) {
    const ready = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return server
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill('SIGKILL')
      throw new Error(`The server did not start:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function runProgram(program: string, args: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env
  const child = spawn(node, [`dist/server/programs/${program}.js`, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

async function end(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = new Promise((resolve) => server.once('exit', resolve))
  if (signal === 'SIGKILL') for (const pid of childrenOf(server.pid ?? 0)) signalNow(pid, signal)
  server.kill(signal)
  await exited
}

async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return processes.flatMap(([pid, ppid]) => (pid && ppid === parent ? [pid] : []))
}

/** A process that has already exited needs no signal. */
function signalNow(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
