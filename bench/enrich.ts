import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type HostileSong, spreadHostileMusic } from '../tests/stand-ins/hostileMusic.ts'
import { startOutside } from '../tests/stand-ins/outside.ts'
import { type Costs, catalogueProgram, starterMicrogenres } from './measure/catalogueProgram.ts'
import { finish, judge, setting } from './measure/goals.ts'

/* Memory and truth of `npm run catalogue -- enrich` with very many songs. See README.md. */

const SONGS = setting('BENCH_SONGS', 100_000)
/** MiB of the program at most. */
const MEMORY = 250
/** How many songs the catalogue has in a microgenre at most. */
const PER_MICROGENRE = 1000

const microgenres = starterMicrogenres()
const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-enrich-'))
const outside = await startOutside()
const catalogue = catalogueProgram(folder, outside.env)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => catalogue.kill(signal))
try {
  console.log(`${SONGS.toLocaleString('en')} songs.`)
  const songs = spreadHostileMusic(outside, SONGS)
  await writeFile(path.join(folder, 'songs.tsv'), [...linesOf(songs)].join('\n'))
  // Creates the database, migrates it and loads the starter catalogue, as on a first start.
  await catalogue.run(['check'])
  await catalogue.run(['import', path.join(folder, 'songs.tsv')])
  show('enrich', await catalogue.run(['enrich']))
  const found = await exported('found.tsv')
  const wrong = songs.filter((song) => isWrong(song, found.get(song.key)))
  const lost = songs.filter(({ key, truth }) => truth.mbid && !found.get(key)?.recording)
  judgeNone('songs with a wrong recording or ISRC', wrong)
  judgeNone('songs not identified although a service knows them', lost)

  const asked = callsOf()
  show('enrich again', await catalogue.run(['enrich']))
  judgeNone('calls of the second run', Array.from({ length: callsOf() - asked }))
  const again = await exported('again.tsv')
  judgeNone(
    'songs that it changed',
    [...found].filter(([key, { line }]) => again.get(key)?.line !== line),
  )
} finally {
  await outside.close()
  await rm(folder, { recursive: true, force: true })
}
finish()

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

function judgeNone(what: string, faults: unknown[]): void {
  judge(what, faults.length, { most: 0 })
  for (const fault of faults.slice(0, 3)) if (fault) console.log(`  ${JSON.stringify(fault)}`)
}

function show(what: string, { seconds, peak, program, database, output }: Costs): void {
  console.log(output.trim().replaceAll(/^/gm, '  '))
  judge(`${what}, s`, seconds)
  judge(`${what}, memory of the program, MiB`, peak, { most: MEMORY })
  judge(`${what}, CPU of the program, s`, program)
  judge(`${what}, CPU of the database, s`, database)
}
