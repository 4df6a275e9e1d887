import type { Page } from '@playwright/test'
import {
  art,
  expect,
  openDiscover,
  openPlaying,
  position,
  previewSongs,
  test,
  title,
  videoSongs,
  watchRatings,
} from './testSongs.ts'

/* The progress line can be moved (playback-27). */

const slider = (page: Page) => page.getByRole('slider', { name: 'Song progress' })

/** Presses the line at this share of its width. */
async function pressAt(page: Page, share: number): Promise<void> {
  const { width, height } = (await slider(page).boundingBox()) ?? { width: 0, height: 0 }
  await slider(page).click({ position: { x: width * share, y: height / 2 } })
}

for (const [kind, songs, tier] of [
  ['preview', previewSongs, '@long '],
  ['video', videoSongs, ''],
] as const)
  test(`${tier}playback-27: a press on the line moves the ${kind}, and keys still rate afterwards`, async ({
    page,
    stock,
  }) => {
    const { songs: stocked } = await stock(songs(2))
    const rated = watchRatings(page)
    await openDiscover(page)
    await page.keyboard.press('Shift')
    await expect(art(page, 'Pause')).toBeVisible()
    await expect(slider(page)).toBeEnabled()
    const duration = Number(await slider(page).getAttribute('max'))

    await pressAt(page, 0.5)
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(Math.floor(duration * 0.4))
    const there = await position(page)
    await expect.poll(() => position(page), 'it plays on from there').toBeGreaterThan(there)
    expect(await position(page)).toBeLessThan(duration)
    await pressAt(page, 0)
    await expect.poll(() => position(page)).toBeLessThan(there)

    await page.keyboard.press('ArrowRight')
    await expect(title(page)).toHaveText(stocked[1]?.title ?? '')
    await expect.poll(() => rated.map(({ rating }) => rating)).toEqual(['banger'])
  })

test('@long playback-27: reached by Tab, the line moves by arrow keys and rates nothing', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  const rated = watchRatings(page)
  await openPlaying(page)
  await art(page, 'Pause').click()
  await expect(art(page, 'Play')).toBeVisible()
  await expect(slider(page)).toBeEnabled()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(slider(page)).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0] })
  await page.keyboard.press('Home')
  await expect.poll(() => position(page)).toBe(0)
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
  await expect.poll(() => position(page)).toBe(3)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => position(page)).toBe(2)
  expect(rated).toEqual([])
})
