import type { Locator } from '@playwright/test'
import { updateProfile } from '../../contract/profiles.ts'
import { findViolations } from './axe.ts'
import { expect, startSession } from './fixtures.ts'
import { rateSongs } from './listeners.ts'
import { art, pad, test, title, videoSongs } from './testSongs.ts'

const PHONE = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true }
test.use({ ...PHONE, expectedErrors: [/404 \(Not Found\)/] })

test('sharing-31, sharing-32, sharing-33, sharing-17: a friend rates ten songs blind, both see where they agree, and the link ends', async ({
  page,
  browser,
  baseURL,
  stock,
}) => {
  const { id } = await stock(videoSongs(10))
  await startSession(page.context())
  await page.request.put(updateProfile.path, { data: { firstName: 'Ada' } })
  await rateSongs(page.request, { banger: 6, bust: 4 }, [id])
  await page.goto('/?section=community')
  await page.getByRole('button', { name: 'Blind Round' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Blind Round' })
  await dialog.getByRole('button', { name: 'Yes, share ten verdicts' }).tap()
  await expect(dialog.getByText('Nobody has shown you a result yet')).toBeVisible()
  const link = await dialog.getByLabel('Link').inputValue()

  const context = await browser.newContext({ ...PHONE, ...(baseURL && { baseURL }) })
  const friend = await context.newPage()
  await friend.goto(link)
  await expect(title(friend)).toHaveText('10 songs that Ada rated')
  await friend.getByRole('button', { name: 'Rate them blind' }).tap()
  await expect(art(friend, 'Pause')).toBeVisible()
  await expect(friend.getByRole('button', { name: /Thoughts|elsewhere/ })).toHaveCount(0)
  const leave = async (button: Locator) => {
    await expect(pad(friend, 'BANGER')).toBeEnabled()
    const song = (await title(friend).textContent()) ?? ''
    await button.tap()
    await expect(title(friend)).not.toHaveText(song)
    return song
  }
  const notNow = friend.getByRole('button', { name: 'Not now' })
  const putOff: string[] = []
  for (let n = 0; n < 10; n++) {
    if (n === 1) {
      await expect(friend.getByText('2 of 10').filter({ visible: true })).toHaveCount(1)
      await friend.reload()
      await friend.getByRole('button', { name: 'Go on' }).tap()
    }
    if (n === 1 || n === 3) putOff.push(await leave(notNow))
    else await leave(pad(friend, 'BANGER'))
  }
  expect(await leave(notNow)).toBe(putOff[0])
  expect(await leave(pad(friend, 'BANGER'))).toBe(putOff[1])
  expect(await leave(pad(friend, 'BANGER'))).toBe(putOff[0])
  await expect(title(friend)).toHaveText('You agree on 6 of 10')
  await expect(title(friend)).toBeFocused()
  await expect(friend.getByRole('listitem').filter({ hasText: /You: banger.*Ada: bust/ })).toHaveCount(4)
  expect((await findViolations(friend, { tags: ['wcag2a', 'wcag2aa', 'wcag22aa'] })).violations).toEqual([])
  await friend.getByLabel('Your name').fill('Bob')
  await friend.getByRole('button', { name: 'Show Ada your result' }).tap()
  await expect(friend.getByText('Sent. Only Ada sees it.')).toBeFocused()

  await page.reload()
  await expect(dialog.getByRole('listitem')).toHaveText(/Bob.*agrees on 6 of 10/)
  await dialog.getByRole('button', { name: 'Stop sharing' }).tap()
  await expect(dialog.getByRole('button', { name: 'Yes, share ten verdicts' })).toBeVisible()
  await friend.goto(link)
  await expect(title(friend)).toHaveText('Round Not Found')
  await context.close()
})
