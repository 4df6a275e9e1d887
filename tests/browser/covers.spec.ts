import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { listTrending } from '../../contract/community.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { makeSong } from '../makeSong.ts'
import { makePlainPicture } from '../pictures.ts'
import { signIn, startSession } from './fixtures.ts'
import { nowPlayingBar, openLibrary } from './libraryPage.ts'
import { mockResponse } from './mockResponses.ts'
import type { TestServer } from './testServer.ts'
import { expect, newVideoId, openDiscover, pad, test, video } from './testSongs.ts'

const main = (page: Page) => page.getByRole('main')

/** Gives the song a release, and returns its id. */
async function giveRelease({ db }: TestServer, songId: string): Promise<string> {
  const release = randomUUID()
  await db`update songs set release_mbid = ${release} where id = ${songId}`
  return release
}

/** Gives the song a stored cover, because a page does not wait long for a new one. */
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
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`/covers/${id}-`)) requests.push(request.url())
    })
    await openDiscover(page)
    await expect(main(page).locator(`img[src*="${video}"]`)).toBeVisible()
    expect(requests.length).toBeGreaterThan(0)
    requests.length = 0
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    await page.keyboard.press('2')
    const tile = page.getByRole('list', { name: 'Your bangers' }).locator(`img[src*="${video}"]`)
    await expect(tile).toBeVisible()
    expect(requests).toEqual([])
  })
})

test.describe('thumbnails', () => {
  // In the light scheme nothing around a picture is dark.
  test.use({ colorScheme: 'light' })

  /** The pixels of this picture as shown, row by row, each as red, green and blue. */
  async function rowsOf(picture: Locator): Promise<[number, number, number][][]> {
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    const png = await picture.locator('..').screenshot({ animations: 'disabled' })
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const pixel = (n: number): [number, number, number] => [
      data[n * 3] ?? 0,
      data[n * 3 + 1] ?? 0,
      data[n * 3 + 2] ?? 0,
    ]
    return Array.from({ length: info.height }, (_, y) =>
      Array.from({ length: info.width }, (_, x) => pixel(y * info.width + x)),
    )
  }

  /** Rows that are mostly black. */
  async function blackRows(picture: Locator): Promise<number> {
    const rows = await rowsOf(picture)
    const isBlack = ([red, green, blue]: [number, number, number]) => red + green + blue < 60
    return rows.filter((row) => row.filter(isBlack).length > row.length / 2).length
  }

  test('@long video thumbnails have no black bars in player, library, community and profile', async ({
    page,
    stock,
    app,
  }) => {
    const id = newVideoId()
    // While a video plays, the record beside it shows its drawn cover.
    app.youtube.behave(id, { errors: [100] })
    await stock([{ title: 'Barred', youtubeId: id }])
    await mockResponse(page, listTrending, [
      {
        ...makeSong('1', { albumArt: `${app.youtube.url}/vi/${id}/hqdefault.jpg` }),
        bangerCount: 3,
      },
    ])
    const main = page.getByRole('main').locator(`img[src*="${id}"]`)
    await openDiscover(page)
    expect(await blackRows(main), 'the record').toBe(0)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
    expect(await blackRows(main), 'a sleeve of a completed microgenre').toBe(0)
    await page.keyboard.press('2')
    const shelf = page.getByRole('list', { name: 'Your bangers' })
    expect(await blackRows(shelf.locator('img')), 'a tile of the library').toBe(0)
    await shelf.getByRole('button', { name: 'Barred by' }).click()
    const bar = nowPlayingBar(page)
    expect(await blackRows(bar.locator('img')), 'the mini-player').toBe(0)
    await page.keyboard.press('3')
    const trending = page.getByRole('region', { name: 'Trending Bangers' })
    expect(await blackRows(trending.locator('img')), 'a trending banger').toBe(0)
    await page.goto('/profile')
    expect(await blackRows(page.getByRole('tabpanel').locator('img')), 'a row of the profile').toBe(0)
  })

  test.describe('a video without a thumbnail', () => {
    test.use({ expectedErrors: [/status of 404/] })

    test('@long shows a drawn cover, not the grey picture of the 404', async ({ page, stock, app }) => {
      const id = newVideoId()
      app.youtube.losePicture(id)
      app.youtube.behave(id, { errors: [100] })
      await stock([{ youtubeId: id }])
      const requests = page.waitForResponse((response) => response.url().includes(`/vi/${id}/`))
      await signIn(page)
      await requests
      await expect(pad(page, 'BANGER')).toBeEnabled()
      await expect(page.getByRole('main').locator('[data-cover]')).toBeVisible()
      await expect(page.getByRole('main').locator('img')).toHaveCount(0)
    })
  })

  test('@long the record shows its drawn cover while the video on the stage shows the same picture (playback-2)', async ({
    page,
    stock,
    app,
  }) => {
    const id = newVideoId()
    await stock([{ youtubeId: id, albumArt: `${app.youtube.url}/vi/${id}/hqdefault.jpg` }])
    await openDiscover(page)
    await expect(video(page)).toBeVisible()
    await expect(page.getByRole('main').locator('[data-cover]')).toBeVisible()
    await expect(page.getByRole('main').locator('img')).toHaveCount(0)
  })
})
