import { expect, test } from './fixtures.ts'

test.beforeEach(({ page }) => page.goto('/'))

test("screens-3: the hero's two buttons lead to /auth", async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Discover Music Like Never Before')
  const header = page.getByRole('banner').getByRole('button', { name: 'Get Started' })
  const hero = page.getByRole('main').getByRole('button', { name: 'Start Discovering Music' })
  for (const button of [header, hero]) {
    await button.click()
    await expect(page).toHaveURL('/auth')
    await page.goBack()
  }
  await expect(hero).toBeVisible()
})

test('screens-3: exactly four feature cards', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Quick Rating',
    'Personal Library',
    'Microgenre Exploration',
    'Community Insights',
    'How It Works',
  ])
})

test('screens-3: how it works, in three steps', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'How It Works' })).toBeVisible()
  const steps = page.getByRole('main').getByRole('listitem')
  await expect(steps.getByRole('heading')).toHaveText([
    'Choose a microgenre',
    'Rate songs with keyboard shortcuts',
    'Build a library and export to playlists',
  ])
})

test('screens-9: the privacy policy is linked, and links back', async ({ page }) => {
  await page.getByRole('link', { name: 'Privacy policy' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy')
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Discover Music Like Never Before')
})
