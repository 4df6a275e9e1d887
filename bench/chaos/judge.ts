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
  difference: number
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
    difference: (await countDifferences(db)) + (await passedBy(db, firstListener, last)).length,
  }
}

async function countDifferences(db: Database): Promise<number> {
  await drain(db)
  const [left, right] = [await kept(db), await counted(db)]
  const parts = Object.keys(left) as (keyof typeof left)[]
  const different = parts.map((part) => {
    const [one, other] = [left[part], right[part]].map(
      (lines) => new Set(lines.map((line) => JSON.stringify(line))),
    )
    if (!one || !other) return 0
    return (
      [...one].filter((line) => !other.has(line)).length + [...other].filter((line) => !one.has(line)).length
    )
  })
  return different.reduce((sum, each) => sum + each, 0)
}

/** A server that rolls up at this moment lets nobody else do it. */
async function drain(db: Database): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    await rollUp(db)
    if ((await db`select from rating_changes limit 1`).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
