import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { catalogueProgram, starterMicrogenres } from './measure/catalogueProgram.ts'

/* Speed and memory of `npm run catalogue -- import` with very many songs. See README.md. */

const SONGS = Number(process.env.BENCH_IMPORT_SONGS ?? 1_000_000)
/** At least these rows a second, at most these MiB of the program. */
const SPEED = 20_000
const MEMORY = 250

/** Words for names and ids. */
const WORDS = ['Velvet', 'Static', 'Northern', 'Paper', 'Copper', 'Midnight', 'Hollow']
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-import-'))
const missed: string[] = []
const catalogue = catalogueProgram(folder)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => catalogue.kill(signal))
try {
  const file = path.join(folder, 'songs.tsv')
  await writeSongs(file)
  const size = (await stat(file)).size
  console.log(
    `${SONGS.toLocaleString('en')} songs, ${Math.round(size / 2 ** 20)} MiB; ${os.cpus().length} CPUs, load ${load()}.`,
  )
  // Creates the database, migrates it and loads the starter catalogue, as on a first start.
  await catalogue.run(['check'])
  await measure('import', ['import', file], SPEED)
  await measure('the same import again', ['import', file], null)
  await measure('dry run', ['import', file, '--dry-run'], null)
  await measure('export', ['export', path.join(folder, 'export.tsv.gz')], null)
  await measure('check', ['check'], null)
  console.log(`Load ${load()} after.`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(missed.length === 0 ? 'All goals met.' : `Not met: ${missed.join('; ')}.`)
process.exit(missed.length === 0 ? 0 : 1)

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

/**
 * Prints a command's duration, peak memory, and the CPU seconds of program and database. They run in parallel, so
 * the larger number is what an idle machine needs.
 */
async function measure(what: string, args: string[], least: number | null): Promise<void> {
  const { seconds, peak, program, database } = await catalogue.run(args)
  const speed = Math.round(SONGS / seconds)
  const isFast = least === null || speed >= least
  const isSmall = peak <= MEMORY
  if (!isFast) missed.push(`${what}, rows a second`)
  if (!isSmall) missed.push(`${what}, memory`)
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${speed.toLocaleString('en')} songs a second` +
      `${least === null ? '' : ` (at least ${least.toLocaleString('en')}: ${isFast ? 'met' : 'NOT MET'})`}, ` +
      `${Math.round(peak)} MiB (at most ${MEMORY}: ${isSmall ? 'met' : 'NOT MET'}), ` +
      `CPU ${program.toFixed(1)} s and ${database.toFixed(1)} s`,
  )
}

function load(): string {
  return os.loadavg()[0]?.toFixed(1) ?? '?'
}
