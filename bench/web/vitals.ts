import type { Page } from '@playwright/test'

/** As browsers define them: ms, a share, and the ms of the slowest press (0 without any). */
export interface Vitals {
  largestPaint: number
  shift: number
  interaction: number
  /** ms until the first song's title is there, and until it sounds; 0 on pages without a song. */
  title: number
  sound: number
}

/** The limits of good Web Vitals; for presses the product requires less. */
export const GOOD_VITALS: Partial<Vitals> = { largestPaint: 2500, shift: 0.1, interaction: 100 }

/** A mid-range phone on a slow 4G, like Lighthouse's. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 ** 2) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
}

/**
 * Call it before the page is opened. A string, because the compiler of this file adds names that a page does not
 * have.
 */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript({
    content: `
      window.vitals = { largestPaint: 0, shift: 0, interaction: 0, title: 0, sound: 0 }
      const watch = (type, see, more) => new PerformanceObserver((list) => list.getEntries().forEach(see))
        .observe({ type, buffered: true, ...more })
      watch('largest-contentful-paint', (entry) => { vitals.largestPaint = entry.startTime })
      watch('layout-shift', (entry) => { if (!entry.hadRecentInput) vitals.shift += entry.value })
      watch('event', (entry) => {
        if (entry.interactionId) vitals.interaction = Math.max(vitals.interaction, entry.duration)
      }, { durationThreshold: 16 })
      const hear = () => { vitals.sound ||= performance.now() }
      document.addEventListener('playing', hear, true)
      // The embedded stand-in says so: 1 is playing.
      addEventListener('message', ({ data }) => { if (data?.type === 'state' && data.data === 1) hear() })
      new MutationObserver(() => {
        const title = document.querySelector('main h1')?.textContent
        if (title && !title.startsWith('Loading')) vitals.title ||= performance.now()
      }).observe(document, { subtree: true, childList: true, characterData: true })`,
  })
}

/** Waits until the first song sounds. */
export async function waitForSound(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { vitals: Vitals }).vitals.sound > 0)
}

export const readVitals = (page: Page): Promise<Vitals> =>
  page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
