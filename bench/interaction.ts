import type { CDPSession, Page } from '@playwright/test'
import { addMicrogenre, CPU_SLOWDOWN, observe, openPlayer, startApp } from './feel/player.ts'
import { type AddCleanUp, finish, judge, setting, withCleanUp } from './measure/report.ts'

/*
 * The latency of rating from key press to screen, and what a thousand ratings leave in the page's memory. See
 * README.md.
 */

const PRESSES = setting('BENCH_PRESSES', 100, 10)
const RATINGS = setting('BENCH_RATINGS', 1000, 20)
/** Ratings before the first measurement of memory, which compile code and fill the browser's buffers. */
const WARM_UP_RATINGS = Math.min(250, RATINGS / 4)
/** Milliseconds of real time between two ratings of the accelerated page. */
const RATING_INTERVAL = 300
const MAX_FEEDBACK = 100
const MAX_GROWTH = 0.1

await withCleanUp(measure)
finish()

async function measure(later: AddCleanUp): Promise<void> {
  const { app, browser } = await startApp(later)
  const microgenre = await addMicrogenre(app, 'bench', Math.max(PRESSES, WARM_UP_RATINGS + RATINGS) + 10, 10)
  const page = await openPlayer(browser, app, microgenre)
  await measureWait(page)
  await page.context().close()
  await measureMemory(await openPlayer(browser, app, microgenre, { hurried: true }))
}

async function measureWait(page: Page): Promise<void> {
  await page.evaluate(() => {
    const presses: number[] = []
    Object.assign(window, { presses })
    // Entries from 16 ms on: from the key's timestamp to the frame that shows its effect.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') presses.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const nextSong: number[] = []
  for (let n = 0; n < PRESSES; n++) {
    await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    nextSong.push((await observe(page, 'song')).song ?? Number.NaN)
  }
  const presses = await page.evaluate(() => (window as unknown as { presses: number[] }).presses)
  // A press handled within 16 ms has no entry.
  const feedback = [...Array<number>(Math.max(0, PRESSES - presses.length)).fill(16), ...presses]

  console.log(`\n${PRESSES} presses of → and ← in Chromium, CPU slowed ${CPU_SLOWDOWN} times, ms`)
  judge('presses in event timing', presses.length, { least: PRESSES / 2 })
  judge('key to first visible feedback (INP), ms', feedback)
  // Stricter than INP, which leaves out one of every 50 presses.
  judge('key to first visible feedback, ms, slowest', Math.max(...feedback), { most: MAX_FEEDBACK })
  judge('key to next song on screen, ms', nextSong)
}

async function measureMemory(page: Page): Promise<void> {
  await countTimers(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  console.log(`\n${RATINGS} ratings in one page, after ${WARM_UP_RATINGS} to warm up`)
  await rateQuickly(page, WARM_UP_RATINGS)
  const before = await countAll(page, session)
  console.log(`  before  ${formatCounts(before)}`)
  let after = before
  for (let quarter = 1; quarter <= 4; quarter++) {
    await rateQuickly(page, RATINGS / 4)
    after = await countAll(page, session)
    console.log(`  ${String((RATINGS / 4) * quarter).padEnd(6)}  ${formatCounts(after)}`)
  }

  judge('growth of the heap, %', (after.heap / before.heap - 1) * 100, { most: MAX_GROWTH * 100 })
  for (const kind of ['nodes', 'listeners', 'timers'] as const) {
    // A few more or less depend on the moment of the measurement.
    judge(`${kind} after all ratings`, after[kind], {
      most: Math.floor(before[kind] * (1 + MAX_GROWTH) + 5),
    })
  }
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
    await new Promise((resolve) => setTimeout(resolve, RATING_INTERVAL))
    for (let tries = 0; ; tries++) {
      await page.clock.runFor(410)
      const now = await heading.textContent()
      if (now !== before && now?.startsWith('Bench song')) break
      if (tries > 500) throw new Error(`Rating ${n} of ${before} did not lead to another song: ${now}`)
    }
  }
}

/** Counts after timers have run out and garbage is collected. */
async function countAll(page: Page, session: CDPSession) {
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

function formatCounts({ heap, nodes, listeners, timers }: Awaited<ReturnType<typeof countAll>>): string {
  return `${(heap / 1024 ** 2).toFixed(2)} MiB heap, ${nodes} nodes, ${listeners} listeners, ${timers} timers`
}
