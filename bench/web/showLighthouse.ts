import type { TestServer } from '../../tests/browser/testServer.ts'
import { judge } from '../measure/report.ts'
import { CATEGORIES, measurePage } from './runLighthouse.ts'
import type { Subject } from './subjects.ts'

/** The required points in each category. */
const SCORE = 95

/** Prints Lighthouse's results for the public pages. */
export async function showLighthouse(
  { url }: TestServer,
  pages: Subject[],
  { runs, browser }: { runs: number; browser: string },
): Promise<void> {
  console.log(`\nLighthouse for a phone, median of ${runs} runs`)
  for (const { name, path, skip, state } of pages) {
    if (state) continue
    const scores = await measurePage(`${url}${path}`, { runs, skip, browser })
    for (const category of CATEGORIES) {
      const points = scores.runs.map((run) => run[category])
      judge(`${name}, ${category}`, points, { least: SCORE })
    }
    if (scores.costs.length > 0) console.log(`  what costs points: ${scores.costs.join(', ')}`)
  }
}
