import { listRatings } from '../../contract/library.ts'
import {
  bangersOf,
  barButton,
  expectPlaying,
  nowPlayingBar,
  openBangers,
  playAll,
  setHidden,
  shuffle,
  withBangerTitles,
} from './libraryPage.ts'
import { mockResponse } from './mockResponses.ts'
import {
  art,
  expect,
  openDiscover,
  position,
  previewSongs,
  test,
  toast,
  video,
  videoSongs,
} from './testSongs.ts'

test('playback-43: when nothing sounds, the queue stops at the first song with a message, and one press retries', async ({
  page,
  stock,
  app,
}) => {
  await openBangers(page, stock, withBangerTitles(previewSongs(9)))
  app.deezer.answer('nothing')
  await playAll(page).click()
  await expect(toast(page)).toContainText('The queue stopped')
  await expect(toast(page)).toContainText('Check your connection, then press play.')
  await expect(nowPlayingBar(page)).toContainText('1 of 9')
  await expect(barButton(page, 'Play')).toBeVisible()
  app.deezer.answer('ok')
  await app.db`delete from provider_cache`
  await barButton(page, 'Play').click()
  await expectPlaying(page, 'Banger 1', '1 of 9')
})

test('playback-44: after a reload the queue continues where it was', async ({ page, stock }) => {
  await openBangers(page, stock, withBangerTitles(previewSongs(4)))
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 4')
  await page.keyboard.press('n')
  await expectPlaying(page, 'Banger 2', '2 of 4')
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(3)
  await page.reload()
  await expect(nowPlayingBar(page)).toContainText('Banger 2')
  await expect(nowPlayingBar(page)).toContainText('2 of 4')
  await expect(barButton(page, 'Pause')).toBeVisible()
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(3)
  await page.keyboard.press('n')
  await expectPlaying(page, 'Banger 3', '3 of 4')

  await barButton(page, 'Pause').click()
  await page.reload()
  await expect(nowPlayingBar(page)).toContainText('3 of 4')
  await expect(barButton(page, 'Play')).toBeVisible()
  // Discover's song waits for the queue only while the listener is elsewhere.
  await expect(page.getByRole('heading', { name: 'Discovered', includeHidden: true })).toBeAttached()
  await page.keyboard.press('1')
  await expect(art(page, 'Play')).toBeVisible()
  await page.reload()
  await expect(art(page, 'Pause')).toBeVisible()
})

test('playback-45: while the page is hidden no video starts: the preview plays instead', async ({
  page,
  stock,
  app,
}) => {
  const own = await openBangers(page, stock, withBangerTitles(videoSongs(3)))
  const [first, second, third] = own.songs.map(({ youtubeId }) => youtubeId ?? '')
  app.deezer.shorten(6)
  app.youtube.behave(first ?? '', { duration: 3 })
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 3')
  const before = app.youtube.embeddings.length
  await setHidden(page, true)
  await expectPlaying(page, 'Banger 2', '2 of 3')
  await expect(video(page)).toBeHidden()
  expect(app.youtube.embeddings.slice(before)).toEqual([])
  await setHidden(page, false)
  await expectPlaying(page, 'Banger 3', '3 of 3')
  await expect.poll(() => app.youtube.embeddings.at(-1)?.videoId).toBe(third)
  const embeddedVideos = app.youtube.embeddings.slice(before).map(({ videoId }) => videoId)
  expect(embeddedVideos).not.toContain(second)
})

test('@long playback-45: where the browser blocks a preview, one press continues from the same position', async ({
  page,
  stock,
}) => {
  await openBangers(page, stock, withBangerTitles(previewSongs(3)))
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 3')
  await page.evaluate(() => {
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = () => {
      HTMLMediaElement.prototype.play = play
      return Promise.reject(new DOMException('blocked', 'NotAllowedError'))
    }
  })
  await page.keyboard.press('n')
  await expect(barButton(page, 'Click to Enable Audio')).toBeVisible()
  await barButton(page, 'Play').click()
  await expectPlaying(page, 'Banger 2', '2 of 3')
})

test('playback-46: of two tabs with Discover one sounds, the other keeps its position, and a duplicate starts paused', async ({
  page,
  stock,
  context,
}) => {
  const { id } = await stock(previewSongs(1))
  const path = `/?microgenre=${id}`
  await openDiscover(page, { path })
  await expect(art(page, 'Pause')).toBeVisible()
  await expect.poll(() => position(page)).toBeGreaterThan(1)
  const other = await context.newPage()
  await other.goto(path)
  await expect(art(other, 'Pause')).toBeVisible()
  await expect(art(page, 'Play')).toBeVisible()
  expect(await position(page)).toBeGreaterThan(1)
  // A duplicate of the tab, with its stored data.
  const opening = context.waitForEvent('page')
  await other.evaluate(() => void window.open(location.href))
  const duplicate = await opening
  await expect(art(duplicate, 'Play')).toBeVisible()
  await expect(art(other, 'Pause')).toBeVisible()
  await art(duplicate, 'Play').click()
  await expect(art(duplicate, 'Pause')).toBeVisible()
  await expect(art(other, 'Play')).toBeVisible()
  await duplicate.close()
  await other.close()
})

test('@long playback-46: of two tabs with a queue each, one sounds', async ({ page, stock, context }) => {
  const own = await openBangers(page, stock, withBangerTitles(previewSongs(3)))
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 3')
  const other = await context.newPage()
  await mockResponse(other, listRatings, bangersOf(own))
  await other.goto('/?section=library')
  await shuffle(other).click()
  await expect(barButton(other, 'Pause')).toBeVisible()
  await expect(nowPlayingBar(other)).toContainText('1 of 3')
  await expect(barButton(page, 'Play')).toBeVisible()
  await barButton(page, 'Play').click()
  await expect(barButton(page, 'Pause')).toBeVisible()
  await expect(barButton(other, 'Play')).toBeVisible()
  await other.close()
})
