import type { Page } from '@playwright/test'
import { updateCollection } from '../../contract/collections.ts'
import { closeWithEscape } from './clock.ts'
import { expect, test } from './fixtures.ts'
import { genresOf, signInWithBangers } from './listeners.ts'
import { urlPattern } from './mockResponses.ts'

/* The owner's place for collections: sharing-4, sharing-5, sharing-6, sharing-18. */

const list = (page: Page) => page.getByRole('dialog', { name: 'Your Collections' })
const editor = (page: Page) => page.getByRole('dialog', { name: 'Edit Collection' })
const linkOf = (page: Page) => page.getByRole('textbox', { name: 'Link' })

async function createCollection(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Share Collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Collection' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create Collection' }).click()
  await expect(dialog.getByRole('button', { name: 'Edit collection' })).toBeVisible()
}

/** Signed in with a collection of the first microgenres, its dialog open; returns their names and its link. */
async function openNewCollection(page: Page, name: string, counts: number[]) {
  const genres = await signInWithBangers(page, counts)
  await page.getByRole('button', { name: 'My Library' }).click()
  await createCollection(page, name)
  const link = await linkOf(page).inputValue()
  await page.getByRole('button', { name: 'Edit collection' }).click()
  await expect(editor(page).getByLabel('Name')).toHaveValue(name)
  return { names: genres.map((genre) => genre.name), link }
}

async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && urlPattern(updateCollection).test(response.url()),
  )
  await editor(page).getByRole('button', { name: 'Save' }).click()
  expect((await saved).status()).toBe(200)
}

test('sharing-18: the owner renames a collection and moves, removes and adds its microgenres; visitors see the changes', async ({
  page,
  browser,
  baseURL,
}) => {
  const { names, link } = await openNewCollection(page, 'Night buses', [3, 2, 1])
  const [first = '', second = '', third = ''] = names
  const dialog = editor(page)
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveText([first, second, third])

  await dialog.getByRole('button', { name: `Move ${third} up` }).click()
  await expect(rows).toHaveText([first, third, second])
  await expect(dialog.getByRole('status').getByText(`${third} is now 2 of 3.`)).toHaveCount(1)
  await dialog.getByRole('button', { name: `Remove ${first}` }).press('Enter')
  await expect(rows).toHaveText([third, second])
  await expect(dialog.getByRole('button', { name: `Remove ${third}` })).toBeFocused()
  const added = (await genresOf(page.request)).find(({ name }) => !names.includes(name))?.name ?? ''
  await dialog.getByRole('combobox', { name: 'Another microgenre' }).selectOption(added)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(rows).toHaveText([third, second, added])
  await dialog.getByLabel('Name').fill('  Last tram ')
  await dialog.getByLabel('Description').fill('For the way home.')
  await save(page)

  const visitor = await (await browser.newContext({ baseURL })).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Last tram')
  await expect(visitor.getByText('For the way home.')).toBeVisible()
  await expect(visitor.getByRole('list', { name: 'Microgenres' }).getByRole('heading')).toHaveText([
    third,
    second,
    added,
  ])
  await visitor.context().close()

  await dialog.getByRole('button', { name: 'All collections' }).click()
  const row = list(page).getByRole('listitem').getByRole('button')
  await expect(row).toContainText('Last tram')
  await expect(row).toBeFocused()
  await closeWithEscape(list(page))
  await page.getByRole('button', { name: 'Collections', exact: true }).click()
  await expect(row).toContainText('Public · 1 view')
})

test('@long sharing-4: the owner ends a link and creates another', async ({ page }) => {
  const { link } = await openNewCollection(page, 'Taken back', [1])
  const dialog = editor(page)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(linkOf(page)).toHaveValue(link)
  await dialog.getByRole('button', { name: 'End the link' }).click()
  await expect(linkOf(page)).toHaveCount(0)
  await expect(dialog.getByText('Public, without a link')).toBeVisible()
  expect((await page.request.get(link)).status()).toBe(404)

  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(linkOf(page)).not.toHaveValue(link)
  expect((await page.request.get(await linkOf(page).inputValue())).status()).toBe(200)
  expect((await page.request.get(link)).status()).toBe(404)
})

test('sharing-4, sharing-5, sharing-6: a collection that becomes private or is deleted loses its link at once', async ({
  page,
}) => {
  const { link } = await openNewCollection(page, 'Mine', [1])
  const dialog = editor(page)
  const isPublic = dialog.getByRole('switch', { name: 'Public' })
  await isPublic.click()
  await expect(dialog.getByText('Its link stops working when you save.')).toBeVisible()
  await save(page)
  await expect(dialog.getByText('Only you can see it. Make it public to share it.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0)
  expect((await page.request.get(link)).status()).toBe(404)

  await isPublic.click()
  await save(page)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(linkOf(page)).toHaveValue(/\/share\/collection\/[\w-]{32}$/)
  const again = await linkOf(page).inputValue()

  const ask = dialog.getByRole('button', { name: 'Delete collection' })
  await ask.click()
  await expect(dialog.getByText('This cannot be undone. Its link stops working.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(ask).toBeFocused()
  // The second click of the double click is where 'Delete' appears.
  await ask.dblclick()
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeVisible()
  expect((await page.request.get(again)).status()).toBe(200)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list(page).getByText('You have no collections yet.')).toBeVisible()
  expect((await page.request.get(again)).status()).toBe(404)
})

test('@long screens-12: the list and each collection have an address', async ({ page }) => {
  const { names } = await openNewCollection(page, 'Here', [1])
  const address = page.url()
  expect(new URL(address).searchParams.get('dialog')).toBe('collections')
  await page.reload()
  await expect(editor(page).getByRole('listitem')).toHaveText(names)
  await editor(page).getByRole('button', { name: 'All collections' }).click()
  await list(page).getByRole('listitem').getByRole('button').click()
  await expect(page).toHaveURL(address)
  await page.goBack()
  await expect(list(page)).toBeVisible()
  await list(page).getByRole('button', { name: 'New collection' }).click()
  await expect(page.getByRole('dialog', { name: 'Share Collection' })).toBeVisible()
  await page.goto(address.replace(/collection=\d+/, 'collection=999999999'))
  await expect(editor(page).getByText('You have no such collection.')).toBeVisible()
  await editor(page).getByRole('button', { name: 'All collections' }).click()
  await expect(list(page).getByRole('listitem')).toContainText('Here')
})
