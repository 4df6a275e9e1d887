import { expect, type Page } from '@playwright/test'

/* The page's clock, for times that a machine which stalls must not stretch. First comes `page.clock.install()`. */

/** From now on it moves in `run` and `runUntil` alone: what is shown for a while stays, and timers are exact. */
export async function stopClock(page: Page): Promise<void> {
  // Until it stands it goes on; where it has passed the time by then, once more.
  await expect(async () => page.clock.pauseAt((await now(page)) + 1000)).toPass()
}

/** Milliseconds since 1970 by the page's clock. */
export const now = (page: Page) => page.evaluate(() => Date.now())

/** Lets it run, in steps that the frames' messages can follow. */
export async function run(page: Page, ms: number, step = 100): Promise<void> {
  for (let left = ms; left > 0; left -= step) await page.clock.runFor(Math.min(step, left))
}

/** Lets it run until `done`: every so many real milliseconds a step, by default no faster than time goes. */
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
}

/** Waits until React has done what it does after a picture, such as to set the timers that belong to it. */
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
