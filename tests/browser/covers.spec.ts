import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { SUB_PATH } from '../harness/subPath.ts'
import { makePlainPicture } from '../pictures.ts'
import { signIn, startSession } from './fixtures.ts'
import { openLibrary } from './libraryPage.ts'
import type { TestServer } from './testServer.ts'
import { expect, newVideoId, openDiscover, test, video } from './testSongs.ts'

const main = (page: Page) => page.getByRole('main')

/** Gives the song a release, and returns its id. */
async function giveRelease({ db }: TestServer, songId: string): Promise<string> {
  const release = randomUUID()
  await db`update songs set release_mbid = ${release} where id = ${songId}`
  return release
}

/** Gives the song a cover that the server keeps: a page does not wait long for one that it has to make. */
async function giveCover(page: Page, app: TestServer, songId: string): Promise<void> {
  app.coverart.know(await giveRelease(app, songId), await makePlainPicture(600, 600), 'image/png')
  const ask = async () => (await page.request.get(`/covers/${songId}-640.webp`)).status()
  await expect.poll(ask).toBe(200)
}

test('playback-63, playback-2: the cover shows in place of the thumbnail, also beside the video', async ({
  page,
  stock,
  app,
}) => {
  const { songs } = await stock([{ title: 'Covered', youtubeId: newVideoId() }])
  const id = songs[0]?.id ?? ''
  await giveCover(page, app, id)
  await openDiscover(page)
  await expect(video(page)).toBeVisible()
  const record = main(page).locator('img')
  await expect(record).toHaveAttribute('src', `${SUB_PATH}/covers/${id}-640.webp`)
  await expect.poll(() => record.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
})

test('@long playback-63: a tile of the library asks for the cover in its size', async ({
  page,
  stock,
  app,
}) => {
  const { id: microgenreId, songs } = await stock([{ title: 'Covered' }, { title: 'Next' }])
  const songId = songs[0]?.id ?? ''
  await giveCover(page, app, songId)
  const email = await startSession(page.context())
  await page.request.post(rateAndAdvance.path, { data: { microgenreId, songId, rating: 'banger' } })
  await signIn(page, { email })
  await openLibrary(page)
  // Chromium would show a larger one that it has already.
  const picture = page.getByRole('list', { name: 'Your bangers' }).locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(/-160\.webp$/)
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete)).toBe(true)
})

test.describe('a release without a cover', () => {
  test.use({ expectedErrors: [/status of 404/] })

  test('@long playback-63, playback-18: shows the thumbnail, and is not asked for again', async ({
    page,
    stock,
    app,
  }) => {
    const video = newVideoId()
    // Beside a video that plays, its thumbnail would not show.
    app.youtube.behave(video, { errors: [100] })
    const { songs } = await stock([{ title: 'Bare', youtubeId: video }])
    const id = songs[0]?.id ?? ''
    await giveRelease(app, id)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`/covers/${id}-`)) asked.push(request.url())
    })
    await openDiscover(page)
    await expect(main(page).locator(`img[src*="${video}"]`)).toBeVisible()
    expect(asked.length).toBeGreaterThan(0)
    asked.length = 0
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    await page.keyboard.press('2')
    const tile = page.getByRole('list', { name: 'Your bangers' }).locator(`img[src*="${video}"]`)
    await expect(tile).toBeVisible()
    expect(asked).toEqual([])
  })
})
