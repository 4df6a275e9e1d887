import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { judge } from '../measure/report.ts'
import type { Subject } from './subjects.ts'

/** Fetched by npx on demand instead of a dependency, in a fixed version. 13 does not run on Node 20. */
const LIGHTHOUSE = 'lighthouse@12.8.2'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

/** The required points in each category. */
const SCORE = 95

/**
 * Prints Lighthouse's results for the public pages, with its default for phones: a simulated slow 4G and a CPU slowed
 * four times.
 * @throws Error when Lighthouse cannot be fetched or cannot load a page.
 */
export async function showLighthouse(
  { url }: TestServer,
  pages: Subject[],
  { runs, browser }: { runs: number; browser: string },
): Promise<void> {
  console.log(`\nLighthouse for a phone, median of ${runs} runs`)
  for (const { name, path, skip, state } of pages) {
    if (state) continue
    const reports: Report[] = []
    for (let run = 0; run < runs; run++) reports.push(await runLighthouse(`${url}${path}`, skip, browser))
    for (const category of CATEGORIES) {
      const points = reports.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100))
      judge(`${name}, ${category}`, points, { least: SCORE })
    }
    const costs = [...new Set(reports.flatMap(costsOf))]
    if (costs.length > 0) console.log(`  what costs points: ${costs.join(', ')}`)
  }
}

async function runLighthouse(url: string, skip: string[], browser: string): Promise<Report> {
  const args = [
    '--yes',
    LIGHTHOUSE,
    url,
    '--quiet',
    '--output=json',
    `--chrome-flags=${CHROME_FLAGS.join(' ')}`,
    ...(skip.length > 0 ? [`--skip-audits=${skip.join(',')}`] : []),
  ]
  const { stdout } = await run('npx', args, {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 240_000,
    shell: process.platform === 'win32',
  })
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report
  if (report.runtimeError) throw new Error(`Lighthouse could not load ${url}: ${report.runtimeError.message}`)
  return report
}

const run = promisify(execFile)

/** Blocks outside requests; the sandbox is off so that root can run it. */
const CHROME_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Audits that lost points, the most expensive first. */
function costsOf({ categories, audits }: Report): string[] {
  const refs = CATEGORIES.flatMap((category) => categories[category]?.auditRefs ?? [])
  return refs
    .map(({ id, weight }) => ({ id, lost: weight * (1 - (audits[id]?.score ?? 1)), audit: audits[id] }))
    .filter(({ lost }) => lost >= 0.5)
    .sort((a, b) => b.lost - a.lost)
    .map(({ id, audit }) => (audit?.displayValue ? `${id} (${audit.displayValue})` : id))
}

/** The parts of Lighthouse's report that are used. */
interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; displayValue?: string }>
}
