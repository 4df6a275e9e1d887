import type { Page } from '@playwright/test'
import { signIn } from './fixtures.ts'
import { signInEarFirst } from './listeners.ts'
import type { TestServer } from './testServer.ts'
import { art, expect, newVideoId, pad, position, test, title, toast, video } from './testSongs.ts'

/** Two songs with a video and a preview, whose titles and artists begin with this. */
const SECRET = 'Quagga'
const songs = ({ youtube }: TestServer) =>
  [1, 2].map((n) => {
    const youtubeId = newVideoId()
    const albumArt = `${youtube.url}/vi/${youtubeId}/${SECRET}.jpg`
    return { title: `${SECRET} ${n}`, artist: `${SECRET}s`, albumArt, youtubeId }
  })

/** All that the page tells people, readers, links and the lock screen. */
const readPage = (page: Page) =>
  page.evaluate(() => {
    const { title, artist, artwork } = navigator.mediaSession.metadata ?? {}
    return JSON.stringify([document.title, document.body.outerHTML, location.href, title, artist, artwork])
  })

test('discover-92: nothing tells which song plays before Show or the verdict, which names it', async ({
  page,
  stock,
  app,
}) => {
  await stock(songs(app))
  await signInEarFirst(page)
  await expect(art(page, 'Pause')).toBeVisible()
  await expect.poll(() => position(page)).toBeGreaterThan(0)
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Hidden song')
  expect(await readPage(page)).not.toContain(SECRET)
  expect(app.youtube.embeddings).toEqual([])
  await expect(page.getByRole('button', { name: 'Hear it elsewhere' })).toHaveCount(0)
  // Nor does the mini-player.
  await page.keyboard.press('2')
  await expect(page.getByRole('region', { name: 'Now playing' })).toContainText('Hidden song')
  expect(await readPage(page)).not.toContain(SECRET)
  await page.keyboard.press('1')

  await page.getByRole('button', { name: 'Show' }).press('Enter')
  await expect(title(page)).toContainText(SECRET)
  await expect(page).toHaveTitle(new RegExp(SECRET))
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe(`${SECRET}s`)
  await expect(art(page, 'Pause')).toBeVisible()
  await expect(video(page)).toBeHidden()

  await page.keyboard.press('ArrowRight')
  await expect(title(page)).toHaveText('Hidden song')
  await expect(pad(page, 'BUST')).toBeEnabled()
  expect(await page.title()).not.toContain(SECRET)
  await page.keyboard.press('ArrowLeft')
  await expect(toast(page)).toContainText(new RegExp(`That was.*${SECRET} \\d by ${SECRET}s`))
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
})

test('discover-92: a song that has only a video says so, and Show plays it', async ({ page, stock, app }) => {
  app.deezer.answer('nothing')
  await stock(songs(app))
  await signInEarFirst(page)
  await expect(page.getByText('This song has only a video, which shows its title.')).toBeVisible()
  expect(await readPage(page)).not.toContain(SECRET)
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(title(page)).toContainText(SECRET)
  await expect(video(page)).toBeVisible()
})

test('discover-70, discover-92: the switch is beside the choice of songs, and holds from the next song on', async ({
  page,
  stock,
  app,
}) => {
  await stock([...songs(app), ...songs(app)])
  await signIn(page)
  await page.getByRole('button', { name: 'From your shuffle' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why this song?' })
  await dialog.getByRole('switch', { name: 'Ear first' }).click()
  await expect(dialog.getByRole('switch', { name: 'Ear first' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(title(page)).toContainText(SECRET)
  await expect(pad(page, 'BUST')).toBeEnabled()
  await page.keyboard.press('ArrowLeft')
  await expect(title(page)).toHaveText('Hidden song')
})
