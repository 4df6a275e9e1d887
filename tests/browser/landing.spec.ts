import { expect, test } from './fixtures.ts'

test('screens-3, screens-9: hero, four cards and three steps; the buttons lead to /auth, and the privacy policy leads back', async ({
  page,
}) => {
  await page.goto('/')
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Discover Music Like Never Before')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Quick Rating',
    'Personal Library',
    'Microgenre Exploration',
    'Community Insights',
    'How It Works',
  ])
  await expect(page.getByRole('main').getByRole('listitem').getByRole('heading')).toHaveText([
    'Choose a microgenre',
    'Rate songs with keyboard shortcuts',
    'Build a library and export to playlists',
  ])
  for (const name of ['Get Started', 'Start Discovering Music']) {
    await page.getByRole('button', { name }).first().click()
    await expect(page).toHaveURL('/auth')
    await page.goBack()
  }
  await page.getByRole('link', { name: 'Privacy policy' }).click()
  await expect(title).toHaveText('Privacy policy')
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(title).toHaveText('Discover Music Like Never Before')
})
