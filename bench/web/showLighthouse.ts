import type { TestServer } from '../../tests/browser/testServer.ts'
import { CATEGORIES, measurePage } from './runLighthouse.ts'
import type { Subject } from './subjects.ts'

/** The required points in each category. */
const SCORE = 95

/** Prints Lighthouse's results for the public pages. */
export async function showLighthouse(
  { url }: TestServer,
  pages: Subject[],
  {
    runs,
    browser,
    verdict,
  }: { runs: number; browser: string; verdict: (what: string, isMet: boolean) => string },
): Promise<void> {
  console.log(`\nLighthouse for a phone, median of ${runs} runs and the runs, at least ${SCORE}`)
  for (const { name, path, skip, state } of pages) {
    if (state) continue
    const scores = await measurePage(`${url}${path}`, { runs, skip, browser })
    for (const category of CATEGORIES) {
      const median = scores.median[category]
      const each = scores.runs.map((run) => run[category]).join(' ')
      console.log(
        `${name.padEnd(19)} ${category.padEnd(15)} ${String(median).padStart(3)}  (${each})  ` +
          verdict(`${name}, ${category}`, median >= SCORE),
      )
    }
    if (scores.costs.length > 0) console.log(`${' '.repeat(20)}what costs points: ${scores.costs.join(', ')}`)
  }
}
