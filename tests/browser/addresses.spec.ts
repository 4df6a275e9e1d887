import type { Page } from '@playwright/test'
import { checkAchievements } from '../../contract/achievements.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { reportProgress } from '../../contract/playback.ts'
import { follow } from '../../contract/profiles.ts'
import { signIn, startSession } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { holdResponse, mockResponse } from './mockResponses.ts'
import {
  art,
  expect,
  genre,
  openDiscover,
  openPlaying,
  pad,
  picker,
  previewSongs,
  test,
  title,
  toast,
} from './testSongs.ts'
import { recordToasts } from './toasts.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name })

/** An address outside of the application, for the history entry before it. */
const PREVIOUS_PAGE = 'about:blank'

test('screens-12: a reload and a link return to the section and the microgenre, without another pick', async ({
  page,
  stock,
  context,
}) => {
  const genres = []
  // Many songs, so that another random pick is unlikely to be the same.
  for (let n = 0; n < 20; n += 1) genres.push(await stock(previewSongs(1)))
  await openDiscover(page)
  const id = new URL(page.url()).searchParams.get('microgenre')
  const { name } = genres.find((one) => one.id === id) ?? { name: 'none of them' }
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${name}`)
  await page.reload()
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${name}`)
  await expect(page).toHaveURL(`/?microgenre=${id}`)

  await page.keyboard.press('2')
  await expect(page).toHaveURL(`/?section=library&microgenre=${id}`)
  await page.reload()
  await expect(title(page)).toHaveText('My Library')
  await page.keyboard.press('1')
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${name}`)
  const other = genres.find((one) => one.id !== id)
  const link = await context.newPage()
  await link.goto(`/?microgenre=${other?.id}&dialog=shortcuts`)
  await expect(dialog(link, 'Keyboard Shortcuts')).toBeVisible()
  await expect(link).toHaveTitle(`Song 1 by The Stand-ins · Banger or Bust`)
  await link.keyboard.press('Escape')
  await expect(genre(link)).toHaveAccessibleName(`Currently listening to ${other?.name}`)
  await expect(link).toHaveURL(`/?microgenre=${other?.id}`)
})

test('screens-13, discover-4: Back and Forward go through sections and microgenres, whether chosen by key, mouse or event', async ({
  page,
  stock,
}) => {
  const [a, b] = [await stock(previewSongs(1)), await stock(previewSongs(1))]
  await page.goto(PREVIOUS_PAGE)
  await openDiscover(page, { path: `/?microgenre=${a.id}` })
  await page.keyboard.press('1')
  await page.keyboard.press('2')
  await page.keyboard.press('2')
  await expect(title(page)).toHaveText('My Library')
  await section(page, 'Community').click()
  await expect(title(page)).toHaveText('Community Insights')
  const raise = (microgenreId: string) =>
    page.evaluate((id) => {
      window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId: id } }))
    }, microgenreId)
  for (const unknown of ['999999999', '']) await raise(unknown)
  await expect(title(page)).toHaveText('Community Insights')
  await raise(b.id)
  await expect(page).toHaveURL(`/?microgenre=${b.id}`)
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${b.name}`)
  await genre(page).click()
  await picker(page).getByRole('button', { name: a.name }).click()
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${a.name}`)

  await page.goBack()
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${b.name}`)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.goBack()
  await expect(title(page)).toHaveText('Community Insights')
  await page.goBack()
  await expect(title(page)).toHaveText('My Library')
  await page.goForward()
  await expect(title(page)).toHaveText('Community Insights')
  await page.goBack()
  await page.goBack()
  await expect(genre(page)).toHaveAccessibleName(`Currently listening to ${a.name}`)
  await page.goBack()
  await expect(page).toHaveURL(PREVIOUS_PAGE)
})

test('screens-13, screens-14: Back closes a dialog; X and Escape leave no entry behind, and a second Escape does not leave the page', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  await page.goto(PREVIOUS_PAGE)
  await openPlaying(page)
  const home = page.url()
  for (const [open, name] of [
    [() => genre(page).click(), 'Discover Your Sound'],
    [() => page.keyboard.press('?'), 'Keyboard Shortcuts'],
    [() => page.getByRole('button', { name: 'Thoughts?' }).click(), 'Share Your Feedback'],
    [() => page.getByRole('button', { name: 'Your profile' }).click(), 'Profile'],
  ] as const) {
    await open()
    await expect(dialog(page, name)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(home)
  }
  await page.goForward()
  await dialog(page, 'Profile').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await genre(page).click()
  await expect(picker(page)).toBeVisible()
  // Both before the browser has gone back.
  await picker(page).evaluate((element) => {
    for (const _ of [1, 2])
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(home)
  // Choosing the current microgenre only closes the picker.
  await genre(page).click()
  await picker(page).locator('[aria-current]').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(art(page, 'Pause')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(PREVIOUS_PAGE)
})

test('@long screens-14: a dialog from a link closes in place, and after a reload it still closes by going back', async ({
  page,
  stock,
}) => {
  const { id } = await stock(previewSongs(1))
  await page.goto(PREVIOUS_PAGE)
  await signIn(page, { path: `/?microgenre=${id}&dialog=picker` })
  await expect(picker(page)).toBeVisible()
  await picker(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/?microgenre=${id}`)
  await genre(page).click()
  await page.reload()
  await expect(picker(page)).toBeVisible()
  await picker(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/?microgenre=${id}`)
  await page.goBack()
  await expect(page).toHaveURL(PREVIOUS_PAGE)
})

test("screens-12, screens-13: another listener's profile has an address; Back returns to the list, closing to the page", async ({
  page,
  stock,
}) => {
  const { id } = await stock(previewSongs(1))
  const name = `Wanda${process.pid}`
  const wanda = await makeListener({ firstName: name, isPublic: true })
  await signIn(page, { path: `/?microgenre=${id}` })
  const people = page.getByRole('button', { name: 'Discover Music Explorers' })
  await people.click()
  const list = dialog(page, 'Discover Music Explorers')
  await list.getByRole('searchbox').fill(name)
  const row = list.getByRole('listitem').getByRole('button').first()
  const profile = dialog(page, 'Profile')
  for (const back of [() => page.goBack(), () => profile.getByText('All explorers').click()]) {
    await row.click()
    await expect(profile).toContainText(name)
    await back()
    await expect(list.getByRole('searchbox')).toHaveValue(name)
    await expect(row).toBeFocused()
  }
  await row.click()
  await expect(page).toHaveURL(`/?microgenre=${id}&dialog=people&listener=${wanda.id}`)
  await page.reload()
  await expect(profile).toContainText(name)
  const release = await holdResponse(page, follow)
  const toastTexts = await recordToasts(page)
  await profile.getByRole('button', { name: 'Follow', exact: true }).click()
  await profile.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/?microgenre=${id}`)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  release()
  await expect.poll(toastTexts).toContainEqual(expect.stringContaining('Success'))
})

test('@long screens-14: Back while feedback is being sent closes the dialog, and its answer does not go back further', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  await openDiscover(page)
  await page.keyboard.press('2')
  await page.getByRole('button', { name: 'Thoughts?' }).click()
  const feedback = dialog(page, 'Share Your Feedback')
  await feedback.getByLabel('Message').fill('More polka')
  const release = await holdResponse(page, sendFeedback)
  await feedback.getByRole('button', { name: 'Send Feedback' }).click()
  await expect(feedback.getByRole('button', { name: 'Sending...' })).toBeVisible()
  await page.goBack()
  await expect(feedback).toBeHidden()
  release()
  await expect(toast(page)).toContainText('Message Sent!')
  await expect(title(page)).toHaveText('My Library')
})

test('@long screens-12, screens-13: the dialogs of My Library, Community and the profile page are in the history too', async ({
  page,
  stock,
}) => {
  const { id } = await stock(previewSongs(3))
  await signIn(page, { rated: { banger: 1 }, path: '/?section=library&dialog=share-collection' })
  await expect(dialog(page, 'Share Collection')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/?section=library&microgenre=${id}`)
  await page.keyboard.press('3')
  for (const [button, name] of [
    ['Share First Banger Found!', 'Share Achievement'],
    ['Share Stats', 'Share Stats'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(dialog(page, name)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(title(page)).toHaveText('Community Insights')
    await page.goForward()
    await page.reload()
    await expect(dialog(page, name)).toBeVisible()
    await dialog(page, name).getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(`/?section=community&microgenre=${id}`)
  }
  await page.getByRole('button', { name: /^Bangers/ }).click()
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expect(dialog(page, 'Profile')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const [button, name] of [
    ['Delete my account', 'Delete my account'],
    ['Change photo', 'Profile photo'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(dialog(page, name)).toBeVisible()
    await page.reload()
    await expect(dialog(page, name)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.goBack()
  await expect(title(page)).toHaveText('Community Insights')
})

test('screens-15: My Library and Community keep their scroll position', async ({ page, stock }) => {
  await page.setViewportSize({ width: 390, height: 480 })
  await stock(previewSongs(40))
  const email = await startSession(page.context())
  await rateSongs(page.request, { banger: 36 })
  // Their toast would cover the header.
  await mockResponse(page, checkAchievements, [])
  await mockResponse(page, reportProgress, { achievement: null })
  await signIn(page, { email })
  const position = () => page.evaluate(() => scrollY)
  const scrollPage = async (top: number) => {
    await expect(async () => {
      await page.evaluate((y) => window.scrollTo(0, y), top)
      expect(await position()).toBe(top)
    }).toPass()
    // The page hears of it with the next frame.
    await nextFrame(page)
  }
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.keyboard.press('2')
  await scrollPage(500)
  await page.keyboard.press('3')
  await expect(title(page)).toHaveText('Community Insights')
  expect(await position()).toBe(0)
  await scrollPage(200)
  await page.goBack()
  await expect(title(page)).toHaveText('My Library')
  await expect.poll(position).toBe(500)
  await page.keyboard.press('1')
  await expect(pad(page, 'BANGER')).toBeVisible()
  expect(await position()).toBe(0)
  await page.keyboard.press('3')
  await expect.poll(position).toBe(200)
  const bangers = page.getByRole('button', { name: /^Bangers/ })
  await bangers.focus()
  await nextFrame(page)
  expect(await position(), 'the focus in the header moves the page').toBe(200)
  await bangers.click()
  await expect(page.getByRole('button', { name: 'Back to Discovery' })).toBeVisible()
  expect(await position()).toBe(0)
  await page.goBack()
  await expect.poll(position).toBe(200)
})

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

test('screens-24: a page that is older than its server reloads at the next navigation, once', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  await signIn(page, { path: '/?section=library' })
  await expect(title(page)).toHaveText('My Library')
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-build': 'another' } })
  })
  const mark = () => page.evaluate(() => Object.assign(window, { isMarked: true }))
  const isMarked = () => page.evaluate(() => 'isMarked' in window)
  await mark()
  const response = page.waitForResponse((response) => response.headers()['x-build'] === 'another')
  await page.keyboard.press('3')
  await response
  await expect(title(page)).toHaveText('Community Insights')
  await expect(page.getByRole('button', { name: 'Pause', exact: true }).first()).toBeVisible()
  await page.keyboard.press('2')
  await expect(title(page)).toHaveText('My Library')
  expect(await isMarked(), 'while a song plays').toBe(true)
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
  await expect(page.getByRole('button', { name: 'Play', exact: true }).first()).toBeVisible()
  await page.keyboard.press('3')
  await expect(async () => expect(await isMarked()).toBe(false)).toPass()
  await expect(title(page)).toHaveText('Community Insights')

  await mark()
  for (const [key, name] of [
    ['2', 'My Library'],
    ['3', 'Community Insights'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(title(page)).toHaveText(name)
  }
  expect(await isMarked()).toBe(true)
})

test('screens-16: the title of the tab names the song on Discover, else the section', async ({
  page,
  stock,
}) => {
  await stock([
    { title: 'One <b>', artist: 'A & B' },
    { title: 'Two', artist: 'C' },
  ])
  await openDiscover(page)
  const titleOf = async () => `${await title(page).textContent()} by `
  await expect(page).toHaveTitle(/^(One <b> by A & B|Two by C) · Banger or Bust$/)
  const first = await page.title()
  await page.keyboard.press('2')
  await expect(page).toHaveTitle('My Library · Banger or Bust')
  await page.keyboard.press('1')
  await expect(page).toHaveTitle(first)
  await page.keyboard.press('ArrowRight')
  await expect(page).not.toHaveTitle(first)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  expect(await page.title()).toContain(await titleOf())
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  await expect(page).toHaveTitle('Discover · Banger or Bust')
})
