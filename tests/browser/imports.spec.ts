import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { getImport, type Import, removeImport } from '../../contract/imports.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { zip } from '../harness/zip.ts'
import { type Files, makeFiles } from './files.ts'
import { signIn } from './fixtures.ts'
import { mockResponse } from './mockResponses.ts'
import { IMPORT } from './requestStorms/screens.ts'
import { expect, pad, test, videoSongs } from './testSongs.ts'

/* Loves and plays from elsewhere: the file dialog, the dry run, and back (imports-30 to 35). */

let files: Files
// In one worker, because what is below is made once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  files = await makeFiles()
})
test.afterAll(() => files.remove())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Bring your loves' })
const bangers = async (page: Page) =>
  ((await (await page.request.get(getMyStats.path)).json()) as { totalBangers: number }).totalBangers

async function write(name: string, content: string | Buffer): Promise<string> {
  const file = path.join(files.folder, name)
  await writeFile(file, content)
  return file
}

/** Chooses a file in the dialog and sends it. */
async function bring(page: Page, file: string): Promise<void> {
  await button(page, 'Choose files').click()
  const chooser = page.waitForEvent('filechooser')
  await dialog(page)
    .getByRole('button', { name: /^(browse|Choose) files$/ })
    .click()
  await (await chooser).setFiles(file)
  await dialog(page).getByRole('button', { name: 'Upload 1 file' }).click()
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true })

  test('imports-30, imports-32, imports-34: from a Spotify zip to the first song that fits', async ({
    page,
    stock,
  }) => {
    const { id, songs } = await stock(videoSongs(6))
    const loves = songs.slice(0, 3)
    const tracks = [...loves, UNKNOWN].map(({ title, artist }, n) => ({
      artist,
      album: '',
      track: n === 2 ? `${title} - Live at Home` : title,
      uri: '',
    }))
    const played = songs.slice(3, 4).map(({ title, artist }) => ({
      endTime: '2024-05-01 20:15',
      artistName: artist,
      trackName: `${title} - Live at Home`,
      msPlayed: 180_000,
    }))
    const archive = await write(
      'my_spotify_data.zip',
      zip({
        'Spotify Account Data/YourLibrary.json': JSON.stringify({ tracks }),
        'Spotify Account Data/StreamingHistory_music_0.json': JSON.stringify(played),
      }),
    )
    await signIn(page, { path: '/?section=library' })
    await test.step('empty library', () => page.getByRole('link', { name: 'Bring your loves' }).tap())
    await test.step('where from', () => expect(page.getByText('Account data')).toBeVisible())
    await test.step('sent', () => bring(page, archive))
    await test.step('dry run', () => expect(button(page, 'Add 2 bangers')).toBeVisible())
    await test.step('the same', () => button(page, 'The same song').tap())
    await test.step('answered', () => expect(button(page, 'Add 3 bangers')).toBeVisible())
    await page.getByRole('tab', { name: 'Unknown (1)' }).tap()
    await test.step('unknown', () => button(page, `Suggest ${UNKNOWN.title}`).tap())
    const suggestion = page.getByRole('dialog', { name: 'Suggest a song' })
    await test.step('suggestion', () =>
      expect(suggestion.getByLabel('Address, or artist and title')).toHaveValue(
        `${UNKNOWN.artist} - ${UNKNOWN.title}`,
      ))
    await suggestion.getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('tab', { name: 'Doubtful (2)' }).tap()
    await button(page, 'The same song').tap()
    await test.step('plays', () =>
      expect(page.getByRole('switch', { name: 'Plays of 1 song' })).toBeChecked())
    expect(await bangers(page), 'a dry run rates nothing').toBe(0)
    await button(page, 'Add 3 bangers').tap()
    await test.step('left before it is done', async () => {
      await page.goBack()
      await page.goBack()
      const list = page.getByRole('list', { name: 'Your bangers' })
      for (const { title } of loves) await expect(list).toContainText(title)
      await page.goForward()
      await page.goForward()
    })
    await test.step('applied', () =>
      expect(page.getByRole('status').filter({ hasText: '3 bangers are in your library' })).toContainText(
        'Unlocked: First Banger Found!',
      ))
    expect(await bangers(page)).toBe(3)
    await button(page, 'Hear the first song that fits').tap()
    await expect(page).toHaveURL(new RegExp(`microgenre=${id}`))
    await test.step('heard', () => expect(pad(page, 'BANGER')).toBeEnabled())
    for (const { title } of loves)
      await expect(page.getByRole('main').getByText(title, { exact: true })).toHaveCount(0)
  })
})

const UNKNOWN = { title: 'Elsewhere Entirely', artist: 'Nobody Anybody' }

test('imports-31: the progress of a large file, and Cancel', async ({ page }) => {
  const reading = { ...IMPORT, status: 'reading', progress: { bytes: 20, size: 100, rows: 12 } } as Import
  await mockResponse(page, getImport, reading)
  await mockResponse(page, removeImport, null)
  await signIn(page, { path: '/imports/7' })
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '20')
  await mockResponse(page, getImport, { ...reading, progress: { ...reading.progress, bytes: 40 } })
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '40')
  await button(page, 'Cancel').click()
  await expect(page).toHaveURL(/\/imports$/)
  await expect(page.getByRole('main')).toBeFocused()
})

test('imports-14, imports-32: collections of another installation come along, and mixes are said not to', async ({
  page,
}) => {
  const collections = [{ name: 'Mornings', isPublic: false, items: [] }]
  const data = await write('data.json', JSON.stringify({ collections, mixes: [{ name: 'Ten', songs: [] }] }))
  await signIn(page, { path: '/imports' })
  await bring(page, data)
  await page.getByRole('tab', { name: 'Left out (1)' }).click()
  await expect(page.getByText('Mixes, which do not come along')).toBeVisible()
  await button(page, 'Add 1 collection').click()
  await expect(page.getByRole('heading', { name: 'Your collections came along' })).toBeVisible()
})

test.describe('when it is taken back', () => {
  // It is not found.
  test.use({ expectedErrors: [/status of 404/] })

  test('imports-33, imports-35: columns by hand, doubtful songs by key, and all of it taken back', async ({
    page,
    stock,
  }) => {
    const { songs } = await stock(videoSongs(3))
    const rows = songs.map(({ title, artist }) => `${title} - Live at Home;${artist};1`)
    const table = await write('lieder.csv', ['Lied;Band;Gut', ...rows].join('\n'))
    await signIn(page, { path: '/imports' })
    await bring(page, table)
    await expect(page.getByRole('alert')).toContainText('columns')
    await expect(button(page, 'Read it again')).toBeDisabled()
    await page.getByLabel('Title', { exact: true }).selectOption('Lied')
    await page.getByLabel('Artist', { exact: true }).selectOption('Band')
    await button(page, 'Read it again').click()

    const doubtful = page.getByRole('region', { name: 'Doubtful song' })
    await expect(doubtful).toContainText('1 of 3')
    await page.keyboard.press('ArrowRight')
    await expect(doubtful).toContainText('2 of 3')
    await page.keyboard.press('ArrowRight')
    await expect(doubtful).toContainText('3 of 3')
    await page.goBack()
    await page.goForward()
    await expect(doubtful, 'what was answered is not asked again').toContainText('3 of 3')
    await button(page, 'Another song').click()
    await expect(page.locator(':focus')).toContainText('No doubtful song is left.')
    await page.keyboard.press('u')
    await expect(doubtful).toContainText('3 of 3')
    await page.reload()
    await expect(doubtful).toContainText('3 of 3')
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByText('No doubtful song is left.')).toBeVisible()
    await button(page, 'Add 2 bangers').click()
    await expect(page.getByRole('main')).toBeFocused()
    await button(page, 'Take it all back').click()
    await expect(page.getByRole('heading', { name: 'Taken back' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    expect(await bangers(page)).toBe(0)
  })
})

/** Names and files of uploads that the browser stores. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const end = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
    const database = await end(indexedDB.open('uppy-blobs'))
    return {
      names: Object.keys(localStorage).filter((key) => key.startsWith('uppyState')).length,
      files: await end(database.transaction('files').objectStore('files').count()),
    }
  })

test('uploads-7: what was chosen is there after a reload, can be paused, and is gone after signing out', async ({
  page,
}) => {
  const large = await files.file('large.zip', 101 * 1024 * 1024)
  await signIn(page, { path: '/imports' })
  const firstPart = page.waitForRequest(/[?&]part=/)
  await bring(page, large)
  await firstPart
  await dialog(page).getByRole('button', { name: 'Pause' }).first().click()
  await expect(dialog(page).getByRole('button', { name: 'Resume' }).first()).toBeVisible()
  await expect.poll(() => stored(page)).toEqual({ names: 1, files: 1 })

  await page.reload()
  await expect(dialog(page).getByTitle('large.zip', { exact: true })).toBeVisible()
  await page.goto('/api/logout')
  await expect(page.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
  await expect.poll(() => stored(page)).toEqual({ names: 0, files: 0 })
})
