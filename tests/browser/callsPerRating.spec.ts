import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { reportProgress, searchPreview } from '../../contract/playback.ts'
import { pathAt } from '../harness/tier.ts'
import { run, runUntil, stopClock } from './clock.ts'
import { signIn } from './fixtures.ts'
import { loseResponse, urlPattern } from './mockResponses.ts'
import { art, expect, openPlaying, pad, previewSongs, test, title, toast, videoSongs } from './testSongs.ts'

/* What one server process can carry depends on the calls of a rating (discover-66). */

const RATINGS = 30
/** Milliseconds that the listener hears of each song, by the page's clock. */
const HEARD = 2000
const MAX_CALLS = 1.6

const screens = { 'a desktop': [1440, 900], 'a phone': [390, 664] } as const

for (const [screen, [width, height]] of Object.entries(screens))
  test(`@long discover-66: on ${screen} a rating takes at most 1.6 calls`, async ({ page, stock }) => {
    test.setTimeout(RATINGS * 10_000)
    await page.setViewportSize({ width, height })
    await page.clock.install()
    const { songs } = await stock([...videoSongs(RATINGS / 2), ...previewSongs(RATINGS)])
    await signIn(page)
    // Others have heard them within the hour, so their previews are known.
    for (const { id, title, artist, youtubeId } of songs)
      if (!youtubeId) await page.request.get(searchPreview.path, { params: { songId: id, title, artist } })
    await page.reload()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await page.keyboard.press('Shift')
    await expect(art(page, 'Pause')).toBeVisible()
    await stopClock(page)

    const calls = countCalls(page)
    for (let n = 0; n < RATINGS; n++) {
      await run(page, HEARD, HEARD / 4)
      const song = (await title(page).textContent()) ?? ''
      const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
      await pad(page, n % 3 === 0 ? 'BUST' : 'BANGER').click()
      await rateResponse
      await runUntil(
        page,
        async () => (await pad(page, 'BANGER').isEnabled()) && (await title(page).textContent()) !== song,
        { step: 100, every: 20 },
      )
    }
    const each = [...calls].map(([path, count]) => `${(count / RATINGS).toFixed(2)} ${path}`)
    console.log(`Calls a rating on ${screen}:\n${each.sort().reverse().join('\n')}`)
    const all = [...calls.values()].reduce((sum, count) => sum + count, 0)
    expect(all / RATINGS, each.join('\n')).toBeLessThanOrEqual(MAX_CALLS)
  })

test.describe('when only the answer to a rating is lost', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test("@long library-8, discover-13: the song returns, and the page's data is requested again", async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(3))
    await openPlaying(page)
    const song = (await title(page).textContent()) ?? ''
    const stopLosing = await loseResponse(page, rateAndAdvance)
    await page.keyboard.press('ArrowRight')
    await expect(toast(page)).toContainText('Failed to rate song.')
    await expect(page.getByRole('button', { name: /^Bangers\s*1$/ })).toBeVisible()
    await expect(title(page)).toHaveText(song)

    await stopLosing()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await page.keyboard.press('ArrowRight')
    await expect(title(page)).not.toHaveText(song)
    await expect(page.getByRole('button', { name: /^Bangers\s*1$/ })).toBeVisible()
    await expect(toast(page)).toContainText('First Banger Found!')
  })
})

/** The page's API requests from now on, by method and path. Progress is reported by the clock, not by the rating. */
function countCalls(page: Page): Map<string, number> {
  const calls = new Map<string, number>()
  page.on('request', (request) => {
    const pathname = pathAt(request.url())
    if (!pathname.startsWith('/api/') || pathname === reportProgress.path) return
    const path = `${request.method()} ${pathname.replace(/\/\d+/g, '/:id')}`
    calls.set(path, (calls.get(path) ?? 0) + 1)
  })
  return calls
}
