import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Database } from '../../server/db/connection.ts'
import { CatalogueTool } from '../harness/CatalogueTool.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { createTestDatabase } from '../harness/setUpDatabase.ts'
import { type ProgramResult, startProgram } from '../harness/startProgram.ts'

/* `npm run catalogue` from the operator's side. */

const tool = new CatalogueTool()
const { database, folder } = tool

test('an import prints what it accepted and rejected, and writes a report; running it again changes nothing', async () => {
  writeFileSync(
    join(folder, 'songs.csv'),
    [
      'Track,Band,Genre,YouTube,Behaviour',
      'First,Toni,zydeco,https://youtu.be/tooltest__1,happy',
      'Second,Toni,polka,,',
      'Third,Toni,zydeco,short,',
      'Fourth,Toni,schranz,,',
    ].join('\n'),
  )
  const args = ['import', 'songs.csv', '--report', 'rejected.tsv']
  const dry = await catalogue([...args, '--dry-run'])

  expect(dry.stderr).toBe('')
  expect(dry.code).toBe(0)
  expect(dry.stdout).toMatch(/^Read 4 lines of songs\.csv in /)
  expect(linesOf(dry)).toEqual(
    expect.arrayContaining([
      'Would import 1: 1 new, 0 changed, 0 unchanged.',
      'Would reject 3:',
      '         2  microgenre: is not in the catalogue: line 3 (polka), line 5 (schranz)',
      '         1  youtube_id: must be a YouTube id of 11 characters, or empty: line 4 (short)',
      'Unknown microgenres: polka 1, schranz 1.',
      'Unused columns: Behaviour.',
      'All rejected rows are in rejected.tsv.',
    ]),
  )
  expect(await songsBy('Toni')).toBe(0)

  expect(linesOf(await catalogue(args))).toContain('Imported 1: 1 new, 0 changed, 0 unchanged.')
  expect(linesOf(await catalogue(args))).toContain('Imported 1: 0 new, 0 changed, 1 unchanged.')
  expect(await songsBy('Toni')).toBe(1)
  expect(tool.read('rejected.tsv').split('\n')).toEqual([
    'line\tfield\treason\tvalue',
    '3\tmicrogenre\tis not in the catalogue\tpolka',
    '4\tyoutube_id\tmust be a YouTube id of 11 characters, or empty\tshort',
    '5\tmicrogenre\tis not in the catalogue\tschranz',
    '',
  ])
})

test('Ctrl-C stops a run cleanly, also while it waits for standard input; the next run resumes', async () => {
  const rows = Array.from({ length: 10_001 }, (_, i) => `Typed ${i}\tTina\tfootwork\n`)
  writeFileSync(join(folder, 'typed.tsv'), `title\tartist\tmicrogenre\n${rows.join('')}`)
  const { child, programEnd } = tool.start(['import', '-'])
  child.stdin?.write(readFileSync(join(folder, 'typed.tsv')))
  await expect.poll(() => songsBy('Tina'), { timeout: 60_000 }).toBe(10_000)
  child.kill('SIGINT')
  const ran = await programEnd

  expect(ran.code).toBe(130)
  expect(linesOf(ran)).toContain(
    'Run the same command again to continue. It recognises songs that exist already.',
  )
  expect(await songsBy('Tina')).toBe(10_000)
  expect(linesOf(await catalogue(['import', 'typed.tsv']))).toContain(
    'Imported 10,001: 1 new, 0 changed, 10,000 unchanged.',
  )
})

test('without a server the program starts the database itself, with the starter catalogue', async () => {
  const dataDir = join(folder, 'data')
  const { programEnd } = startProgram('catalogue', ['check'], { env: { DATA_DIR: dataDir }, folder })
  const ran = await programEnd

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^4,\d{3} songs in \d{3} microgenres, plus 0 retired songs\./)
})

const AUDIO = {
  url: 'https://archive.org/download/a/b.mp3',
  licence: 'https://creativecommons.org/licenses/by/4.0/',
  attribution: 'Ann',
}

test.each(['tsv.gz', 'json'])(
  'an empty database imports an export as %s as the same songs (catalogue-2)',
  async (format) => {
    await database.db`update songs set title = 'A, "quoted" \\ title', album_art = 'https://example.org/a.jpg',
    deezer_track_id = '77', year = null, recording_mbid = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae',
    isrc = 'GBAAP8300001', release_mbid = '18550a84-4ede-451c-a91a-dd9b3af9f71d',
    audio = ${database.db.json(AUDIO)} where key = 'zydeco-003'`
    await database.db`
    with retired as (
      update songs set retired_at = now() where key = 'zydeco-004' and retired_at is null returning microgenre_id)
    update microgenres m set live_song_count = live_song_count - 1 from retired r where r.microgenre_id = m.id`
    await database.db`update microgenres set relatives = '{dungeon-synth,zydeco}' where key = 'footwork'`
    const file = `all.${format}`
    const written = await catalogue(['export', file, '--microgenres', 'genres.tsv'])
    expect(written).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Wrote [\d,]+ songs\.\n$/) })
    const other = await createTestDatabase()
    const otherLine = await startDatabaseProxy(other.target)
    try {
      // One microgenre stays: a database without any gets the starter catalogue first.
      await other.db`truncate songs`
      await other.db`delete from microgenres where key <> 'zydeco'`
      await other.db`update microgenres set live_song_count = 0, song_count = 0`
      const args = ['import', file, '--microgenres', 'genres.tsv']
      const ran = await catalogue(args, otherLine.target)

      expect(ran.stdout).not.toContain('Rejected')
      expect(await songs(other.db)).toEqual(await songs(database.db))
      expect(await microgenres(other.db)).toEqual(await microgenres(database.db))
      const again = await catalogue(['export', `again.${format}`], otherLine.target)
      expect(again.code).toBe(0)
      expect(textOf(`again.${format}`)).toBe(textOf(file))
    } finally {
      await otherLine.close()
      await other.drop()
    }
  },
)

test('catalogue-24: recordings elsewhere than at AUDIO_HOSTS are rejected', async () => {
  const addresses = [
    'https://archive.org/download/dub042/01.mp3',
    'https://ia800500.us.archive.org/1/items/dub042/02.mp3',
    'http://archive.org/download/dub042/03.mp3',
    'https://archive.org.evil.example/download/dub042/04.mp3',
    'https://notarchive.org/download/dub042/05.mp3',
    'https://archive.org:8443/download/dub042/06.mp3',
    'https://ann@archive.org/download/dub042/07.mp3',
    'https://127.0.0.1/download/dub042/08.mp3',
    'https://169.254.169.254/latest/meta-data',
  ]
  const licence = 'https://creativecommons.org/licenses/by-nc-sa/4.0/'
  const rows = addresses.map((url, n) => `Whole ${n}\tWhole Artist\tzydeco\t${url}\t${licence}\tAnn`)
  const header = 'title\tartist\tmicrogenre\taudio_url\tlicence\tattribution'
  writeFileSync(join(folder, 'whole.tsv'), [header, ...rows].join('\n'))
  const ran = await catalogue(['import', 'whole.tsv', '--report', 'refused.tsv'])

  expect(ran.stdout).toContain('2 new')
  const refused = textOf('refused.tsv').trim().split('\n').slice(1)
  expect(refused.map((line) => line.split('\t').at(-1))).toEqual(addresses.slice(2))
  expect(refused.every((line) => line.includes('audio_url\tis not at one of AUDIO_HOSTS'))).toBe(true)
  expect(await songsBy('Whole Artist')).toBe(2)
})

test('check reports nothing after imports, and finds data that would break the product', async () => {
  const fine = await catalogue(['check'])
  expect(fine).toMatchObject({ code: 0, stderr: '' })
  expect(fine.stdout).toContain('No errors found.')
  expect(fine.stdout).toMatch(/^[\d,]+ songs in 5 microgenres, plus 1 retired songs\./)

  await database.db`update microgenres set live_song_count = live_song_count - 1 where key = 'bossa-nova'`
  await database.db`update songs set title = 'Chega (Official Video)' where key = 'bossa-nova-002'`
  const broken = await catalogue(['check', '--report', 'findings.tsv'])
  await database.db`update microgenres set live_song_count = live_song_count + 1 where key = 'bossa-nova'`

  expect(broken.code).toBe(1)
  expect(linesOf(broken)).toContain('ERROR: 1 microgenres with a wrong song count:')
  expect(broken.stdout).toContain('bossa-nova-002: Chega (Official Video)')
  expect(tool.read('findings.tsv')).toContain('wrong song count\tbossa-nova\n')
})

test.each([
  [[], 2, 'Usage: npm run catalogue'],
  [['destroy'], 2, 'Usage: npm run catalogue'],
  [['import', 'x.csv', '--nonsense'], 2, "Unknown option '--nonsense'"],
  [['import'], 2, 'Usage: npm run catalogue'],
  [['import', 'missing.csv'], 1, "There is no file '"],
  [['import', 'one.csv', '--report', './one.csv'], 2, 'The report would overwrite the input file.'],
  [['import', 'one.csv', '--format', 'ods'], 2, '--format must be csv'],
  [['grow', '--limit', 'all'], 2, '--limit must be a number'],
  [
    ['export', 'no/such/folder.csv'],
    1,
    /no\/such\/folder\.csv cannot be used: no such file or directory\.$/m,
  ],
  [['export', '.', '--format', 'csv'], 1, /cannot be used: /],
  [
    ['import', 'one.csv', '--report', 'no/such/folder'],
    1,
    /no\/such\/folder cannot be used: no such file or directory/,
  ],
  [['import', 'one.csv', '--microgenres', 'missing.tsv'], 1, /missing\.tsv cannot be used: no such file/],
  [['import', 'one.csv', '--microgenres', 'long.tsv'], 1, 'long.tsv:2 key: must have at most 60 characters'],
  [['import', 'one.csv', '--microgenres', 'one.csv'], 1, 'one.csv:1 key: column is missing'],
  [['import', 'one.csv', '--microgenres', 'same-name.tsv'], 1, /\(name\)=\(Zydeco\) already exists/],
  [['import', 'foreign.csv'], 1, 'The first line must name the columns'],
  [['export', 'songs.xlsx'], 2, 'Use a name that ends with .csv, .tsv, .json or .jsonl'],
])('%j prints a clear error', async (args, code, message) => {
  writeFileSync(join(folder, 'one.csv'), 'title,artist,microgenre\nOne,Olga,zydeco\n')
  writeFileSync(join(folder, 'foreign.csv'), 'a,b\n1,2\n')
  writeFileSync(
    join(folder, 'same-name.tsv'),
    `${MICROGENRE}\nzyd\tZydeco\tRoots${'\t'.repeat(5)}#112233\tA. B.\n`,
  )
  writeFileSync(
    join(folder, 'long.tsv'),
    `${MICROGENRE}\n${'x'.repeat(61)}\tZyd\tRoots${'\t'.repeat(5)}#112233\tA. B.\n`,
  )
  const ran = await catalogue(args)

  expect(await songsBy('Olga')).toBe(0)
  expect(ran.code).toBe(code)
  expect(ran.stderr).toMatch(message)
  // No stack trace, and no half-written file.
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

const MICROGENRE = 'key\tname\tfamily\tenergy\tvocals\tfamiliarity\tmood\tcolor\tdescription'

const catalogue = (args: string[], target = tool.line.target): Promise<ProgramResult> =>
  tool.run(args, { DATABASE_URL: target })

const linesOf = ({ stdout }: ProgramResult) => stdout.split('\n')

function textOf(name: string): string {
  const bytes = readFileSync(join(folder, name))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

async function songsBy(artist: string): Promise<number> {
  const [row] = await database.db<{ songs: number }[]>`
    select count(*)::int as songs from songs where artist = ${artist}`
  return row?.songs ?? 0
}

/** The song's own fields; the database assigns ids and times. */
function songs(db: Database) {
  return db`
    select s.key, m.key as microgenre, s.seq, s.title, s.artist, s.year, s.album_art, s.youtube_id, s.spotify_id,
      s.deezer_track_id, s.recording_mbid, s.isrc, s.release_mbid, s.duration_ms,
      s.audio, s.retired_at is not null as retired
    from songs s join microgenres m on m.id = s.microgenre_id order by m.key, s.seq`.values()
}

function microgenres(db: Database) {
  return db`
    select key, name, family, description, color, energy, vocals, familiarity, mood, relatives, song_count, live_song_count
    from microgenres order by key`.values()
}
