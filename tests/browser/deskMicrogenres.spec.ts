import type { Page } from '@playwright/test'
import { listMicrogenres } from '../../contract/discovery.ts'
import { signIn } from './fixtures.ts'
import type { TestServer } from './testServer.ts'
import { expect, genre, previewSongs, type TestMicrogenre, test } from './testSongs.ts'
import { emptyDesk } from './toasts.ts'

/* Found microgenres at the desk. tests/api/foundMicrogenres.test.ts tests the decisions. */

const current = (page: Page) => page.getByRole('region', { name: 'Case' })
const heading = (page: Page) => current(page).getByRole('heading', { level: 2 })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test.beforeEach(({ app }) => emptyDesk(app.db))

// Hides approved microgenres from other tests.
test.afterEach(async ({ app: { db } }) => {
  await db`
    update songs set retired_at = now() where retired_at is null
      and microgenre_id in (select microgenre_id from found_microgenres)`
  await db`
    update microgenres set retired_at = now(), live_song_count = 0 where id in (select microgenre_id from found_microgenres)`
})

let count = 0

/** A genre at the desk, carried by twelve songs of twelve artists. */
async function createFoundMicrogenre(
  { db }: TestServer,
  near: TestMicrogenre,
): Promise<{ id: string; name: string }> {
  const name = `Gaze ${process.pid} ${++count}`
  await db`
    insert into found_microgenre_songs (genre_key, recording_mbid, near_id, song_key, title, artist, artist_mbid)
    select ${name}, lpad(n::text, 8, '0') || ${`-0000-4000-8000-${String(process.pid * 10 + count).padStart(12, '0')}`},
      ${near.id}, ${`${name} `} || n, 'Title ' || n, ${`Band ${name} `} || n, 'artist ' || n
    from generate_series(1, 12) n`
  const [row] = await db<{ id: string }[]>`
    insert into found_microgenres (genre_key, name, family, near_id)
    select ${name}, ${name}, family, id from microgenres where id = ${near.id} returning id`
  return { id: row?.id ?? '', name }
}

const stateOf = async ({ db }: TestServer, id: string) => {
  const [row] = await db<{ state: string }[]>`select state from found_microgenres where id = ${id}`
  return row?.state
}

test('desk-26, desk-27, desk-28: a found microgenre is played, described and approved by keys, undone, and approved again into the picker', async ({
  page,
  app,
  stock,
}) => {
  const near = await stock(previewSongs(1))
  const { id, name } = await createFoundMicrogenre(app, near)
  await signIn(page, { path: '/desk' })
  await expect(heading(page)).toHaveText(name)
  await expect(current(page)).toContainText('New microgenre · since')
  await expect(current(page)).toContainText(`12 songs by 12 artists carry it. Nearest to ${near.name}`)
  await page.keyboard.press('Space')
  await expect(current(page).getByRole('button', { name: 'Pause Title 1', exact: true })).toBeVisible()
  await current(page).getByRole('button', { name: 'Play Title 2', exact: true }).click()
  await expect(current(page).getByRole('button', { name: 'Pause Title 2', exact: true })).toBeVisible()
  await heading(page).click()
  await page.keyboard.press('Space')
  await expect(current(page).getByRole('button', { name: 'Play Title 2', exact: true })).toBeVisible()

  const approve = async () => {
    await page.keyboard.press('ArrowRight')
    const words = dialog(page, 'New microgenre')
    await expect(words.getByLabel('Name', { exact: true })).toHaveValue(name)
    await expect(words.getByRole('button', { name: 'Approve' })).toBeDisabled()
    // Keys in a text field are letters.
    const description = words.getByLabel('Description', { exact: true })
    await expect(description).toBeFocused()
    await description.pressSequentially('cms u')
    await description.press('ArrowLeft')
    await description.press('ArrowRight')
    await expect(description).toHaveValue('cms u')
    expect(await stateOf(app, id)).toBe('waiting')
    await words.getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText(`Approved: Microgenre ${name}`)).toBeVisible()
    await expect(words).toHaveCount(0)
    expect(await stateOf(app, id)).toBe('approved')
  }
  await approve()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  await page.keyboard.press('u')
  await expect(heading(page)).toHaveText(name)
  expect(await stateOf(app, id)).toBe('waiting')
  await approve()

  await page.unroute(listMicrogenres.path)
  await page.goto('/')
  await genre(page).click()
  await page.getByRole('dialog').getByRole('searchbox').fill(name)
  await expect(page.getByRole('dialog').getByText(name, { exact: true }).first()).toBeVisible()
})

test('@long desk-28: a key rejects a found microgenre, and undo restores its case', async ({
  page,
  app,
  stock,
}) => {
  const { id, name } = await createFoundMicrogenre(app, await stock(previewSongs(1)))
  await signIn(page, { path: '/desk' })
  await expect(heading(page)).toHaveText(name)
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText(`Rejected: Microgenre ${name}`)).toBeVisible()
  expect(await stateOf(app, id)).toBe('rejected')
  await page.keyboard.press('u')
  await expect(heading(page)).toHaveText(name)
  expect(await stateOf(app, id)).toBe('waiting')
})
