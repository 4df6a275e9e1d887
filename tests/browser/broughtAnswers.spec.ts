import type { Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, listMicrogenres } from '../../contract/discovery.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Microgenre, Song } from '../../contract/shapes.ts'
import { expect, newEmail, signInByLink, startSession, test } from './fixtures.ts'
import { SIZES } from './screenFaults.ts'
import { pad, title } from './stock.ts'

/* The HTML brings the answers to what the main screen asks for first (screens-22). */

const FIRST: string[] = [getCurrentUser, listMicrogenres, getPreferences, getMyStats].map(({ path }) => path)
const isNextSong = (path: string) => new RegExp(`^${getNextSong.path.replace(':id', '\\d+')}$`).test(path)

const answersIn = (html: string | undefined) => html?.match(/data-call="[^"]*"/g)

/** Opens the page, again where a busy server was too late to add the answers. Returns the page's calls from then on. */
async function openWithAnswers(
  page: Page,
  address: string,
  until: 'load' | 'commit' = 'load',
): Promise<string[]> {
  let calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  await expect(async () => {
    calls = []
    const response = await page.goto(address, { waitUntil: until })
    expect(answersIn(await response?.text())).toHaveLength(FIRST.length + 1)
  }).toPass()
  return calls
}

test('screens-22: the first song is there without a call for it, nor for what surrounds it', async ({
  page,
}) => {
  await startSession(page.context())
  const calls = await openWithAnswers(page, '/')
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(page.getByRole('button', { name: /0\s*Bangers$/ })).toBeVisible()
  expect(calls.filter((path) => FIRST.includes(path) || isNextSong(path))).toEqual([])

  // The songs that follow came with it, too.
  const songs = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const song = (await title(page).textContent()) ?? ''
    songs.add(song)
    await page.keyboard.press('ArrowRight')
    await expect(title(page)).not.toHaveText(song)
    await expect(pad(page, 'BANGER')).toBeEnabled()
  }
  expect(songs.size).toBe(3)
})

test('screens-22: the songs are of the microgenre in the address; a later choice asks the server', async ({
  page,
}) => {
  await startSession(page.context())
  const all = (await (await page.request.get(listMicrogenres.path)).json()) as Microgenre[]
  const [wanted, other] = [all[3], all[5]]
  const calls = await openWithAnswers(page, `/?microgenre=${wanted?.id}`)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(page.getByRole('main')).toContainText(wanted?.name ?? '')
  expect(calls.filter(isNextSong)).toEqual([])

  await page.goto(`/?microgenre=${other?.id}`)
  await page.goBack()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await expect(page.getByRole('main')).toContainText(wanted?.name ?? '')
})

for (const [width, height] of [
  [1440, 900],
  [390, 664],
] as const)
  test(`screens-22: at ${width}×${height} nothing moves when the video of the first song comes`, async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width, height })
    await startSession(page.context())
    const [genre] = (await (await page.request.get(listMicrogenres.path)).json()) as Microgenre[]
    const path = getNextSong.path.replace(':id', genre?.id ?? '')
    const { id, youtubeId } = (await (await page.request.get(path)).json()) as Song
    await app.db`update songs set youtube_id = 'steadyvideo' where id = ${id}`
    try {
      await page.addInitScript(watchShifts)
      // A slow page paints between the steps of its start.
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await openWithAnswers(page, `/?microgenre=${genre?.id}`)
      await expect(page.getByRole('complementary', { name: 'Video' })).toBeVisible()
      await expect(pad(page, 'BANGER')).toBeEnabled()
      await expect.poll(() => app.youtube.calls.some(({ name }) => name === 'playVideo')).toBe(true)
      const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
      expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01)
    } finally {
      await app.db`update songs set youtube_id = ${youtubeId} where id = ${id}`
    }
  })

/** Runs in the page: keeps `window.shifts`, the layout shifts as shares of the screen. */
function watchShifts(): void {
  const shifts: number[] = []
  Object.assign(window, { shifts })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

for (const video of [false, true])
  test(`screens-23: before the code is there the keys show where they will be, ${video ? 'beside' : 'without'} a video`, async ({
    page,
    app,
  }) => {
    await startSession(page.context())
    const [genre] = (await (await page.request.get(listMicrogenres.path)).json()) as Microgenre[]
    const path = getNextSong.path.replace(':id', genre?.id ?? '')
    const { id, youtubeId } = (await (await page.request.get(path)).json()) as Song
    await app.db`update songs set youtube_id = ${video ? 'stagedvideo' : null} where id = ${id}`
    // A key takes its new place at once.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/assets\/main-screen-.*\.js$/, async (route) => {
      await released
      await route.continue()
    })
    try {
      await openWithAnswers(page, `/?microgenre=${genre?.id}`, 'commit')
      // Its style is there.
      await expect(page.locator('[data-stage]')).toHaveCSS('display', 'grid')
      const before = await placesOfKeys(page)
      await expect(pad(page, 'BANGER')).toHaveCount(0)
      release()
      await expect(pad(page, 'BANGER')).toBeEnabled()
      expect(await placesOfKeys(page)).toEqual(before)
    } finally {
      release()
      await app.db`update songs set youtube_id = ${youtubeId} where id = ${id}`
    }
  })

/** Where each key and its word are, at every size. */
async function placesOfKeys(page: Page): Promise<Record<string, unknown>> {
  const places: Record<string, unknown> = {}
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await expect(page.locator('.pad')).toHaveCount(2)
    places[`${width}x${height}`] = await page.locator('.pad').evaluateAll(async (pads) => {
      await document.fonts.ready
      return pads.map((each) => {
        const word = each.querySelector('.pad-bust, .pad-banger')
        return [each, word].map((element) => {
          const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
          return [x, y, width, height].map(Math.round)
        })
      })
    })
  }
  return places
}

test('screens-22: only a listener gets answers, no cache keeps them, and HEAD deals no songs', async ({
  request,
  playwright,
  baseURL,
  app,
}) => {
  const stranger = await playwright.request.newContext({ baseURL })
  expect(await (await stranger.get('/')).text()).not.toContain('data-call')
  const forged = { cookie: 'bob_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }
  expect(await (await stranger.get('/', { headers: forged })).text()).not.toContain('data-call')
  await stranger.dispose()

  const email = newEmail()
  await signInByLink(request, email)
  const passes = () =>
    app.db`select from listener_genres g join users u on u.id = g.user_id where u.email = ${email}`
  const [genre] = (await (await request.get(listMicrogenres.path)).json()) as Microgenre[]
  const address = `/?microgenre=${genre?.id}`
  await request.head(address)
  expect(await passes()).toHaveLength(0)
  const answersOf = async (path: string) => {
    const page = await request.get(path)
    expect(page.headers()).toMatchObject({ 'cache-control': 'no-store', 'content-encoding': 'br' })
    return answersIn(await page.text())
  }
  await expect(async () => expect(await answersOf(address)).toHaveLength(FIRST.length + 1)).toPass()
  expect(await passes()).toHaveLength(1)
  for (const path of ['/profile', '/microgenres'])
    await expect.poll(() => answersOf(path), path).toEqual([`data-call="${getCurrentUser.path}"`])
})
