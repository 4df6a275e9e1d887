import { expect, type Page } from '@playwright/test'

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
  for (let left = ms; left > 0; left -= step) await page.clock.runFor(Math.min(step, left))
}

/** Milliseconds in which the page draws what it holds back for a frame after a press, or for the next song's sound. */
export const FRAMES = 50

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
  await page.clock.runFor(FRAMES)
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
