import type { Locator, Page } from '@playwright/test'

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
