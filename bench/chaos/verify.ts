import type { Rating } from '../../contract/shapes.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { brokenHands, counted, kept, passedBy } from '../../tests/harness/counts.ts'
import { judge } from '../measure/goals.ts'
import type { LoadListeners } from '../rate/listeners.ts'

export interface Verification {
  acknowledged: number
  /** Of those, how many are stored as acknowledged. */
  found: number
  /** Surplus of listeners' counters over their ratings, plus stored ratings that no listener sent. */
  doubled: number
  /** Stored counts that differ from a recount, songs that a pass would never reach, and hands that are not whole. */
  differences: string[]
}

/** The sum of all rounds. A wrong count appears in every later round too, and counts once. */
export function sumUp(verifications: readonly Verification[]): Verification {
  const sum = (key: 'acknowledged' | 'found' | 'doubled') =>
    verifications.reduce((all, each) => all + each[key], 0)
  return {
    acknowledged: sum('acknowledged'),
    found: sum('found'),
    doubled: sum('doubled'),
    differences: [...new Set(verifications.flatMap(({ differences }) => differences))],
  }
}

export function judgeRatings(
  { acknowledged, found, doubled, differences }: Verification,
  { isLossy = false }: { isLossy?: boolean } = {},
): void {
  // Without ratings nothing would be lost.
  judge('ratings acknowledged', acknowledged, { least: 1 })
  judge('ratings lost', acknowledged - found, isLossy ? { least: 1 } : { most: 0 })
  judge('ratings counted twice', doubled, { most: 0 })
  judge('differences from a recount', differences.length, { most: 0 })
  for (const line of differences.slice(0, 20)) console.log(`    ${line}`)
}

/** Checks that the ratings acknowledged to these listeners are stored, and recounts the whole database. */
export async function verify(
  db: Database,
  { firstListener, sessions }: LoadListeners,
  acknowledged: Map<string, Rating>[],
): Promise<Verification> {
  const last = firstListener + sessions.length - 1
  const rows = await db<{ userId: string; songId: string; banger: boolean }[]>`
    select user_id, song_id, banger from ratings where user_id between ${firstListener} and ${last}`
  const stored = new Map(rows.map(({ userId, songId, banger }) => [`${userId} ${songId}`, banger]))
  const [counters] = await db<{ ratings: number }[]>`
    select sum(total_ratings)::int as ratings from listener_stats where user_id between ${firstListener} and ${last}`
  const given = acknowledged.flatMap((songs, line) =>
    [...songs].map(([song, rating]) => ({
      key: `${firstListener + line} ${song}`,
      banger: rating === 'banger',
    })),
  )
  const known = new Set(given.map(({ key }) => key))
  const unasked = [...stored.keys()].filter((key) => !known.has(key)).length
  return {
    acknowledged: given.length,
    found: given.filter(({ key, banger }) => stored.get(key) === banger).length,
    doubled: Math.max(0, (counters?.ratings ?? 0) - rows.length) + unasked,
    differences: [
      ...(await listDifferences(db)),
      ...(await passedBy(db, firstListener, last)).map((line) => `passed by: ${JSON.stringify(line)}`),
      ...(await brokenHands(db)).map((hand) => `not whole: ${JSON.stringify(hand)}`),
    ],
  }
}

/** One line for each row that is only in the stored counts or only in the recount. */
async function listDifferences(db: Database): Promise<string[]> {
  await drain(db)
  const [left, right] = [await kept(db), await counted(db)]
  const parts = Object.keys(left) as (keyof typeof left)[]
  return parts.flatMap((part) => {
    const [keptLines, countedLines] = [left[part], right[part]].map((lines) =>
      lines.map((line) => JSON.stringify(line)),
    )
    return [
      ...without(keptLines, countedLines).map((line) => `${part} has ${line}`),
      ...without(countedLines, keptLines).map((line) => `${part} should have ${line}`),
    ]
  })
}

function without(lines: readonly string[] = [], others: readonly string[] = []): string[] {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}

/** Only one process at a time can roll up, so the server may be in the way. */
async function drain(db: Database): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await rollUp(db)
    if ((await db`select from rating_changes limit 1`).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
