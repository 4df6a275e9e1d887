import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { packagePath } from '../../server/packagePath.ts'
import { makeMicrogenre, nextSong, rate } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { exceptOnCluster, expectRecount } from '../harness/setUpDatabase.ts'
import { setUpFolder, setUpService } from '../harness/setUpService.ts'
import { freePort } from '../harness/startProgram.ts'
import type { Visitor } from '../harness/visitor.ts'
import { signInAt } from '../harness/visitor.ts'

const app = setUpApp()
const line = setUpService(() => startDatabaseProxy(app.target))
const folder = setUpFolder()

exceptOnCluster('the servers are others than the one of the cluster')(
  'servers with different functions rate on one database, also after a rollback',
  async () => {
    const next = await startServer(await makeNextVersion(folder), line.target)
    try {
      const genre = await makeMicrogenre(app.db, 40)
      const [ada, bob] = [
        rateInTurns('ada@example.test', genre.id),
        rateInTurns('bob@example.test', genre.id),
      ]

      const both = await Promise.all([ada, bob].map((rateAt) => rateAt([app.url, next.url], 10)))
      expect(both).toEqual(Array(2).fill([1, 1002, 3, 1004, 5, 1006, 7, 1008, 9, 1010]))
      await next.end()
      await migrateDatabase(app.target)
      expect(await ada([app.url, (await app.another()).url], 4)).toEqual([11, 12, 13, 14])
      await expectRecount(app.db)
    } finally {
      await next.end()
    }
  },
  // On a busy machine the other server takes a minute to start from its sources.
  300_000,
)

/** Rates songs at these servers in turns. Returns the total ratings of each response. */
function rateInTurns(email: string, microgenreId: string) {
  return async (urls: string[], most: number): Promise<number[]> => {
    await app.db`delete from limit_counters`
    // One after the other: a new link replaces the one before.
    const visitors: Visitor[] = []
    for (const url of urls) visitors.push(await signInAt(url, email))
    const totals: number[] = []
    for (let n = 0; n < most; n++) {
      const visitor = visitors[n % visitors.length] as Visitor
      const song = await nextSong(visitor, microgenreId)
      const { body } = await rate(visitor, microgenreId, song?.id ?? '')
      totals.push(body.totals.totalRatings)
    }
    return totals
  }
}

/** The sources of a server with a function that gives each listener a thousand ratings more. It shows no page. */
async function makeNextVersion(folder: string): Promise<string> {
  for (const each of [
    'server',
    'contract',
    'catalogue',
    'docs',
    'package.json',
    'tsconfig.base.json',
    'tsconfig.json',
  ])
    await cp(packagePath(each), path.join(folder, each), { recursive: true })
  await symlink(packagePath('node_modules'), path.join(folder, 'node_modules'))
  await mkdir(path.join(folder, 'dist/web'), { recursive: true })
  await writeFile(path.join(folder, 'dist/web/index.html'), '<!doctype html><head></head>')
  await writeFile(path.join(folder, 'dist/web/frames.json'), '{}')
  for (const name of ['rate_song', 'rate_songs']) {
    const file = path.join(folder, `server/db/functions/${name}.sql`)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/(room_bangers, \w+\.total_ratings)/, '$1 + 1000'))
  }
  return folder
}

async function startServer(sources: string, target: string) {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const env = { DATABASE_URL: target, DATA_DIR: path.join(sources, 'data'), PORT: String(port) }
  const server = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'server/main.ts'], {
    cwd: sources,
    env: { PATH, HOME, NODE_ENV: 'test', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += String(chunk)
      if (output.includes('is ready at')) resolve()
    })
    void ended.then(() => reject(new Error(`The server ended:\n${output}`)))
  })
  return {
    url: `http://localhost:${port}`,
    end: () => {
      server.kill('SIGTERM')
      return ended
    },
  }
}
