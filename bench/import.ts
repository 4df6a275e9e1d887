import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { catalogueProgram, starterMicrogenres } from './measure/catalogueProgram.ts'
import { finish, judge, setting } from './measure/goals.ts'
import type { Goal } from './measure/record.ts'

/* Speed and memory of `npm run catalogue -- import` with very many songs. See README.md. */

const SONGS = setting('BENCH_IMPORT_SONGS', 1_000_000)
/** At least these rows a second, at most these MiB of the program. */
const SPEED = 20_000
const MEMORY = 250

/** Words for names and ids. */
const WORDS = ['Velvet', 'Static', 'Northern', 'Paper', 'Copper', 'Midnight', 'Hollow']
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-import-'))
const catalogue = catalogueProgram(folder)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => catalogue.kill(signal))
try {
  const file = path.join(folder, 'songs.tsv')
  await writeSongs(file)
  const size = (await stat(file)).size
  console.log(`${SONGS.toLocaleString('en')} songs, ${Math.round(size / 2 ** 20)} MiB.`)
  // Creates the database, migrates it and loads the starter catalogue, as on a first start.
  await catalogue.run(['check'])
  await measure('import', ['import', file], { least: SPEED })
  await measure('the same import again', ['import', file])
  await measure('dry run', ['import', file, '--dry-run'])
  await measure('export', ['export', path.join(folder, 'export.tsv.gz')])
  await measure('check', ['check'])
} finally {
  await rm(folder, { recursive: true, force: true })
}
finish()

/** Realistic songs: a tenth without a video, ids and titles of usual length, over all microgenres. */
async function writeSongs(file: string): Promise<void> {
  const microgenres = starterMicrogenres()
  const out = createWriteStream(file)
  out.write('artist\ttitle\tmicrogenre\tyear\tyoutube_id\tspotify_id\tduration_ms\n')
  for (let start = 0; start < SONGS; start += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, SONGS - start) }, (_, i) => {
      const n = start + i
      return [
        `The ${WORDS[n % WORDS.length]} Band ${n % 40_000}`,
        `A Song of Usual Length, Number ${n}`,
        microgenres[(n * 31) % microgenres.length],
        1950 + (n % 70),
        n % 10 === 0 ? '' : scattered(n, 11),
        n % 2 === 0 ? scattered(n, 22) : '',
        120_000 + (n % 300_000),
      ].join('\t')
    })
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}

/** Pseudo-random like real ids, so that neighbours are spread over the whole index. */
function scattered(n: number, length: number): string {
  let id = ''
  // Odd, so that different numbers have different ids.
  let value = (BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn
  for (let i = 0; i < length; i++) {
    id += LETTERS[Number(value % 62n)]
    value /= 62n
    if (value === 0n) value = BigInt(n + 1)
  }
  return id
}

/** Program and database run in parallel, so the larger number of CPU seconds is what an idle machine needs. */
async function measure(what: string, args: string[], speed: Goal = {}): Promise<void> {
  const { seconds, peak, program, database } = await catalogue.run(args)
  judge(`${what}, s`, seconds)
  judge(`${what}, songs a second`, SONGS / seconds, speed)
  judge(`${what}, memory of the program, MiB`, peak, { most: MEMORY })
  judge(`${what}, CPU of the program, s`, program)
  judge(`${what}, CPU of the database, s`, database)
}
