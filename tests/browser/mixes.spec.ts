import { removeRating } from '../../contract/library.ts'
import { startSession } from './fixtures.ts'
import { openLibrary } from './libraryPage.ts'
import { rateSongs } from './listeners.ts'
import { expect, test, videoSongs } from './testSongs.ts'

/* Mixes: sharing-22, sharing-24, sharing-25. */

test('sharing-22, sharing-24, sharing-25: a mix of selected bangers is ordered by keys, heard by a visitor, and made private, one song less', async ({
  page,
  stock,
  browser,
  baseURL,
}) => {
  const { id, name: microgenre, songs: stocked } = await stock(videoSongs(5))
  await startSession(page.context())
  await rateSongs(page.request, { banger: 4 }, [id])
  await page.goto('/')
  await openLibrary(page)
  await page.getByRole('button', { name: 'Mixes' }).click()
  await page.getByRole('button', { name: 'Select songs' }).click()
  const tiles = page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem')
  const titles = await tiles.locator('b').allTextContents()
  const [first = '', second = '', , fourth = ''] = titles.map((title) => `${title} by The Stand-ins`)
  for (const name of [first, second, fourth]) await page.getByRole('button', { name: `${name}, ` }).click()
  await page.getByRole('button', { name: 'Make a mix (3)' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Songs').getByRole('option')).toHaveText([
    'Selected songs (3)',
    'What the library shows (4)',
    'My best ten (4)',
    /^\w+ \d{4} \(4\)$/,
  ])
  await dialog.getByLabel('Name').fill('Night buses')
  await dialog.getByRole('button', { name: 'Create Mix' }).click()

  const songs = dialog.getByRole('group', { name: 'Songs' }).getByRole('listitem')
  await expect(songs).toHaveText([first, second, fourth])
  const down = dialog.getByRole('button', { name: `Move ${first} down` })
  await down.press('Enter')
  await down.press('Enter')
  await expect(down).toBeFocused()
  await dialog.getByRole('button', { name: `Remove ${second}` }).press('Enter')
  await expect(songs).toHaveText([fourth, first])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Mix saved')).toBeVisible()
  await expect(dialog.getByRole('img', { name: /^The picture:/ })).toBeVisible()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()

  const visitor = await (
    await browser.newContext({ baseURL, viewport: { width: 390, height: 664 } })
  ).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Night buses')
  await expect(visitor.getByRole('list', { name: 'Songs' }).getByRole('heading')).toHaveText([
    titles[3] ?? '',
    titles[0] ?? '',
  ])
  await visitor.getByRole('button', { name: 'Play Night buses' }).click()
  await expect(visitor.getByRole('button', { name: `Pause ${fourth}` })).toBeVisible()
  await visitor.getByRole('button', { name: `Play ${first}` }).click()
  await expect(visitor.getByRole('button', { name: `Pause ${first}` })).toBeVisible()
  await visitor.keyboard.press('p')
  await expect(visitor.getByRole('button', { name: `Pause ${fourth}` })).toBeVisible()
  await visitor.getByRole('button', { name: `Play ${first}` }).click()
  await expect(visitor.getByRole('button', { name: `Pause ${first}` })).toBeVisible()
  await visitor.getByRole('link', { name: microgenre }).first().click()
  await expect(visitor.getByRole('heading', { level: 1, name: microgenre })).toBeVisible()

  // On another device, while the dialog is open.
  const songId = stocked.find(({ title }) => title === titles[0])?.id ?? ''
  await page.request.delete(removeRating.path.replace(':songId', songId))
  await dialog.getByRole('switch', { name: 'Public' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('A private mix has no link.')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Link' })).toBeHidden()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'Mix Not Found' })).toBeVisible()
  await visitor.context().close()
})
