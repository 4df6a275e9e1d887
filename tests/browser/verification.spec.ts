import type { Page } from '@playwright/test'
import { countSongs, type VerifiedSong, verifyBatch } from '../../contract/diagnostics.ts'
import { SUB_PATH } from '../harness/tier.ts'
import { expect, signIn, test } from './fixtures.ts'
import { holdResponse, mockResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { toast } from './testSongs.ts'
import { fact } from './toasts.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const start = (page: Page) => button(page, 'Start Verification')
const stop = (page: Page) => button(page, 'Stop')
const rows = (page: Page) => page.getByRole('tabpanel').getByRole('listitem')
const bar = (page: Page) => page.getByRole('progressbar', { name: 'Verification' })

/** The n-th song: in turn accessible, blocked and missing; the accessible ones match well, then poorly. */
function song(n: number): VerifiedSong {
  const kind = n % 3
  const matches = n % 2 === 0
  return {
    songId: String(n + 1),
    title: `Song ${n}`,
    artist: `Artist ${n}`,
    youtubeId: kind === 2 ? null : `video${String(n).padStart(6, '0')}`,
    spotifyId: null,
    youtubeAccessible: kind === 0,
    youtubeTitle: kind === 0 ? (matches ? `Song ${n}` : `Another ${n}`) : null,
    qualityScore: kind === 0 ? (matches ? 85 : 43) : null,
    titleMatch: kind === 0 && matches,
    artistMatch: kind === 0,
    error: kind === 1 ? 'Embedding is switched off.' : null,
  }
}

interface Batches {
  /** The number of songs in the catalogue. */
  total: number
  /** The batch, from 1, that is the last. */
  completedAt?: number
  /** The batch, from 1, that fails. */
  failingAt?: number
  /** Results per batch. */
  size?: number
}

/** Responds for such a catalogue; returns the list of the page's requests. */
async function serveBatches(
  page: Page,
  { total, completedAt, failingAt, size = 20 }: Batches,
): Promise<unknown[]> {
  const bodies: unknown[] = []
  await mockResponse(page, countSongs, { total })
  await page.route(`**${verifyBatch.path}`, async (route) => {
    const body = route.request().postDataJSON() as { batchSize: number; offset: number }
    bodies.push(body)
    const currentBatch = body.offset / body.batchSize + 1
    if (currentBatch === failingAt) {
      return route.fulfill({ status: 500, json: { message: 'The database is away.' } })
    }
    const first = (currentBatch - 1) * size
    const results = Array.from({ length: Math.min(size, total - first) }, (_, i) => song(first + i))
    const accessible = results.filter(({ youtubeAccessible }) => youtubeAccessible)
    const missing = results.filter(({ youtubeId }) => youtubeId === null)
    const good = accessible.filter(({ qualityScore }) => (qualityScore ?? 0) >= 70)
    return route.fulfill({
      json: {
        results,
        stats: {
          total: results.length,
          accessible: accessible.length,
          blocked: results.length - accessible.length - missing.length,
          missing: missing.length,
          goodMatches: good.length,
          poorMatches: accessible.length - good.length,
        },
        progress: Math.round(Math.min(100, ((first + results.length) / total) * 100)),
        currentBatch,
        completed: currentBatch === completedAt || first + size >= total,
      },
    })
  })
  return bodies
}

/** The page, with a clock that moves only in `page.clock.runFor`. */
async function open(page: Page): Promise<void> {
  await page.clock.install()
  await signIn(page, { path: '/verification' })
  await expect(start(page)).toBeVisible()
  // A minute ahead, because the clock cannot be paused at a time that has passed.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

test('diagnostics-1, diagnostics-2, diagnostics-3, diagnostics-4, diagnostics-5, diagnostics-10: batches of 20, a second apart, add up to the end', async ({
  page,
}) => {
  const bodies = await serveBatches(page, { total: 45 })
  await open(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audio Verification Center')
  await expect(stop(page)).toBeDisabled()
  await expect(button(page, 'Export Results')).toBeDisabled()
  await expect(bar(page)).toHaveAttribute('aria-valuenow', '0')

  await Promise.all([page.waitForRequest(urlPattern(countSongs)), start(page).click()])
  await expect(page.getByText('Batch 1 of 3')).toBeVisible()
  await expect(page.getByText('44%')).toBeVisible()
  await expect(bar(page)).toHaveAttribute('aria-valuenow', '44')
  await expect(bar(page)).toHaveAttribute('aria-valuemax', '100')
  await expect(start(page)).toBeDisabled()
  await expect(rows(page)).toHaveCount(20)

  await page.clock.runFor(999)
  expect(bodies).toEqual([{ batchSize: 20, offset: 0 }])
  await page.clock.runFor(1)
  await expect(page.getByText('Batch 2 of 3')).toBeVisible()
  await expect(rows(page)).toHaveCount(40)
  await page.clock.runFor(1000)
  await expect(page.getByText('Batch 3 of 3')).toBeVisible()
  await expect(page.getByText('completed')).toBeVisible()
  await expect(bar(page)).toHaveAttribute('aria-valuenow', '100')
  await expect(toast(page)).toContainText('Verification Complete')
  await expect(toast(page)).toContainText('45 songs: 15 accessible, 15 blocked')
  await page.clock.runFor(5000)
  expect(bodies).toEqual([0, 20, 40].map((offset) => ({ batchSize: 20, offset })))

  const counters = {
    Total: 45,
    Accessible: 15,
    Blocked: 15,
    Missing: 15,
    'Good Matches': 8,
    'Poor Matches': 7,
  }
  for (const [name, value] of Object.entries(counters)) {
    await expect(fact(page, name), name).toHaveText(String(value))
  }
  await expect(page.getByRole('tab')).toHaveText([
    'All (45)',
    'Accessible (15)',
    'Blocked (15)',
    'Missing (15)',
  ])
  await expect(rows(page)).toHaveCount(45)
  for (const [title, ...words] of [
    ['Song 0', 'Artist 0', 'video000000', '85%', 'Title match', 'Artist match'],
    ['Song 3', 'Another 3', '43%', 'Poor match'],
    ['Song 1', 'video000001', 'Embedding is switched off.'],
  ] as const)
    for (const word of words) await expect(rows(page).filter({ hasText: title }).first()).toContainText(word)
  for (const [tab, title] of [
    ['Accessible', 'Song 0'],
    ['Blocked', 'Song 1'],
    ['Missing', 'Song 2'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(rows(page)).toHaveCount(15)
    await expect(rows(page).first()).toContainText(title)
    await expect(rows(page).first().getByRole('img', { name: tab })).toBeVisible()
  }
})

test('@long diagnostics-2: Stop ends the run, also during a batch; results stay, and it can start again', async ({
  page,
}) => {
  const bodies = await serveBatches(page, { total: 100 })
  await open(page)
  await start(page).click()
  await expect(page.getByText('Batch 1 of 5')).toBeVisible()
  await stop(page).click()
  await expect(page.getByText('stopped')).toBeVisible()
  await page.clock.runFor(5000)
  expect(bodies).toHaveLength(1)
  await expect(rows(page)).toHaveCount(20)
  await expect(stop(page)).toBeDisabled()

  // The second time it stops while the server works: the server runs one batch at a time (diagnostics-8).
  const release = await holdResponse(page, verifyBatch)
  await start(page).click()
  await expect(rows(page)).toHaveCount(0)
  await stop(page).click()
  await start(page).click()
  await expect(page.getByText('running')).toBeVisible()
  release()
  await expect(rows(page)).toHaveCount(20)
  await expect(fact(page, 'Total')).toHaveText('20')

  // Leaving the page stops it too, after the other batch has arrived.
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await expect(async () => {
    await page.clock.runFor(1000)
    await expect(page.getByRole('heading', { name: 'Authentication Testing Center' })).toBeVisible({
      timeout: 500,
    })
  }).toPass()
  // Requests sent before this call are in the list when it is answered.
  await page.evaluate((path) => fetch(path), SUB_PATH + countSongs.path)
  const sent = bodies.length
  await page.clock.runFor(5000)
  expect(bodies).toHaveLength(sent)
})

test.describe('when it fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long diagnostics-10: the run stops with the reason, and results stay', async ({ page }) => {
    const bodies = await serveBatches(page, { total: 100, failingAt: 2 })
    await open(page)
    await start(page).click()
    await expect(rows(page)).toHaveCount(20)
    await page.clock.runFor(1000)
    await expect(toast(page)).toContainText('Verification Failed')
    await expect(toast(page)).toContainText('Verification failed: The database is away.')
    await expect(toast(page).locator('[data-toast="error"]')).toBeVisible()
    await page.clock.runFor(5000)
    expect(bodies).toHaveLength(2)
    await expect(rows(page)).toHaveCount(20)
    await expect(start(page)).toBeEnabled()
  })
})

test('diagnostics-10, diagnostics-6: the real server checks and counts the first batch', async ({
  page,
  app,
}) => {
  const [catalogue] = await app.db<{ n: number }[]>`
    select count(*)::int as n from songs where retired_at is null`
  // The second batch waits for the clock.
  await open(page)
  await start(page).click()
  await expect(fact(page, 'Total')).toHaveText('20')
  await expect(page.getByText(`Batch 1 of ${Math.ceil((catalogue?.n ?? 0) / 20)}`)).toBeVisible()
  await stop(page).click()
  await expect(rows(page)).toHaveCount(20)
})
