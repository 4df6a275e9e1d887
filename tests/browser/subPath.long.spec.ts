import type { BrowserContext, Page } from '@playwright/test'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { sharePath } from '../../contract/sharing.ts'
import { signInAt } from '../harness/visitor.ts'
import { expect, newEmail, test } from './fixtures.ts'
import { startTestServer, type TestServer } from './testServer.ts'
import { genre, pad, title } from './testSongs.ts'

/* A service at a path of its host, whatever path the other tests have. CONTRIBUTING.md says how to run all there. */

let app: TestServer
// In one worker, because what is below is made once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  app = await startTestServer({}, { subPath: '/music' })
})
test.afterAll(() => app.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const placeOf = (page: Page) =>
  page
    .url()
    .replace(/microgenre=\d+&?/, '')
    .replace(/[?&]$/, '')

/** The addresses of this host that are not below the path. */
function watchRequestsOutside(context: BrowserContext): string[] {
  const { origin } = new URL(app.url)
  const requestsOutside: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (url.startsWith(`${origin}/`) && !url.startsWith(`${app.url}/`)) requestsOutside.push(url)
  })
  return requestsOutside
}

test('screens-21: a listener signs in, picks, rates, finds the banger, and reloads every place', async ({
  page,
  context,
}) => {
  await page.goto(app.url)
  expect(page.url()).toBe(`${app.url}/`)
  const requestsOutside = watchRequestsOutside(context)
  await expect(heading(page)).toHaveText('Discover Music Like Never Before')
  await page.getByRole('button', { name: 'Get Started' }).click()
  expect(page.url()).toBe(`${app.url}/auth`)
  await page.reload()
  const email = newEmail()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send magic link' }).click()
  await page.getByRole('link', { name: `${app.url}/sign-in/link?token=` }).click()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(placeOf(page)).toBe(`${app.url}/`)
  expect((await context.cookies()).map(({ name, path }) => ({ name, path }))).toEqual([
    { name: 'session', path: '/music/' },
  ])

  await genre(page).click()
  const picker = page.getByRole('dialog', { name: 'Discover Your Sound' })
  await picker.getByRole('searchbox', { name: 'Search microgenres' }).fill('zydeco')
  await picker.getByRole('button', { name: /^zydeco/ }).click()
  await expect(page.getByRole('button', { name: 'Currently listening to zydeco' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Currently listening to zydeco' })).toBeVisible()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  const song = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowRight')
  await expect(title(page)).not.toHaveText(song)

  await page.keyboard.press('2')
  const tile = page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem')
  await expect(tile).toHaveCount(1)
  await expect(tile).toContainText(song)
  await page.reload()
  await expect(tile).toHaveCount(1)
  expect(placeOf(page)).toBe(`${app.url}/?section=library`)

  await page.getByRole('button', { name: 'Share Collection' }).click()
  await page.goBack()
  await page.getByRole('button', { name: /^Bangers/ }).click()
  await expect(heading(page)).toHaveText(email)
  expect(page.url()).toBe(`${app.url}/profile`)
  await page.reload()
  await expect(heading(page)).toHaveText(email)
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(placeOf(page)).toBe(`${app.url}/`)
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  expect(stored).toContain('bob/music:signed-in')
  expect(stored.filter((key) => !key.startsWith('bob/music:'))).toEqual([])

  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(heading(page)).toHaveText('Discover Music Like Never Before')
  expect(page.url()).toBe(`${app.url}/`)
  await page.goto(`${app.url}/profile`)
  await expect(heading(page)).toHaveText('Sign in to start rating')
  expect(requestsOutside).toEqual([])
})

test('screens-21: a shared page, its picture and its metadata are below the path', async ({
  page,
  context,
  request,
}) => {
  const ada = await signInAt(app.url, newEmail())
  const { body: collection } = await ada.call(createCollection, {
    body: { name: 'Night buses', isPublic: true },
  })
  const { body: shared } = await ada.call(shareCollection, { params: { id: collection.id } })
  const path = sharePath('collection', shared.shareToken)
  const requestsOutside = watchRequestsOutside(context)
  await page.goto(app.url + path)
  await expect(heading(page)).toHaveText('Night buses')
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect(picture).toBe(`${app.url}${path}/preview.png`)
  expect((await request.get(picture ?? '')).headers()['content-type']).toBe('image/png')
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', app.url + path)
  await page.getByRole('button', { name: 'Start Discovering' }).click()
  await expect(heading(page)).toHaveText('Discover Music Like Never Before')
  expect(page.url()).toBe(`${app.url}/`)
  expect(requestsOutside).toEqual([])
})
