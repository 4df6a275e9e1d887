import type { Page } from '@playwright/test'
import { getBlindRound } from '../../contract/blindRounds.ts'
import { listCollections } from '../../contract/collections.ts'
import { getLongTail } from '../../contract/community.ts'
import { getCoverage } from '../../contract/coverage.ts'
import { getMap } from '../../contract/discovery.ts'
import { listFeedback } from '../../contract/feedback.ts'
import { listRatings } from '../../contract/library.ts'
import { listMixes } from '../../contract/mixes.ts'
import { getAgreement } from '../../contract/profiles.ts'
import { getTryout } from '../../contract/visitors.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { rateSongs } from './listeners.ts'
import { failCall, SERVER_ERROR } from './mockResponses.ts'
import { openDiscover, toast } from './testSongs.ts'

/* Parts of the page load on demand, and fail without a connection or on a server of another version. */

test.use({
  expectedErrors: [/ERR_FAILED|ERR_BLOCKED|status of 404|dynamically imported module|Code did not arrive/],
})

/** Blocks files whose name starts so. Returns the function that unblocks them. */
async function blockScript(page: Page, name: string): Promise<() => Promise<void>> {
  const files = `**/assets/${name}-*.js`
  await page.route(files, (route) => route.abort())
  return () => page.unroute(files)
}

test('a dialog that does not load shows an error and stays closed, the song plays on, and a retry opens it', async ({
  page,
}) => {
  const release = await blockScript(page, 'GenrePicker')
  await openDiscover(page)
  const pause = page.getByRole('main').getByRole('button', { name: 'Pause' })
  await expect(pause).toBeVisible()
  const open = page.getByRole('button', { name: /^Currently listening to/ })
  await open.click()
  await expect(toast(page)).toContainText('This dialog could not be loaded.')
  await expect(pause).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()

  await release()
  await open.click()
  await expect(page.getByRole('dialog', { name: 'Discover Your Sound' })).toBeVisible()
})

test('@long a section that does not load can be retried', async ({ page }) => {
  const release = await blockScript(page, 'CommunitySection')
  await openDiscover(page)
  await page.keyboard.press('3')
  await expect(page.getByRole('alert')).toContainText('This part could not be loaded.')
  await release()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Community Insights' })).toBeVisible()
})

test('discover-31: prefetched sections and picker open without a connection, the picker before its list', async ({
  page,
}) => {
  const ahead = ['LibrarySection', 'CommunitySection', 'GenrePicker', 'DialogPanel'].map((name) =>
    page.waitForResponse((response) => response.url().includes(`/assets/${name}-`)),
  )
  await signIn(page)
  await Promise.all(ahead)
  await page.route('**/assets/**', (route) => route.abort())
  await page.keyboard.press('2')
  await expect(page.getByRole('heading', { name: 'My Library' })).toBeVisible()
  await page.keyboard.press('3')
  await expect(page.getByRole('heading', { name: 'Community Insights' })).toBeVisible()
  await page.keyboard.press('1')
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const dialog = document.querySelector('[role=dialog]')
      if (!dialog) return
      watch.disconnect()
      document.body.dataset.listed = String(dialog.querySelectorAll('[data-genre]').length)
    })
    watch.observe(document.body, { subtree: true, childList: true })
  })
  await page.getByRole('button', { name: /^Currently listening to/ }).click()
  const picker = page.getByRole('dialog', { name: 'Discover Your Sound' })
  await expect(picker.locator('[data-genre]').first()).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-listed', '0')
})

test('@long a file of another version answers 404, not the page', async ({ request }) => {
  for (const path of ['/assets/GenrePicker-00000000.js', '/none/preview.png']) {
    const answer = await request.get(path)
    expect(answer.status()).toBe(404)
    expect(answer.headers()['content-type']).toMatch(/^application\/json/)
  }
})

test.describe('calls that fail', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('each page says what did not load, and can try again', async ({ page }) => {
    await page.goto('/')
    const restoreTryout = await failCall(page, getTryout)
    await page.getByRole('button', { name: 'Hear one first' }).click()
    const title = page.getByRole('heading', { name: 'The songs could not be loaded' })
    await expect(title).toBeVisible()
    await restoreTryout()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(title).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()

    await startSession(page.context())
    await rateSongs(page.request, { banger: 1 })
    for (const [path, call, words] of [
      ['/?section=library', listRatings, 'Your library did not load.'],
      ['/?section=library&dialog=collections', listCollections, 'Your collections did not load.'],
      ['/?section=library&dialog=mixes', listMixes, 'Your mixes did not load.'],
      ['/?section=community&dialog=blind-round', getBlindRound, 'Your round did not load.'],
      ['/profile', getAgreement, 'You and the room did not load.'],
      ['/microgenres', getMap, 'The microgenres did not load.'],
      ['/fairness', getLongTail, 'How fairly songs are heard did not load.'],
      ['/coverage', getCoverage, 'The coverage did not load.'],
      ['/feedback', listFeedback, 'The feedback did not load.'],
    ] as const) {
      const restore = await failCall(page, call)
      await page.goto(path)
      await expect(page.getByText(words)).toBeVisible()
      if (call === listRatings) await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
      await restore()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText(words)).toBeHidden()
    }
  })
})
