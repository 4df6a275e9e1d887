import type { Rating } from '../../contract/shapes.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { counted, kept, passedBy } from '../../tests/harness/counts.ts'
import type { Audience } from '../rate/audience.ts'

export interface Verdict {
  acknowledged: number
  /** Of those, how many are stored as they were acknowledged. */
  found: number
  /** By how much listeners' own counters are above their ratings, and stored ratings that nobody gave. */
  doubled: number
  /** Kept numbers that counting the ratings does not give, and songs that a pass would never come to. */
  differences: string[]
}

/** Of all rounds together. A number that stays wrong is found in every later round again, and counts once. */
export function sumUp(verdicts: readonly Verdict[]): Verdict {
  const sum = (key: 'acknowledged' | 'found' | 'doubled') =>
    verdicts.reduce((all, each) => all + each[key], 0)
  return {
    acknowledged: sum('acknowledged'),
    found: sum('found'),
    doubled: sum('doubled'),
    differences: [...new Set(verdicts.flatMap(({ differences }) => differences))],
  }
}

/** What is wrong with it, as sentences; nothing when all is right. */
export function listFailures(
  title: string,
  { acknowledged, found, doubled, differences }: Verdict,
): string[] {
  return [
    ...(found < acknowledged ? [`${title}: ${acknowledged - found} ratings were lost`] : []),
    ...(doubled > 0 ? [`${title}: ${doubled} ratings were counted twice`] : []),
    ...differences.slice(0, 20).map((line) => `${title}: ${line}`),
  ]
}

/** Looks for everything that was acknowledged to this audience, and counts the whole database again. */
export async function judge(
  db: Database,
  { firstListener, sessions }: Audience,
  acknowledged: Map<string, Rating>[],
): Promise<Verdict> {
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
    ],
  }
}

/** As lines that say where a number is kept, or where it was counted, and the other does not have it. */
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

/** A server that rolls up at this moment lets nobody else do it. */
async function drain(db: Database): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await rollUp(db)
    if ((await db`select from rating_changes limit 1`).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
