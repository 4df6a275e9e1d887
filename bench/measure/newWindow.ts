import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'

export type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Calls `use` with a new window that has an empty cache and this session, its CPU slowed `slowed` times. */
export async function inNewWindow<Result>(
  browser: Browser,
  { baseURL, state, slowed }: { baseURL: string; state: State; slowed: number },
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    baseURL,
    storageState: state,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    // A new window of Chromium loads several hundred files for its own address bar.
    await sleep(2000)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    return await use(page)
  } finally {
    await context.close()
  }
}
