import type { Page } from '@playwright/test'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { FRAMES } from './clock.ts'
import { expect, signIn, test } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { openDiscover, toast } from './testSongs.ts'

/** Stops the page's clock, so that toasts stay until the test moves it. */
async function stopTime(page: Page) {
  await page.clock.pauseAt(Date.now() + 10_000)
}

async function rate(page: Page, verdict: 'BANGER' | 'BUST') {
  const button = page.getByRole('button', { name: verdict, exact: true })
  await expect(button).toBeEnabled()
  await button.click()
}

test('community-14, community-13: the first banger is announced once, for about four seconds', async ({
  page,
}) => {
  await page.clock.install()
  await signIn(page)
  let checks = 0
  page.on('request', (request) => {
    if (request.url().endsWith(checkAchievements.path)) checks += 1
  })
  await rate(page, 'BUST')

  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
  await stopTime(page)
  await rate(page, 'BANGER')
  await page.clock.runFor(FRAMES)
  await expect(toast(page).getByText('Achievement Unlocked!')).toBeVisible()
  await expect(toast(page).getByText('First Banger Found!')).toBeVisible()
  await page.clock.runFor(3900)
  await expect(toast(page).getByText('First Banger Found!')).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast(page).getByText('First Banger Found!')).toBeHidden()
  await page.clock.resume()

  await rate(page, 'BANGER')
  await expect(page.getByRole('button', { name: /^Bangers\s*2$/ })).toBeVisible()
  // The answers to the other two ratings said that there was nothing to announce.
  expect(checks).toBe(1)
  const all = (await (await page.request.get(listAchievements.path)).json()) as { type: string }[]
  expect(all.map(({ type }) => type)).toEqual(['first_banger'])
})

test('@long community-13, screens-8: several achievements at once are named in turn, for about four seconds each (community-14)', async ({
  page,
}) => {
  const { email, api } = await makeListener()
  await rateSongs(api, { bust: 4 })
  await api.dispose()
  await page.clock.install()
  await openDiscover(page, { email })
  await stopTime(page)
  await rate(page, 'BANGER')
  await page.clock.runFor(FRAMES)
  const names: (string | null)[] = []
  for (let n = 0; n < 2; n++) {
    await expect(toast(page)).toHaveText(/^Achievement Unlocked!(First Banger Found!|5 Song Streak)$/)
    const name = await toast(page).textContent()
    names.push(name)
    await page.clock.runFor(3800)
    await expect(toast(page)).toHaveText(name ?? '')
    await page.clock.runFor(300)
  }
  expect(new Set(names).size).toBe(2)
  await expect(toast(page)).toBeEmpty()
})
