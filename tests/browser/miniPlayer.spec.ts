import { barButton, nowPlayingBar } from './libraryPage.ts'
import {
  art,
  expect,
  openPlaying,
  pad,
  position,
  previewSongs,
  test,
  title,
  video,
  videoSongs,
} from './testSongs.ts'

test('playback-21, playback-9, playback-10: the song continues in library and community, where the bar controls it', async ({
  page,
  stock,
  app,
}) => {
  await stock([{ ...videoSongs(1)[0], title: 'Carried along', artist: 'The Bars' }])
  await openPlaying(page)
  await expect.poll(() => position(page)).toBeGreaterThan(0)
  await expect(nowPlayingBar(page)).toHaveCount(0)
  const place = await video(page).boundingBox()
  const docks = []

  for (const key of ['2', '3']) {
    const before = await position(page)
    await page.keyboard.press(key)
    await expect(nowPlayingBar(page)).toContainText('Carried along')
    await expect(nowPlayingBar(page)).toContainText('The Bars')
    await expect(nowPlayingBar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(before)
    docks.push(await video(page).boundingBox())
  }
  // On the stage it is between the keys, elsewhere in one place at the lower right corner.
  expect(docks[0]).toEqual({ x: 1440 - 24 - 356, y: 900 - 24 - 200, width: 356, height: 200 })
  expect(docks[1]).toEqual(docks[0])
  await nowPlayingBar(page).getByRole('button', { name: 'Pause' }).click()
  await expect(nowPlayingBar(page).getByRole('button', { name: 'Play' })).toBeVisible()
  await nowPlayingBar(page).getByRole('button', { name: 'Play' }).blur()
  await page.keyboard.press('Space')
  await expect(nowPlayingBar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await nowPlayingBar(page).getByRole('button', { name: 'Back to Discover' }).click()
  await expect(title(page)).toHaveText('Carried along')
  await expect(nowPlayingBar(page)).toHaveCount(0)
  await expect(art(page, 'Pause')).toBeVisible()
  expect(await video(page).boundingBox()).toEqual(place)
  // One embed for all of it: nothing was reloaded.
  expect(app.youtube.embeddings).toHaveLength(1)
})

test('playback-65, playback-9: beside a phone’s video, bar and video are one block, which folds', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(2))
  await page.setViewportSize({ width: 390, height: 664 })
  await openPlaying(page)
  const place = () => video(page).boundingBox()
  for (const name of ['Community', 'Library']) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click()
    await expect(barButton(page, 'Pause')).toBeVisible()
    expect(await place()).toEqual({ x: 0, y: 408, width: 200, height: 200 })
    expect((await nowPlayingBar(page).boundingBox())?.y).toBe(408)
    for (const control of await nowPlayingBar(page).getByRole('button').all())
      expect((await control.boundingBox())?.x).toBeGreaterThan(200)
  }
  await barButton(page, 'Hide video').click()
  await expect(video(page)).toBeHidden()
  await expect(barButton(page, 'Play')).toBeVisible()
  expect((await nowPlayingBar(page).boundingBox())?.height).toBeLessThan(80)
  await page.getByRole('button', { name: /^Bangers/ }).click()
  await expect(page).toHaveURL(/profile/)
  await expect(barButton(page, 'Show video')).toBeVisible()
  await page.goBack()
  await barButton(page, 'Show video').click()
  await expect(video(page)).toBeVisible()
  await expect(barButton(page, 'Play')).toBeVisible()
  await barButton(page, 'Hide video').click()
  await barButton(page, 'Play').click()
  await expect(video(page)).toBeVisible()
})

test('playback-24: on Discover its song replaces one that was started in the library', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  await openPlaying(page)
  const rated = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowRight')
  await expect(pad(page, 'BANGER')).toBeEnabled()
  const own = (await title(page).textContent()) ?? ''
  await page.keyboard.press('2')
  await page.getByRole('button', { name: `${rated} by` }).click()
  await expect(nowPlayingBar(page)).toContainText(rated)
  await expect(nowPlayingBar(page).getByRole('button', { name: 'Pause' })).toBeVisible()

  await page.keyboard.press('1')
  await expect(title(page)).toHaveText(own)
  await expect(art(page, 'Pause')).toBeVisible()
  await page.keyboard.press('2')
  await expect(nowPlayingBar(page)).toContainText(own)

  await page.getByRole('button', { name: `${rated} by` }).click()
  await nowPlayingBar(page).getByRole('button', { name: 'Pause' }).click()
  await page.keyboard.press('1')
  await expect(art(page, 'Play')).toBeVisible()
  await page.keyboard.press('2')
  await expect(nowPlayingBar(page)).toContainText(rated)
})
