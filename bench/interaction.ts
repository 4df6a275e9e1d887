import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { signIn } from '../tests/browser/fixtures.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { finish, judge, setting } from './measure/goals.ts'

/*
 * The latency of rating from key press to screen, and what a thousand ratings leave in the page's memory. See
 * README.md.
 */

const PRESSES = setting('BENCH_PRESSES', 100)
const RATINGS = setting('BENCH_RATINGS', 1000)
/** Ratings before the first memory measurement, to compile code and fill the browser's own buffers. */
const WARM_UP = Math.min(250, RATINGS / 4)
/** Milliseconds of real time between two ratings of the accelerated page. */
const PACE = 300
const CPU_SLOWDOWN = 4
const MOST_FEEDBACK = 100
const MOST_GROWTH = 0.1

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
})
try {
  const microgenre = await addMicrogenre(app, Math.max(PRESSES, WARM_UP + RATINGS) + 10)
  await measureWait(await openPlayer(browser, app, microgenre))
  await measureMemory(await openPlayer(browser, app, microgenre, { hurried: true }))
} finally {
  await browser.close()
  await app.close()
}
finish()

async function measureWait(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.evaluate(() => {
    const presses: number[] = []
    Object.assign(window, { presses })
    // Entries from 16 ms on: from the key's timestamp to the frame that shows its effect.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') presses.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const nextSong: number[] = []
  for (let n = 0; n < PRESSES; n++) nextSong.push(await rateByKey(page, n % 2 ? 'ArrowLeft' : 'ArrowRight'))
  const seen = await page.evaluate(() => (window as unknown as { presses: number[] }).presses)
  // A press handled within 16 ms has no entry.
  const feedback = [...Array<number>(Math.max(0, PRESSES - seen.length)).fill(16), ...seen]
  await page.context().close()

  console.log(`\n${PRESSES} presses of → and ← in Chromium, CPU slowed ${CPU_SLOWDOWN} times, ms`)
  judge('presses in event timing', seen.length, { least: PRESSES / 2 })
  judge('key to first visible feedback (INP), ms', feedback)
  // Stricter than INP, which leaves out one of every 50 presses.
  judge('key to first visible feedback, ms, slowest', Math.max(...feedback), { under: MOST_FEEDBACK })
  judge('key to next song on screen, ms', nextSong)
}

/** Presses the key when rating is possible; returns the ms until the next song can be rated. */
async function rateByKey(page: Page, key: string): Promise<number> {
  await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
  await page.evaluate(() => {
    const heading = document.querySelector('main h1')
    const before = heading?.textContent
    const begin = (event: KeyboardEvent) => {
      const watch = new MutationObserver(() => {
        const now = document.querySelector('main h1')?.textContent
        if (!now || now === before || now.startsWith('Loading')) return
        watch.disconnect()
        requestAnimationFrame(() => {
          document.documentElement.dataset.waited = String(performance.now() - event.timeStamp)
        })
      })
      watch.observe(document.body, { subtree: true, childList: true, characterData: true })
    }
    delete document.documentElement.dataset.waited
    addEventListener('keydown', begin, { capture: true, once: true })
  })
  await page.keyboard.press(key)
  const waited = await page.waitForFunction(() => document.documentElement.dataset.waited)
  return Number(await waited.jsonValue())
}

async function measureMemory(page: Page): Promise<void> {
  await countTimers(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  console.log(`\n${RATINGS} ratings in one page, after ${WARM_UP} to warm up`)
  await rateQuickly(page, WARM_UP)
  const before = await measure(page, session)
  console.log(`  before  ${formatCounts(before)}`)
  let after = before
  for (let quarter = 1; quarter <= 4; quarter++) {
    await rateQuickly(page, RATINGS / 4)
    after = await measure(page, session)
    console.log(`  ${String((RATINGS / 4) * quarter).padEnd(6)}  ${formatCounts(after)}`)
  }
  await page.context().close()

  judge('growth of the heap, %', (after.heap / before.heap - 1) * 100, { most: MOST_GROWTH * 100 })
  for (const kind of ['nodes', 'listeners', 'timers'] as const) {
    // A few more or less depend on the moment of the measurement.
    judge(`${kind} after all ratings`, after[kind], {
      most: Math.floor(before[kind] * (1 + MOST_GROWTH) + 5),
    })
  }
}

/** Songs for all ratings in one microgenre; every tenth plays as a preview. */
async function addMicrogenre({ db }: TestServer, songs: number): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    values ('bench', 'bench', 'bench', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}', ${songs}, ${songs})
    returning id::text`
  const id = row?.id ?? ''
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, youtube_id)
    select 'bench/' || n, 'import', ${id}, n, 'Bench song ' || n, 'The Stand-ins',
      case when n % 10 > 0 then 'bm' || lpad(n::text, 9, '0') end
    from generate_series(0, ${songs - 1}::int) as n`
  return id
}

/** Keeps `window.timers`: the number of pending timeouts and intervals. */
async function countTimers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const live = new Set<unknown>()
    const { setTimeout, setInterval, clearTimeout, clearInterval } = window
    Object.assign(window, {
      timers: () => live.size,
      setTimeout(act: () => void, ms?: number) {
        const id = setTimeout(() => {
          live.delete(id)
          act()
        }, ms)
        live.add(id)
        return id
      },
      setInterval(act: () => void, ms?: number) {
        const id = setInterval(act, ms)
        live.add(id)
        return id
      },
      clearTimeout(id: number) {
        live.delete(id)
        clearTimeout(id)
      },
      clearInterval(id: number) {
        live.delete(id)
        clearInterval(id)
      },
    })
  })
}

async function rateQuickly(page: Page, ratings: number): Promise<void> {
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  for (let n = 0; n < ratings; n++) {
    const before = await heading.textContent()
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    await page.clock.runFor(810)
    // The server's limit of calls per minute is in real time.
    await new Promise((resolve) => setTimeout(resolve, PACE))
    for (let tries = 0; ; tries++) {
      await page.clock.runFor(410)
      const now = await heading.textContent()
      if (now !== before && now?.startsWith('Bench song')) break
      if (tries > 500) throw new Error(`Rating ${n} of ${before} did not lead to another song: ${now}`)
    }
  }
}

/** Counts after timers have run out and garbage is collected. */
async function measure(page: Page, session: CDPSession) {
  await page.clock.runFor(20_000)
  const timers = await page.evaluate(() => (window as unknown as { timers: () => number }).timers())
  for (let n = 0; n < 3; n++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((found) => found.name === name)?.value ?? 0
  return {
    heap: metric('JSHeapUsedSize'),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    timers,
  }
}

function formatCounts({ heap, nodes, listeners, timers }: Awaited<ReturnType<typeof measure>>): string {
  return `${(heap / 1024 ** 2).toFixed(2)} MiB heap, ${nodes} nodes, ${listeners} listeners, ${timers} timers`
}

/** A new listener at the first song of the microgenre. `hurried`: the bench advances the page's clock. */
async function openPlayer(
  browser: Browser,
  { url }: TestServer,
  microgenreId: string,
  { hurried = false } = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  // tsx marks functions with it, also those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  if (hurried) await page.clock.install()
  await signIn(page)
  await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
  await page.evaluate(
    (id) => window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId: id } })),
    microgenreId,
  )
  await page.getByRole('heading', { name: /^Bench song/ }).waitFor()
  return page
}
