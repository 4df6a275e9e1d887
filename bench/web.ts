import { type Browser, chromium, type Page } from '@playwright/test'
import { startTestServer } from '../tests/browser/testServer.ts'
import { measureTransfer, type TransferSize } from '../tests/browser/transferSize.ts'
import { beginPart, finish, isShort, judge, setting, wantedParts } from './measure/report.ts'
import { showLighthouse } from './web/showLighthouse.ts'
import { preparePages, type Subject } from './web/subjects.ts'
import { GOOD_VITALS, readVitals, slowDown, type Vitals, waitForSound, watchVitals } from './web/vitals.ts'

/* The size of the pages, and their speed on a mid-range phone. See README.md. */

const RUNS = setting('BENCH_RUNS', 3, 1)
const PRESSES = 10

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const parts = {
  sizes: showSizes,
  vitals: showVitals,
  lighthouse: (_: Browser, pages: Subject[]) =>
    showLighthouse(app, pages, { runs: RUNS, browser: executablePath }),
}
const VITAL_LABELS = {
  largestPaint: 'LCP, ms',
  shift: 'CLS',
  interaction: 'INP, ms',
  title: 'first title, ms',
  sound: 'first sound, ms',
} satisfies Record<keyof Vitals, string>

/** The first song sounds without a press. */
const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required']
const chosenParts = wantedParts(['sizes', 'vitals', 'lighthouse'], isShort ? ['sizes', 'vitals'] : undefined)
const app = await startTestServer({ LOG_LEVEL: 'info' })
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  const pages = await preparePages(app)
  for (const part of chosenParts) {
    beginPart(part)
    await parts[part](browser, pages)
  }
} finally {
  await close()
}
finish()

async function showSizes(browser: Browser, pages: Subject[]): Promise<void> {
  console.log('\nSize over the wire of a first load')
  for (const subject of pages) {
    await inNewWindow(browser, subject, async (page) => {
      const weight = await measureTransfer(
        page,
        async () => {
          await page.goto(subject.path)
          await subject.settle(page)
        },
        app.url,
      )
      for (const kind of Object.keys(weight) as (keyof TransferSize)[]) {
        const most = subject.most?.[kind]
        judge(`${subject.name}, ${kind}, KiB`, weight[kind] / 1024, { most: most && most / 1024 })
      }
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
        if (subject.state) await waitForSound(page)
        const loaded = await readVitals(page)
        if (subject.state) await press(page, subject)
        runs.push({ ...loaded, interaction: (await readVitals(page)).interaction })
      })
    }
    for (const [vital, label] of Object.entries(VITAL_LABELS) as [keyof Vitals, string][]) {
      // Only the main screen has keys and a song.
      if (!subject.state && vital !== 'largestPaint' && vital !== 'shift') continue
      const values = runs.map((run) => run[vital])
      judge(`${subject.name}, ${label}`, values, { most: subject.vitals?.[vital] ?? GOOD_VITALS[vital] })
    }
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

async function close(): Promise<void> {
  await browser.close()
  await app.close()
}
