import { chromium, type Page } from '@playwright/test'
import { startTestServer } from '../tests/browser/testServer.ts'
import { finish, judge, setting } from './measure/goals.ts'
import { makeListener } from './measure/manyBangers.ts'
import { inNewWindow } from './measure/newWindow.ts'

/* How smoothly a library of very many bangers scrolls on a slow computer and a slow phone. See README.md. */

const BANGERS = setting('BENCH_BANGERS', 5000)
const ROUNDS = setting('BENCH_ROUNDS', 3)
const CPU_SLOWDOWN = 4
/** Pixels a second: a new screen of tiles eight to twelve times a second. */
const SPEED = 8000
/** Pixels of a gesture; ten gestures go down, ten come back. */
const GESTURE = 8000
const GESTURES = 10
const LEAST_FRAMES = 50

const SCREENS = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 664 },
} as const

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
try {
  const { state } = await makeListener(app, browser, BANGERS)
  console.log(`CPU of the browser slowed ${CPU_SLOWDOWN} times, ${BANGERS} bangers, ${ROUNDS} rounds`)
  for (const [name, size] of Object.entries(SCREENS)) {
    const rates: number[] = []
    const longest: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await inNewWindow(browser, { baseURL: app.url, state, slowed: CPU_SLOWDOWN }, async (page) => {
        await page.setViewportSize(size)
        const seen = await scroll(page)
        rates.push(seen.frames / (seen.ms / 1000))
        longest.push(seen.longest)
      })
    }
    judge(`${name}, frames a second`, rates, { least: LEAST_FRAMES })
    judge(`${name}, longest frame, ms`, longest)
  }
} finally {
  await browser.close()
  await app.close()
}
finish()

interface Seen {
  frames: number
  ms: number
  /** Milliseconds between two frames. */
  longest: number
}

async function scroll(page: Page): Promise<Seen> {
  // tsx marks functions with it, also those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.goto('/?section=library')
  await page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem').first().waitFor()
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.evaluate(() => {
    const seen = { frames: 0, ms: 0, longest: 0 }
    const begun = performance.now()
    let last = begun
    const watch = (now: number) => {
      seen.frames += 1
      seen.ms = now - begun
      seen.longest = Math.max(seen.longest, now - last)
      last = now
      requestAnimationFrame(watch)
    }
    Object.assign(window, { seen })
    requestAnimationFrame(watch)
  })
  for (const direction of [-1, 1])
    for (let n = 0; n < GESTURES; n++)
      await session.send('Input.synthesizeScrollGesture', {
        x: width / 2,
        y: height / 2,
        yDistance: direction * GESTURE,
        speed: SPEED,
        preventFling: true,
        // Touch does not scroll a page without a touch screen.
        gestureSourceType: 'mouse',
      })
  return page.evaluate(() => ({ ...(window as unknown as { seen: Seen }).seen }))
}
