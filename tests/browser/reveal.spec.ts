import type { Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { run, runUntil, stopClock } from './clock.ts'
import { holdResponse, mockResponse, urlPattern } from './mockResponses.ts'
import { findScreenFaults, SIZES } from './screenFaults.ts'
import type { TestServer } from './testServer.ts'
import {
  expect,
  newVideoId,
  openDiscover,
  pad,
  previewSongs,
  type TestMicrogenre,
  test,
  title,
} from './testSongs.ts'

/* The ratings of others show after the verdict, and never before (discover-40). */

/** The first of the two is for the stage, the second for the desk. */
const sentences = (page: Page) => page.getByRole('main').getByText(/listeners$|^You are the /)

/** Others have rated every song. */
async function rateByOthers({ db }: TestServer, { songs }: TestMicrogenre, ratings = 47, bangers = 29) {
  for (const { id } of songs) {
    await db`
      insert into song_totals (song_id, ratings, bangers) values (${id}, ${ratings}, ${bangers})
      on conflict (song_id) do update set ratings = ${ratings}, bangers = ${bangers}`
  }
}

/** The positions of everything that does not change with the song. */
const places = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^(BUST|BANGER|Currently listening to .*|Thoughts\?|Mute|Unmute)$/ })
    .evaluateAll((buttons) => buttons.map((button) => JSON.stringify(button.getBoundingClientRect())))

test('discover-40, discover-41: the percentage replaces the record after 380 ms, and its sentence stays beside Undo for six seconds', async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  await mockResponse(page, checkAchievements, [])
  await rateByOthers(app, await stock(previewSongs(3)))
  await openDiscover(page)
  await stopClock(page)
  const still = await places(page)
  await expect(sentences(page)).toHaveCount(0)
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowRight')
  await rateResponse
  await run(page, 300)
  await expect(sentences(page)).toHaveCount(0)
  await runUntil(page, async () => (await sentences(page).count()) > 0, { step: 20, every: 20 })
  await expect(sentences(page)).toHaveText(['Banger for 62 % of 48 listeners'])
  await expect(page.getByRole('main').getByText('62 %', { exact: true })).toBeVisible()
  expect(await places(page)).toEqual(still)
  // The light falls to the share.
  const light = await pad(page, 'BANGER').evaluate((key) =>
    [...key.children].map((part) => getComputedStyle(part).clipPath).find((path) => path !== 'none'),
  )
  expect(light).toMatch(/^inset\(/)
  await expect
    .poll(() => pad(page, 'BANGER').evaluate((key) => getComputedStyle(key.lastElementChild ?? key).clipPath))
    .toBe('inset(38% 0px 0px)')

  await runUntil(page, () => pad(page, 'BANGER').isEnabled(), { every: 50 })
  await expect(page.getByText('62 %', { exact: true })).toHaveCount(0)
  await expect(sentences(page)).toHaveText(['Banger for 62 % of 48 listeners'])
  const song = await title(page).textContent()
  await expect(page.getByRole('status').filter({ hasText: 'Rated' })).toHaveText(
    `Rated banger. Banger for 62 % of 48 listeners. Next: ${song} by The Stand-ins`,
  )
  expect(await places(page)).toEqual(still)
  await run(page, 5500, 500)
  await expect(sentences(page)).toHaveCount(1)
  await run(page, 600)
  await expect(sentences(page)).toHaveCount(0)
  expect(await places(page)).toEqual(still)
})

test('discover-40: for a song with few listeners the key stays full, and the place shows below the record that leaves, once in words', async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  await mockResponse(page, checkAchievements, [])
  await rateByOthers(app, await stock(previewSongs(3)), 1, 0)
  await openDiscover(page)
  await stopClock(page)
  const place = page.getByRole('main').getByText('2nd', { exact: true })
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowLeft')
  await rateResponse
  await runUntil(page, async () => (await place.count()) > 0, { step: 20, every: 20 })
  await expect(place).toBeVisible()
  await expect(sentences(page)).toHaveText(['You are the second to rate this'])
  await expect(page.getByRole('main').getByText('%')).toHaveCount(0)
  // Where the record still is, it covers the sentence.
  const top = await sentences(page).evaluate((sentence) => {
    const reveal = sentence.closest('.reveal')
    for (const leaving of reveal?.previousElementSibling?.getAnimations() ?? []) leaving.currentTime = 0
    const { x, y, width, height } = sentence.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.art, .reveal')?.className
  })
  expect(top).toMatch(/^art /)
  await runUntil(page, () => pad(page, 'BUST').isEnabled(), { every: 50 })
  await expect(sentences(page)).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await runUntil(page, async () => (await place.count()) > 0, { step: 20, every: 20 })
  await expect(sentences(page)).toHaveCount(0)
  await runUntil(page, () => pad(page, 'BUST').isEnabled(), { every: 50 })
  await expect(
    page.getByRole('status').filter({ hasText: /^Rated bust. 2nd to rate this. Next: / }),
  ).toHaveCount(1)
})

test("discover-7, discover-16, discover-41: hints and the day's figures stay beside the sentence, which covers nothing", async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  await mockResponse(page, checkAchievements, [])
  await rateByOthers(app, await stock(previewSongs(3)))
  // A phone asks for the figures.
  await page.setViewportSize({ width: 390, height: 664 })
  await openDiscover(page)
  await expect(page.getByText('Rated 0')).toBeVisible()
  await stopClock(page)
  await page.keyboard.press('ArrowRight')
  await runUntil(page, async () => (await sentences(page).count()) > 0, { step: 20, every: 20 })
  await runUntil(page, () => pad(page, 'BANGER').isEnabled(), { every: 50 })
  for (const [width, height] of [
    [1280, 600],
    [1366, 657],
    [1440, 900],
    [1920, 1080],
    [390, 664],
    [375, 553],
    [360, 640],
    [844, 390],
    [667, 375],
  ] as const) {
    const at = `at ${width}x${height}`
    await page.setViewportSize({ width, height })
    const desk = page.getByRole('main')
    const visibleParts =
      width > 1200
        ? ['←Bust', '→Banger', 'Spaceplay/pause', 'Click art to play/pause']
        : width < height
          ? ['Bangers 1', 'Rated 1']
          : []
    for (const text of visibleParts)
      await expect(desk.getByText(text, { exact: true }).filter({ visible: true }), at).toHaveCount(1)
    expect(await page.evaluate(findCoveredBySentence), at).toEqual([])
  }
})

/** Runs in the page: the elements that the sentence beside Undo covers, or that it is cut. */
function findCoveredBySentence(): string[] {
  const desks = [...document.querySelectorAll('.stage-desk, .stage-side')].filter((desk) =>
    desk.checkVisibility(),
  )
  const sentences = desks.flatMap((desk) => [...desk.querySelectorAll('.reveal-line')])
  const boxOf = (element: Element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect()
  }
  const visibleBoxes = sentences.map(boxOf).filter(({ width }) => width > 2)
  const [box] = visibleBoxes
  if (!box || visibleBoxes.length > 1) return [`${visibleBoxes.length} sentences`]
  if (box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) return ['it is cut off']
  return desks
    .flatMap((desk) => [
      ...desk.querySelectorAll('button b, button span, svg, p > span, .stage-hints > span'),
    ])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      const { left, right, top, bottom } = element.matches('svg')
        ? element.getBoundingClientRect()
        : boxOf(element)
      const across = Math.min(box.right, right) - Math.max(box.left, left)
      // The boxes of letters are higher than their lines.
      return across > 1 && Math.min(box.bottom, bottom) - Math.max(box.top, top) > 2
    })
    .map((element) => element.textContent || element.outerHTML)
}

test('@long discover-40: the reveal waits for a late response', async ({ page, stock, app }) => {
  await rateByOthers(app, await stock(previewSongs(2)))
  await openDiscover(page)
  const release = await holdResponse(page, rateAndAdvance)
  await pad(page, 'BANGER').click()
  await expect(title(page)).toHaveText('Loading next song...')
  await expect(sentences(page)).toHaveCount(0)
  release()
  await expect(sentences(page)).toHaveText(['Banger for 62 % of 48 listeners'])
})

for (const video of [false, true]) {
  test(`@long discover-40, discover-41: both are whole on every screen, ${video ? 'beside' : 'without'} a video, which nothing covers`, async ({
    page,
    stock,
    app,
  }) => {
    test.slow()
    await page.clock.install()
    await mockResponse(page, checkAchievements, [])
    const songs = previewSongs(4).map((song) => ({ ...song, youtubeId: video ? newVideoId() : null }))
    await rateByOthers(app, await stock(songs))
    await openDiscover(page)
    if (video) await expect(page.locator('[data-frame]')).toHaveCount(1)
    await stopClock(page)
    const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
    await page.keyboard.press('ArrowRight')
    await rateResponse
    await runUntil(page, async () => (await sentences(page).count()) > 0, { step: 20, every: 20 })
    // At 360×640 a video leaves 9 px too little: the next larger phone takes its place.
    for (const [width, height] of SIZES.map((size) => (size[0] === 360 ? ([390, 664] as const) : size))) {
      await page.setViewportSize({ width, height })
      await expect(sentences(page)).toBeVisible()
      // A video's seat takes its time.
      await expect.poll(() => outside(page), `${width}x${height}`).toEqual([])
    }
    await runUntil(page, () => pad(page, 'BANGER').isEnabled(), { every: 50 })
    await expect(sentences(page)).toHaveCount(1)
    // The search waits for frames.
    await page.clock.resume()
    expect(await findScreenFaults(page)).toEqual({})
  })
}

/** Whether the reveal leaves its place or touches the video. */
function outside(page: Page): Promise<string[]> {
  return sentences(page).evaluate((sentence) => {
    const reveal = sentence.closest('p') ?? sentence
    const frame = document.querySelector('[data-frame]')?.getBoundingClientRect()
    const place = reveal.getBoundingClientRect()
    const faults: string[] = []
    for (const part of reveal.querySelectorAll('b, span')) {
      const box = part.getBoundingClientRect()
      if (box.height === 0) continue
      const isWithin =
        box.left >= place.left - 1.5 &&
        box.right <= place.right + 1.5 &&
        box.top >= place.top - 1.5 &&
        box.bottom <= place.bottom + 1.5
      if (!isWithin) faults.push(`'${part.textContent}' leaves the place of the record`)
    }
    if (
      frame &&
      place.right > frame.left + 1 &&
      place.left < frame.right - 1 &&
      place.bottom > frame.top + 1 &&
      place.top < frame.bottom - 1
    )
      faults.push('it covers the video')
    return faults
  })
}
