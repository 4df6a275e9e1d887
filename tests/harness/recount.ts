import { expect } from 'vitest'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { countFromRatings, passedBy, readStoredCounts } from './counts.ts'

/**
 * Every stored count must equal a recount of the ratings: the listeners' own at once, the totals after a
 * roll-up. And no pass may have skipped an unrated live song.
 */
export async function expectRecount(db: Database): Promise<void> {
  await rollUp(db)
  expect(await readStoredCounts(db)).toEqual(await countFromRatings(db))
  expect(await passedBy(db)).toEqual([])
}
