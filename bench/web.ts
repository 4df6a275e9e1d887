import os from 'node:os'
import { type Browser, chromium, type Page } from '@playwright/test'
import { formatWeight, receivedBy, type Weight } from '../tests/browser/receivedBy.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { inSpread, median } from './measure/spread.ts'
import { showLighthouse } from './web/showLighthouse.ts'
import { preparePages, type Subject } from './web/subjects.ts'
import { GOOD, readVitals, slowDown, type Vitals, watchVitals } from './web/vitals.ts'

/* The size of the pages, and their speed on a mid-range phone. See README.md. */

const RUNS = Number(process.env.BENCH_RUNS ?? 3)
const PRESSES = 10

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const missed: string[] = []
const app = await startTestServer({ LOG_LEVEL: 'info' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  console.log(`${os.cpus().length} CPUs, load ${os.loadavg()[0]?.toFixed(1)} before`)
  const pages = await preparePages(app)
  const isWanted = (part: string) => process.argv.length < 3 || process.argv.includes(part)
  if (isWanted('sizes')) await showSizes(browser, pages)
  if (isWanted('vitals')) await showVitals(browser, pages)
  if (isWanted('lighthouse'))
    await showLighthouse(app, pages, { runs: RUNS, browser: executablePath, verdict })
} finally {
  await close()
}
console.log(missed.length === 0 ? '\nAll goals met.' : `\nNot met: ${missed.join('; ')}.`)
process.exit(missed.length === 0 ? 0 : 1)

async function showSizes(browser: Browser, pages: Subject[]): Promise<void> {
  console.log('\nBytes over the wire of a first load')
  for (const subject of pages) {
    await inNewWindow(browser, subject, async (page) => {
      const weight = await receivedBy(
        page,
        async () => {
          await page.goto(subject.path)
          await subject.settle(page)
        },
        app.url,
      )
      const kinds = Object.keys(weight) as (keyof Weight)[]
      const isMet = kinds.every((kind) => weight[kind] <= (subject.most?.[kind] ?? Number.POSITIVE_INFINITY))
      console.log(
        `${subject.name.padEnd(19)} ${formatWeight(weight)}  ${subject.most ? verdict(`${subject.name}, weight`, isMet) : ''}`,
      )
    })
  }
}

async function showVitals(browser: Browser, pages: Subject[]): Promise<void> {
  console.log(`\nWeb Vitals, CPU slowed 4 times, slow 4G, median of ${RUNS} runs (least to most)`)
  for (const subject of pages) {
    const runs: Vitals[] = []
    for (let run = 0; run < RUNS; run++) {
      await inNewWindow(browser, subject, async (page) => {
        await watchVitals(page)
        await slowDown(page)
        await page.goto(subject.path)
        await subject.settle(page)
        await page.waitForLoadState('networkidle', { timeout: 60_000 }).catch(() => {})
        const { largestPaint, shift } = await readVitals(page)
        if (subject.state) await press(page, subject)
        runs.push({ largestPaint, shift, interaction: (await readVitals(page)).interaction })
      })
    }
    const row = (Object.keys(GOOD) as (keyof Vitals)[]).map((vital) => {
      const values = runs.map((run) => run[vital])
      const isMet = median(values) <= GOOD[vital]
      const label = { largestPaint: 'LCP ms', shift: 'CLS', interaction: 'INP ms' }[vital]
      return `${label} ${inSpread(values, vital === 'shift' ? 3 : 0)} ${verdict(`${subject.name}, ${label}`, isMet)}`
    })
    console.log(`${subject.name.padEnd(19)} ${row.slice(0, subject.state ? 3 : 2).join('  ')}`)
  }
}

async function press(page: Page, { settle }: Subject): Promise<void> {
  for (let n = 0; n < PRESSES; n++) {
    await settle(page)
    const before = await page.getByRole('main').getByRole('heading', { level: 1 }).textContent()
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    await page.waitForFunction((text) => document.querySelector('main h1')?.textContent !== text, before)
  }
}

/** A new window with an empty cache, at the size of a phone. */
async function inNewWindow(
  browser: Browser,
  { state }: Subject,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: app.url,
    storageState: state,
    viewport: { width: 390, height: 844 },
  })
  try {
    await use(await context.newPage())
  } finally {
    await context.close()
  }
}

function verdict(what: string, isMet: boolean): string {
  if (!isMet) missed.push(what)
  return isMet ? 'met' : 'NOT MET'
}

async function close(): Promise<void> {
  await browser.close()
  await app.close()
}
