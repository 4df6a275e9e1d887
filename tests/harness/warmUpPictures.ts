import { getStatsStory } from '../../contract/sharing.ts'
import type { Visitor } from './visitor.ts'

/**
 * Renders a first picture. It waits for the rendering thread to start, which on a busy machine takes longer than a
 * call may.
 */
export async function warmUpPictures(listener: Visitor): Promise<void> {
  for (let status = 503; status === 503; ) status = (await listener.call(getStatsStory)).status
}
