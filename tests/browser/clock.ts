import { expect, type Locator, type Page } from '@playwright/test'

/* The page's clock, for durations that a slow machine must not stretch. Call `page.clock.install()` first. */

/** Pauses the clock: from now on only `run` and `runUntil` move it. */
export async function stopClock(page: Page): Promise<void> {
  // The clock runs until it is paused; retry when it has passed the requested time by then.
  await expect(async () => page.clock.pauseAt((await now(page)) + 1000)).toPass()
}

/** Milliseconds since 1970 by the page's clock. */
export const now = (page: Page) => page.evaluate(() => Date.now())

/** Advances the clock in small steps, so that messages between frames arrive in time. */
export async function run(page: Page, ms: number, step = 100): Promise<void> {
  for (let remaining = ms; remaining > 0; remaining -= step)
    await page.clock.runFor(Math.min(step, remaining))
}

/** Milliseconds in which the page draws what waits for the frame after a press, or for the next song's sound. */
export const FEW_FRAMES = 50

/** Advances the clock until `done`, one step per interval of real time; by default no faster than real time. */
export async function runUntil(
  page: Page,
  done: () => boolean | Promise<boolean>,
  { step = 100, every = step }: { step?: number; every?: number } = {},
): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(step)
        return done()
      },
      { intervals: [every] },
    )
    .toBe(true)
  await page.clock.runFor(FEW_FRAMES)
}

/** Waits until React has run its effects after a frame, such as setting timers. */
export function settle(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve()
        port2.postMessage(null)
      }),
  )
}

/** A finger on the middle of this element. */
export async function touch(page: Page, target: Locator) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {}
  const session = await page.context().newCDPSession(page)
  const start = { x: x + width / 2, y: y + height / 2 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0, dy = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: start.x + dx, y: start.y + dy }],
    })
  await send('touchStart')
  return {
    width,
    /** In steps, as a finger moves: slower than a flick. */
    async moveTo(dx: number, dy = 0) {
      for (let step = 1; step <= 8; step++) {
        await send('touchMove', (dx * step) / 8, (dy * step) / 8)
        await page.evaluate(() => new Promise((done) => setTimeout(done, 40)))
      }
    },
    release: () => send('touchEnd'),
  }
}

/** Closes the dialog with Escape once it has the focus, because it handles keys only then. */
export async function closeWithEscape(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await dialog.page().keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}
