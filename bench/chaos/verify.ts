import { setTimeout as wait } from 'node:timers/promises'
import type { Rating } from '../../contract/shapes.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import {
  brokenHands,
  countFromRatings,
  findSkippedSongs,
  readStoredCounts,
} from '../../tests/harness/counts.ts'
import type { LoadListeners } from '../measure/listeners.ts'
import { judge, judgeCount, sumOf } from '../measure/report.ts'

export interface Verification {
  acknowledged: number
  /** How many of them are stored as acknowledged. */
  foundCount: number
  /** Surplus of listeners' counters over their ratings, plus stored ratings that no listener sent. */
  surplusCount: number
  /** Stored counts that differ from a recount, songs that a pass would never reach, and hands that are not whole. */
  differences: string[]
}

/** Judges all rounds. A wrong count appears in every later round too, and counts once. */
export function judgeRatings(verifications: readonly Verification[], isLossy = false): void {
  const acknowledgedCount = sumOf(verifications.map((each) => each.acknowledged))
  const lostCount = acknowledgedCount - sumOf(verifications.map(({ foundCount }) => foundCount))
  const differences = [...new Set(verifications.flatMap((each) => each.differences))]
  // Without ratings nothing would be lost.
  judge('ratings acknowledged', acknowledgedCount, { least: 1 })
  if (isLossy) judge('ratings lost', lostCount, { least: 1 })
  else judgeCount('ratings lost', lostCount)
  judgeCount('ratings counted twice', sumOf(verifications.map(({ surplusCount: doubled }) => doubled)))
  judgeCount('differences from a recount', differences.length)
  for (const line of differences.slice(0, 20)) console.log(`    ${line}`)
}

/** Checks that the ratings acknowledged to these listeners are stored, and recounts the whole database. */
export async function verify(
  db: Database,
  { firstListener, sessions }: LoadListeners,
  acknowledgedRatings: Map<string, Rating>[],
): Promise<Verification> {
  const last = firstListener + sessions.length - 1
  const rows = await db<{ userId: string; songId: string; banger: boolean }[]>`
    select user_id, song_id, banger from ratings where user_id between ${firstListener} and ${last}`
  const stored = new Map(rows.map(({ userId, songId, banger }) => [`${userId} ${songId}`, banger]))
  const [counters] = await db<{ ratings: number }[]>`
    select sum(total_ratings)::int as ratings from listener_stats where user_id between ${firstListener} and ${last}`
  const ratings = acknowledgedRatings.flatMap((songs, line) =>
    [...songs].map(([song, rating]) => ({
      key: `${firstListener + line} ${song}`,
      banger: rating === 'banger',
    })),
  )
  const ratingKeys = new Set(ratings.map(({ key }) => key))
  const unsentCount = [...stored.keys()].filter((key) => !ratingKeys.has(key)).length
  return {
    acknowledged: ratings.length,
    foundCount: ratings.filter(({ key, banger }) => stored.get(key) === banger).length,
    surplusCount: Math.max(0, (counters?.ratings ?? 0) - rows.length) + unsentCount,
    differences: [
      ...(await listDifferences(db)),
      ...(await findSkippedSongs(db, firstListener, last)).map(
        (line) => `passed by: ${JSON.stringify(line)}`,
      ),
      ...(await brokenHands(db)).map((hand) => `not whole: ${JSON.stringify(hand)}`),
    ],
  }
}

/** One line for each row that is only in the stored counts or only in the recount. */
async function listDifferences(db: Database): Promise<string[]> {
  // Only one process at a time can roll up, and the server may be doing it.
  for (let tries = 0; tries < 100; tries++) {
    await rollUp(db)
    if ((await db`select from rating_changes limit 1`).length === 0) break
    await wait(100)
  }
  const [stored, recounted] = [await readStoredCounts(db), await countFromRatings(db)].map(
    (parts) =>
      new Set(
        Object.entries(parts).flatMap(([part, rows]) => rows.map((row) => `${part} ${JSON.stringify(row)}`)),
      ),
  ) as [Set<string>, Set<string>]
  return [
    ...[...stored].filter((line) => !recounted.has(line)).map((line) => `stored: ${line}`),
    ...[...recounted].filter((line) => !stored.has(line)).map((line) => `recounted: ${line}`),
  ]
}
