import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, listMicrogenres } from '../../contract/discovery.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import { expect, startSession, test } from './fixtures.ts'
import { holdResponse, watchCalls } from './mockResponses.ts'
import { pad, title } from './testSongs.ts'
import { formatTransfer, MAX_TRANSFER, measureTransfer, type TransferSize } from './transferSize.ts'

/* A page begins its first calls before the rest of its code is there (screens-22). */

const MAIN_SCREEN_CODE = /\/assets\/main-screen-.*\.js$/
const FIRST_CALLS = [getCurrentUser, listMicrogenres, getPreferences, getMyStats].map(
  ({ path }) => `GET ${path}`,
)

test('screens-22: the first calls start before the code loads, each once', async ({ page }) => {
  await startSession(page.context())
  const calls = watchCalls(page, { queries: true })
  const release = await holdResponse(page, MAIN_SCREEN_CODE)
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(() => calls.filter((call) => /next-song\?_t=\d+$/.test(call))).toHaveLength(1)
  expect(calls.map(withoutQuery)).toEqual(expect.arrayContaining(FIRST_CALLS))

  release()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(page.getByRole('button', { name: /^Bangers\s*0$/ })).toBeVisible()
  await expect.poll(() => calls.filter((call) => call.endsWith('next-song?prefetch=true'))).toHaveLength(1)
  const first = calls.filter((call) => FIRST_CALLS.includes(call))
  expect(first.sort()).toEqual([...FIRST_CALLS].sort())
  expect(calls.filter((call) => call.includes('next-song'))).toHaveLength(2)
})

test('@long screens-22: the first song is of the microgenre in the address', async ({ page }) => {
  await startSession(page.context())
  const all = (await (await page.request.get(listMicrogenres.path)).json()) as Microgenre[]
  const chosen = all[3]
  const calls = watchCalls(page, { queries: true })
  await page.goto(`/?microgenre=${chosen?.id}`)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(page.getByRole('main')).toContainText(chosen?.name ?? '')
  const requests = calls.filter((call) => call.includes('next-song?_t=')).map(withoutQuery)
  expect(requests).toEqual([`GET ${getNextSong.path.replace(':id', chosen?.id ?? '')}`])
})

for (const path of ['/profile', '/microgenres'])
  test(`@long screens-22: ${path} makes each of its calls once`, async ({ page }) => {
    await startSession(page.context())
    const calls = watchCalls(page, { queries: true })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(calls).toContain(`GET ${getCurrentUser.path}`)
    expect(calls).toHaveLength(new Set(calls).size)
  })

for (const [who, token] of [
  ['signed out', null],
  ['@long with a session that has ended', 'A'.repeat(43)],
] as const)
  test(`screens-22: ${who}, only the current user is asked for`, async ({ page, context, baseURL }) => {
    if (token) await context.addCookies([{ name: 'session', value: token, url: `${baseURL}/` }])
    const calls = watchCalls(page, { queries: true })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(calls).toEqual([`GET ${getCurrentUser.path}`])
  })

for (const [tier, size] of [
  ['', { width: 360, height: 640 }],
  ['@long ', { width: 820, height: 1180 }],
  ['@long ', { width: 1440, height: 900 }],
] as const)
  test(`${tier}screens-23: at ${size.width}×${size.height} 'Loading...' stands between the keys, and nothing moves when the code comes`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await startSession(page.context())
    const releaseCode = await holdResponse(page, MAIN_SCREEN_CODE)
    const releaseSong = await holdResponse(page, getNextSong)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
    // Its style is there.
    await expect(page.locator('[data-stage]')).toHaveCSS('display', 'grid')
    const before = await places(page, 'Loading...')
    releaseCode()
    await expect(title(page)).toHaveText('Loading next song...')
    expect(await places(page, 'Loading next song...')).toEqual(before)
    releaseSong()
    await expect(pad(page, 'BANGER')).toBeEnabled()
  })

/** The positions of each key, its word and the text between the keys. */
async function places(page: Page, text: string): Promise<number[][]> {
  await page.evaluate(async () => void (await document.fonts.ready))
  const between = page.getByText(text, { exact: true })
  const [{ x = 0, y = 0 } = {}] = [(await between.boundingBox()) ?? undefined]
  const keys = await page.locator('.pad, .pad > .pad-bust, .pad > .pad-banger').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y, width, height].map(Math.round)
    }),
  )
  return [...keys, [x, y].map(Math.round)]
}

const withoutQuery = (call: string) => call.split('?')[0]

test('the landing page loads at most 85 KiB of script, 16 of style, 110 of fonts', async ({ page }) => {
  const received = await measureTransfer(page, async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  expectWithin(received, MAX_TRANSFER.landing)
})

test('the main screen loads at most 110 KiB of script, 16 of style, 110 of fonts', async ({ page, app }) => {
  await startSession(page.context())
  // Without prefetches of an idle page, which may precede the song on a slow machine.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const received = await measureTransfer(
    page,
    async () => {
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
    },
    app.url,
  )
  expectWithin(received, MAX_TRANSFER.main)
})

function expectWithin(received: TransferSize, most: TransferSize): void {
  console.log(formatTransfer(received))
  expect(received.Script).toBeLessThanOrEqual(most.Script)
  expect(received.Stylesheet).toBeLessThanOrEqual(most.Stylesheet)
  expect(received.Font).toBeLessThanOrEqual(most.Font)
}
