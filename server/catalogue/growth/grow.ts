import type { Database } from '../../db/connection.ts'
import { BadInput, UsageError } from '../../inputErrors.ts'
import { runInterruptible } from '../askServices.ts'
import { type Command, DRY_RUN_NOTICE, formatCounted } from '../command.ts'
import { MicrogenreNames } from '../microgenreNames.ts'
import type { MicrogenreRef } from './collectCandidates.ts'
import { createGrowFromArchive, listByWholeRecordings } from './growFromArchive.ts'
import { createGrow } from './growMicrogenre.ts'
import { findAllLowMicrogenres } from './growWhereLow.ts'
import { listSongCandidates } from './songCandidates.ts'

const noCounts = () => ({
  all: 0,
  done: 0,
  added: 0,
  proposed: 0,
  /** Microgenres with unanswered questions. */
  unanswered: 0,
  /** The current microgenre. */
  name: '',
  wasInterrupted: false,
})

type GrowCounts = ReturnType<typeof noCounts>

/** `grow`. Succeeds when every microgenre was grown as far as the sources answered. */
export const grow: Command<GrowCounts, number | undefined> = {
  prepare({ options }) {
    if (!['archive', undefined].includes(options.source)) throw new UsageError('--source must be archive.')
    return readLimit(options.limit)
  },
  async run({ db, env, services, options, signal, print, input: limit, copyForDryRun }, onProgress) {
    const isFromArchive = options.source === 'archive'
    const listMicrogenres = isFromArchive ? listByWholeRecordings : findAllLowMicrogenres
    const genres =
      options.microgenre === undefined
        ? await listMicrogenres(db)
        : [await findMicrogenre(db, options.microgenre)]
    await copyForDryRun(
      ...(['provider_cache', 'suggestions', 'song_candidates'] as const),
      ...(['found_microgenres', 'found_microgenre_songs'] as const),
    )
    if (!isFromArchive && !services.listenbrainz) print(NO_TOKEN_NOTICE)
    const growOne = isFromArchive
      ? createGrowFromArchive(db, env, services.archive, { limit, signal })
      : createGrow(db, env, services, { limit, signal })
    const counts = { ...noCounts(), all: genres.length }
    onProgress(counts)
    const growAll = async () => {
      for (const genre of genres) {
        counts.name = genre.name
        onProgress(counts)
        const { added, proposed, isAnswered } = await growOne(genre)
        if (added + proposed > 0)
          print(`${genre.name}: ${formatCounted(added, 'song')} added, ${proposed} suggested to the desk.`)
        counts.added += added
        counts.proposed += proposed
        counts.unanswered += Number(!isAnswered)
        if (signal.aborted) return
        counts.done += 1
      }
    }
    counts.wasInterrupted = await runInterruptible(growAll, signal)
    return counts
  },
  progress: ({ all, done, name, added }) => ({ share: done / all, text: `${name}, ${added} songs added` }),
  summary: ({ all, done, added, proposed, unanswered }, { signal, isDryRun }) => [
    `${signal.aborted ? 'Stopped after' : 'Went through'} ${done} of ${formatCounted(all, 'microgenre')}: ` +
      `${formatCounted(added, 'song')} added, ${proposed} suggested to the desk.`,
    ...(unanswered > 0
      ? [
          `Not everything was answered about ${formatCounted(unanswered, 'microgenre')}. Run the same command again.`,
        ]
      : []),
    ...(isDryRun ? [DRY_RUN_NOTICE] : []),
  ],
  report: {
    of: 'candidates',
    columns: ['microgenre', 'recording_mbid', 'artist', 'title', 'tagged', 'score', 'result', 'detail'],
    rows: listSongCandidates,
  },
}

const NO_TOKEN_NOTICE =
  'LISTENBRAINZ_TOKEN is not set, so ListenBrainz is not asked: fewer songs have a second source, and more of them ' +
  'wait for a steward.'

/** @throws BadInput when there is none. */
async function findMicrogenre(db: Database, name: string): Promise<MicrogenreRef> {
  const id = (await MicrogenreNames.read(db)).find(name) ?? null
  const [genre] = await db<MicrogenreRef[]>`
    select id, name from microgenres where id = ${id} and retired_at is null`
  if (!genre) throw new BadInput(`There is no microgenre '${name}'.`)
  return genre
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--limit must be a number from 1 on.')
  return Number(text)
}
