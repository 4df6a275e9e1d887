import type { Page } from '@playwright/test'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { listMicrogenres, restartMicrogenre } from '../../contract/discovery.ts'
import { answer } from './answers.ts'
import { FRAMES } from './clock.ts'
import { expect, signIn, test } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'

const toast = (page: Page) => page.getByRole('status', { name: 'Notifications' })

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
  await expect(page.getByRole('button', { name: /2\s*Bangers$/ })).toBeVisible()
  // The answers to the other two ratings said that there was nothing to announce.
  expect(checks).toBe(1)
  const all = (await (await page.request.get(listAchievements.path)).json()) as { type: string }[]
  expect(all.map(({ type }) => type)).toEqual(['first_banger'])
})

test('community-13, screens-8: several achievements at once are one toast, for about four seconds (community-14)', async ({
  page,
}) => {
  const { email, api } = await makeListener()
  await rateSongs(api, { bust: 4 })
  await api.dispose()
  await page.clock.install()
  await signIn(page, { email })
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
  await stopTime(page)
  await rate(page, 'BANGER')
  await page.clock.runFor(FRAMES)
  const both =
    /^Achievement Unlocked!(First Banger Found! and 5 Song Streak|5 Song Streak and First Banger Found!)$/
  await expect(toast(page)).toHaveText(both)
  await page.clock.runFor(3900)
  await expect(toast(page)).toHaveText(both)
  await page.clock.runFor(200)
  await expect(toast(page)).toBeEmpty()
})

test('@long community-13: achievements survive a restart of a microgenre', async ({ page }) => {
  await signIn(page)
  await rateSongs(page.request, { banger: 10 })
  const list = async () => (await page.request.get(listAchievements.path)).json()
  const before = await list()
  expect(before.length).toBeGreaterThanOrEqual(4)
  const [first] = (await (await page.request.get(listMicrogenres.path)).json()) as { id: string }[]
  await page.request.delete(restartMicrogenre.path.replace(':id', first?.id ?? ''))
  expect(await list()).toEqual(before)
})

test('@long community-9: the profile page shows the display names', async ({ page }) => {
  const names = {
    first_banger: 'First Banger Found!',
    microgenre_master: 'Microgenre Master',
    streak_5: '5 Song Streak',
    streak_10: '10 Song Streak',
    streak_25: '25 Song Streak',
    explorer: 'Music Explorer',
    critic: 'Music Critic',
    enthusiast: 'Music Enthusiast',
    xyz: 'Achievement Unlocked',
  }
  await answer(
    page,
    listAchievements,
    Object.keys(names).map((type, i) => ({
      id: String(i + 1),
      type,
      metadata: {},
      createdAt: '2026-11-02T12:00:00Z',
    })),
  )
  await signIn(page, { path: '/profile' })
  await page.getByRole('tab', { name: 'Achievements (9)' }).click()
  await expect(page.getByRole('tabpanel').getByRole('heading', { level: 3 })).toHaveText(Object.values(names))
})
