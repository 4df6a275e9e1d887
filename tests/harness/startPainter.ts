import { getStatsStory } from '../../contract/sharing.ts'
import type { Visitor } from './visitor.ts'

/**
 * Has a server draw its first picture. That one waits for the thread which draws to start, on a busy machine for
 * longer than a call may take.
 */
export async function startPainter(listener: Visitor): Promise<void> {
  for (let status = 503; status === 503; ) status = (await listener.call(getStatsStory)).status
}
