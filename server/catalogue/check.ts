import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  COVERAGE_COLUMNS,
  type Coverage,
  coveragePercent,
  describeVideoChecks,
  sortByCoverageGap,
} from '../../contract/coverage.ts'
import type { Fragment, Queryable } from '../db/connection.ts'
import { readCoverage } from '../diagnostics/coverage.ts'
import { type CommandLine, formatCount, openCatalogue } from './command.ts'

/** Examples per finding: printed, and in the report. */
const MAX_PRINTED = 3
const MAX_REPORTED = 100_000

/** `check`. Returns 1 for errors that break the product. */
export async function check({ env, options, folder, print }: CommandLine): Promise<number> {
  const { db, close } = await openCatalogue(env)
  try {
    const [state, findings, coverage] = await db.begin(
      'isolation level repeatable read read only',
      async (tx) => {
        await tx`set local statement_timeout = '10min'`
        return [
          await countSongs(tx),
          await checkCatalogue(tx, options.report ? MAX_REPORTED : MAX_PRINTED),
          options.coverage ? await coverageTable(tx) : [],
        ] as const
      },
    )
    const live = state.songs - state.retired
    print(
      `${formatCount(live)} songs in ${formatCount(state.microgenres)} microgenres, plus ${formatCount(state.retired)} retired songs. ` +
        `With a video: ${formatCount(state.withVideo)}, a Spotify id: ${formatCount(state.withSpotify)}, ` +
        `a Deezer track: ${formatCount(state.withDeezer)}, a duration: ${formatCount(state.withDuration)}.`,
    )
    for (const line of coverage) print(line)
    for (const { what, isWrong, count, examples } of findings) {
      print(`${isWrong ? 'ERROR: ' : ''}${formatCount(count)} ${what}:`)
      for (const example of examples.slice(0, MAX_PRINTED)) print(`  ${example}`)
    }
    if (options.report) {
      const lines = findings.flatMap(({ what, examples }) =>
        examples.map((example) => `${what}\t${example}\n`),
      )
      await writeFile(resolve(folder, options.report), lines.join(''))
      print(`All findings are in ${options.report}.`)
    }
    const isWrong = findings.some((finding) => finding.isWrong)
    print(isWrong ? 'Errors found.' : 'No errors found.')
    return isWrong ? 1 : 0
  } finally {
    await close()
  }
}

/** The coverage page as lines: microgenres with the fewest videos first, then the total and the videos' states. */
async function coverageTable(db: Queryable): Promise<string[]> {
  const { all, videos, microgenres } = await readCoverage(db)
  const rows = [
    ['Microgenre', 'Songs', ...COVERAGE_COLUMNS.map(({ name }) => name)],
    ...sortByCoverageGap(microgenres, 'withVideo').map((row) => toCells(row.microgenre, row)),
    toCells('All', all),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
  return [...lines, describeVideoChecks(videos)]
}

function toCells(name: string, row: Coverage): string[] {
  const figures = COVERAGE_COLUMNS.map(({ of }) => {
    const percent = coveragePercent(row, of)
    return `${row[of]} ${percent === null ? '' : `${percent}%`.padStart(4)}`.trimEnd()
  })
  return [name, formatCount(row.songs), ...figures]
}

/** A finding about existing songs. `isWrong` when it breaks the product. */
interface Finding {
  what: string
  isWrong: boolean
  count: number
  examples: string[]
}

interface CatalogueState {
  microgenres: number
  songs: number
  retired: number
  withVideo: number
  withSpotify: number
  withDeezer: number
  withDuration: number
}

async function countSongs(db: Queryable): Promise<CatalogueState> {
  const [row] = await db<CatalogueState[]>`
    select (select count(*)::int from microgenres where retired_at is null) as microgenres, count(*)::int as songs,
      count(*) filter (where retired_at is not null)::int as retired,
      count(*) filter (where retired_at is null and youtube_id is not null)::int as with_video,
      count(*) filter (where retired_at is null and spotify_id is not null)::int as with_spotify,
      count(*) filter (where retired_at is null and deezer_track_id is not null)::int as with_deezer,
      count(*) filter (where retired_at is null and duration_ms is not null)::int as with_duration
    from songs`
  if (!row) throw new Error('A count returned no row.')
  return row
}

/** Checks every song. Returns the non-empty findings with up to `limit` examples each. */
async function checkCatalogue(db: Queryable, limit: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { what, isWrong, rows } of CHECKS) {
    const [found] = await db<{ count: number; examples: string[] | null }[]>`
      with found as (${rows(db)})
      select (select count(*)::int from found) as count,
        (select array_agg(example) from (select example from found order by 1 limit ${limit}) as first) as examples`
    if (found && found.count > 0)
      findings.push({ what, isWrong, count: found.count, examples: found.examples ?? [] })
  }
  return findings
}

interface Check {
  what: string
  isWrong: boolean
  /** Each case as a row with its `example`. */
  rows(db: Queryable): Fragment
}

const CHECKS: Check[] = [
  {
    what: 'microgenres with a wrong song count',
    isWrong: true,
    rows: (db) => db`
      select m.key as example from microgenres m left join songs s on s.microgenre_id = m.id
      group by m.id
      having m.live_song_count <> count(s.id) filter (where s.retired_at is null)
        or m.song_count <= coalesce(max(s.seq), -1)`,
  },
  {
    what: 'rated songs that do not exist',
    isWrong: true,
    rows: (db) => db`
      select distinct r.song_id::text as example from ratings r
      where not exists (select from songs s where s.id = r.song_id)`,
  },
  {
    what: 'songs with ratings in another microgenre',
    isWrong: true,
    rows: (db) => db`
      select distinct s.key as example from ratings r join songs s on s.id = r.song_id
      where s.microgenre_id <> r.microgenre_id`,
  },
  {
    what: 'microgenres without songs',
    isWrong: false,
    rows: (db) => db`
      select key as example from microgenres where live_song_count = 0 and retired_at is null`,
  },
  {
    what: 'microgenres without tags',
    isWrong: false,
    rows: (db) => db`select key as example from microgenres where cardinality(energy) = 0`,
  },
  {
    what: 'possible duplicates by artist and title',
    isWrong: false,
    rows: (db) => db`
      select m.key || ': ' || min(artist) || ' – ' || min(title) || ' (' || count(*) || ' times)' as example
      from songs s join microgenres m on m.id = s.microgenre_id
      where s.retired_at is null
      group by m.key, lower(artist), lower(title) having count(*) > 1`,
  },
  {
    what: 'Deezer tracks that several songs use',
    isWrong: false,
    rows: (db) => db`
      select deezer_track_id || ': ' || string_agg(key, ', ' order by key) as example
      from songs where retired_at is null and deezer_track_id is not null
      group by deezer_track_id having count(*) > 1`,
  },
  {
    what: 'titles that look like upload titles, such as (Official Video)',
    isWrong: false,
    rows: (db) => db`
      select key || ': ' || title as example from songs
      where retired_at is null
        and title ~* '\\m(official|lyrics?|full album|HD|HQ)\\M|&amp;|&quot;|&#39;'`,
  },
  {
    what: 'songs without a video, a whole recording or a known preview',
    isWrong: false,
    rows: (db) => db`
      select key as example from songs
      where retired_at is null and youtube_id is null and deezer_track_id is null and audio is null`,
  },
  {
    what: 'songs without a duration',
    isWrong: false,
    rows: (db) => db`select key as example from songs where retired_at is null and duration_ms is null`,
  },
  {
    what: 'songs without a year',
    isWrong: false,
    rows: (db) => db`select key as example from songs where retired_at is null and year is null`,
  },
]
