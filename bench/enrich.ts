import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type HostileSong, spreadHostileMusic } from '../tests/stand-ins/hostileMusic.ts'
import { startOutside } from '../tests/stand-ins/outside.ts'
import { type Costs, catalogueProgram, starterMicrogenres } from './measure/catalogueProgram.ts'

/* Memory and truth of `npm run catalogue -- enrich` with very many songs. See README.md. */

const SONGS = Number(process.env.BENCH_SONGS ?? 100_000)
/** MiB of the program at most. */
const MEMORY = 250
/** How many songs the catalogue has in a microgenre at most. */
const PER_MICROGENRE = 1000

const microgenres = starterMicrogenres()
const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-enrich-'))
const outside = await startOutside()
const catalogue = catalogueProgram(folder, outside.env)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => catalogue.kill(signal))
const missed: string[] = []
try {
  console.log(`${SONGS.toLocaleString('en')} songs; ${os.cpus().length} CPUs, load ${load()}.`)
  const songs = spreadHostileMusic(outside, SONGS)
  await writeFile(path.join(folder, 'songs.tsv'), [...linesOf(songs)].join('\n'))
  // Creates the database, migrates it and loads the starter catalogue, as on a first start.
  await catalogue.run(['check'])
  await catalogue.run(['import', path.join(folder, 'songs.tsv')])
  show('enrich', await catalogue.run(['enrich']))
  const found = await exported('found.tsv')
  const wrong = songs.filter((song) => isWrong(song, found.get(song.key)))
  const lost = songs.filter(({ key, truth }) => truth.mbid && !found.get(key)?.recording)
  judge('songs with a wrong recording or ISRC', wrong)
  judge('songs not identified although a service knows them', lost)

  const asked = callsOf()
  show('enrich again', await catalogue.run(['enrich']))
  judge('calls of the second run', Array.from({ length: callsOf() - asked }))
  const again = await exported('again.tsv')
  judge(
    'songs that it changed',
    [...found].filter(([key, { line }]) => again.get(key)?.line !== line),
  )
  console.log(`Load ${load()} after.`)
} finally {
  await outside.close()
  await rm(folder, { recursive: true, force: true })
}
console.log(missed.length === 0 ? 'All goals met.' : `Not met: ${missed.join('; ')}.`)
process.exit(missed.length === 0 ? 0 : 1)

function* linesOf(songs: HostileSong[]): Generator<string> {
  yield 'key\tartist\ttitle\tmicrogenre\tyear\tduration_ms\tisrc'
  for (const [index, { key, artist, title, year, durationMs, isrc }] of songs.entries()) {
    const microgenre = microgenres[Math.floor(index / PER_MICROGENRE) % microgenres.length]
    yield [key, artist, title, microgenre, year ?? '', durationMs ?? '', isrc ?? ''].join('\t')
  }
}

interface Exported {
  line: string
  recording: string
  isrc: string
}

/** All songs by their keys. */
async function exported(name: string): Promise<Map<string, Exported>> {
  const file = path.join(folder, name)
  await catalogue.run(['export', file])
  const lines = createInterface({ input: createReadStream(file) })
  const songs = new Map<string, Exported>()
  let columns: string[] | undefined
  for await (const line of lines) {
    const cells = line.split('\t')
    if (!columns) columns = cells
    const cell = (column: string) => cells[columns?.indexOf(column) ?? -1] ?? ''
    songs.set(cell('key'), { line, recording: cell('recording_mbid'), isrc: cell('isrc') })
  }
  return songs
}

function isWrong({ truth }: HostileSong, found: Exported | undefined): boolean {
  if (!found) return true
  return (
    (found.recording !== '' && found.recording !== truth.mbid) ||
    (found.isrc !== '' && found.isrc !== truth.isrc)
  )
}

function callsOf(): number {
  const { deezer, listenbrainz, musicbrainz } = outside
  return deezer.asked.length + listenbrainz.asked.length + musicbrainz.asked.length
}

/** The goal is none. */
function judge(what: string, faults: unknown[]): void {
  if (faults.length > 0) missed.push(what)
  console.log(`${what}: ${faults.length}`)
  for (const fault of faults.slice(0, 3)) if (fault) console.log(`  ${JSON.stringify(fault)}`)
}

function show(what: string, { seconds, peak, program, database, output }: Costs): void {
  const isSmall = peak <= MEMORY
  if (!isSmall) missed.push(`${what}, memory`)
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(peak)} MiB (at most ${MEMORY}: ${isSmall ? 'met' : 'NOT MET'}), ` +
      `CPU ${program.toFixed(1)} s and ${database.toFixed(1)} s`,
  )
  console.log(output.trim().replaceAll(/^/gm, '  '))
}

function load(): string {
  return os.loadavg()[0]?.toFixed(1) ?? '?'
}
