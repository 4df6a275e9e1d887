import { test } from './fixtures.ts'
import { openRatedLibrary } from './libraryPage.ts'
import { expect } from './testSongs.ts'

test.use({ expectedErrors: [/400 .*\/users\/me\/listenbrainz$/] })

test('library-33, library-35, library-36: an account is linked, gets a playlist, brings its loves, and is unlinked', async ({
  page,
  app,
}) => {
  const bangers = await openRatedLibrary(page, { banger: 2 })
  for (const [n, { song }] of bangers.entries())
    await app.db`
      update songs set recording_mbid = ${`00000000-0000-4000-8000-99999999999${n}`} where id = ${song.id}`
  const saveAs = page.getByRole('dialog', { name: 'Save as…' })
  const send = saveAs.getByRole('button', { name: /^Send to / })
  await page.getByRole('button', { name: 'Save as…' }).click()
  await expect(send).toBeDisabled()
  await expect(saveAs.getByRole('status')).toContainText('under ‘Your data’, first')

  await page.goto('/profile')
  const data = page.getByRole('region', { name: 'Your data' })
  const token = data.getByLabel('User token')
  await token.fill('not-a-token')
  await data.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(data.getByRole('alert')).toContainText('refuses this token')
  const adasToken = app.listenbrainz.join('Ada')
  await token.fill(adasToken)
  await page.keyboard.press('Enter')
  await expect(data.getByText('Linked to Ada')).toBeVisible()
  await expect(token).toHaveCount(0)
  const heading = data.getByRole('heading', { name: /^\d|ListenBrainz/ })
  await expect(heading).toBeFocused()
  await data.getByRole('switch', { name: 'Busts become hates' }).click()
  await expect(data.getByRole('switch', { name: 'Busts become hates' })).toBeChecked()

  await data.getByRole('button', { name: 'Save as…' }).click()
  await send.click()
  await expect(saveAs.getByRole('status')).toContainText('Sent, with 2 songs')
  const [playlist] = app.listenbrainz.playlists.values()
  expect(playlist?.recordings).toHaveLength(2)
  await page.keyboard.press('Escape')
  await expect.poll(() => app.listenbrainz.feedbackOf('Ada').size, { timeout: 30_000 }).toBe(2)

  await data.getByRole('button', { name: 'Bring these loves' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+$/)
  await expect(page.getByText('ListenBrainz, loves')).toBeVisible()
  await page.goBack()

  app.listenbrainz.revoke(adasToken)
  await app.db`update listenbrainz_links set refused_at = now()`
  await page.reload()
  await expect(data.getByRole('alert')).toContainText('no longer accepts your token')
  await data.getByRole('button', { name: 'Unlink' }).click()
  await expect(data.getByRole('button', { name: 'Unlink' })).toHaveCount(0)
  await expect(heading).toBeFocused()
  await expect(data.getByRole('alert')).toHaveCount(0)
  expect(await app.db`select from listenbrainz_links`).toHaveLength(0)
})
