import type { Page } from '@playwright/test'
import { logout } from '../../contract/auth.ts'
import { recommendMicrogenres, savePreferences } from '../../contract/onboarding.ts'
import { pathAt } from '../harness/tier.ts'
import { changeTab, signIn, startSession } from './fixtures.ts'
import { failCall, SERVER_ERROR } from './mockResponses.ts'
import { art, expect, test, toast, videoSongs } from './testSongs.ts'

const NEWCOMER = { newcomer: true } as const
const dialog = (page: Page) => page.getByRole('dialog')
const question = (page: Page, n: number) => dialog(page).getByText(`Question ${n} of 4`)
const option = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: false })

async function answerAll(page: Page) {
  for (const [i, name] of ['Slow', 'Both', 'Indie', 'Ambient'].entries()) {
    await expect(question(page, i + 1)).toBeVisible()
    await option(page, name).click()
  }
  await expect(dialog(page).getByRole('heading', { name: 'Start with these' })).toBeVisible()
}

/** Opens another tab and returns it. */
async function signOut(page: Page): Promise<Page> {
  const tab = await changeTab(page)
  await tab.request.get(logout.path)
  return tab
}

/** Waits until the question has the focus, so that it receives key presses. */
async function expectFocus(page: Page, n: number) {
  const group = dialog(page)
    .getByRole('group')
    .filter({ hasText: `Question ${n} of 4` })
  await expect(group).toBeFocused()
}

/** Waits until a dialog would have opened. */
async function expectNoQuestionnaire(page: Page) {
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
  await page.clock.runFor(5000)
  await expect(dialog(page)).toBeHidden()
}

test('@long onboarding-3: the next question comes 0.3 s after the answer', async ({ page }) => {
  await page.clock.install()
  await signIn(page, NEWCOMER)
  await page.clock.runFor(1000)
  await expect(question(page, 1)).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await option(page, 'Fast').click()
  await page.clock.runFor(250)
  await expect(question(page, 1)).toBeVisible()
  await expect(option(page, 'Fast')).toHaveAttribute('aria-pressed', 'true')
  await page.clock.runFor(60)
  await expect(question(page, 2)).toBeVisible()
})

test('onboarding-1, onboarding-2, onboarding-4, onboarding-6, onboarding-9, screens-10, discover-47: four questions in order, one request; the results have reasons, are saved, and the first one plays', async ({
  page,
}) => {
  const requests: URL[] = []
  page.on('request', (request) => {
    if (request.url().includes(recommendMicrogenres.path)) requests.push(new URL(request.url()))
  })
  const email = await signIn(page, NEWCOMER)
  const questions = [
    ['Slow', 'Fast', 'Weird', 'Mixed'],
    ['Vocal', 'Instrumental', 'Both'],
    ['Mainstream', 'Indie', 'Obscure'],
    ['Ambient', 'Emotional', 'Rhythmic', 'Experimental'],
  ]
  for (const [i, names] of questions.entries()) {
    await expect(question(page, i + 1)).toBeVisible()
    const bar = dialog(page).getByRole('progressbar')
    await expect(bar).toHaveAttribute('aria-valuenow', String((i + 1) * 25))
    await expect(bar).toHaveAttribute('aria-valuemax', '100')
    const options = dialog(page).getByRole('group').getByRole('button').filter({ hasText: /\d$/ })
    await expect(options).toHaveText(names.map((name) => new RegExp(`^${name}`)))
    expect(requests).toEqual([])
    await option(page, ['Slow', 'Both', 'Indie', 'Ambient'][i] ?? '').click()
  }
  await expect(dialog(page).getByText('Recommended', { exact: true }).first()).toBeVisible()
  expect(requests.map((url) => Object.fromEntries(url.searchParams))).toEqual([answers])
  const list = dialog(page).getByRole('list', { name: 'Recommended microgenres' })
  const { recommendedMicrogenres } = (await (
    await page.request.get(recommendMicrogenres.path, { params: answers })
  ).json()) as { recommendedMicrogenres: { name: string; reason: string }[] }
  expect(recommendedMicrogenres).toHaveLength(4)
  await expect(list.getByRole('listitem')).toHaveText(
    recommendedMicrogenres.map(({ name, reason }) => new RegExp(`^${name}${reason}.*Recommended$`)),
  )

  const saved = page.waitForRequest((request) => request.method() === 'POST' && isPreferences(request.url()))
  await dialog(page).getByRole('button', { name: 'Save & Start Exploring' }).click()
  expect((await saved).postDataJSON()).toEqual(answers)
  await expect(toast(page)).toContainText('Preferences saved!')
  await expect(dialog(page)).toBeHidden()
  const first = recommendedMicrogenres[0]?.name
  await expect(page.getByRole('button', { name: `Currently listening to ${first}` })).toBeVisible()

  const next = await signOut(page)
  await startSession(next.context(), { ...NEWCOMER, email })
  await next.clock.install()
  await next.goto('/')
  await expectNoQuestionnaire(next)
})

test('@long onboarding-10: pressing a recommended microgenre saves the answers and plays that one', async ({
  page,
}) => {
  await signIn(page, NEWCOMER)
  await answerAll(page)
  const rows = dialog(page).getByRole('list', { name: 'Recommended microgenres' }).getByRole('listitem')
  const name = (await rows.nth(2).locator('b').textContent()) ?? ''
  const saved = page.waitForRequest((request) => request.method() === 'POST' && isPreferences(request.url()))
  await rows.nth(2).getByRole('button').press('Enter')

  expect((await saved).postDataJSON()).toEqual(answers)
  await expect(toast(page)).toContainText('Preferences saved!')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: `Currently listening to ${name}` })).toBeVisible()
})

test('onboarding-8: every answer and the skip are visible on a phone, nothing sounds or shows below, and the song continues', async ({
  page,
  stock,
}) => {
  await stock(videoSongs(1))
  await signIn(page, NEWCOMER)
  await expect(question(page, 1)).toBeVisible()
  const video = page.locator('[data-frame]')
  await expect(video).toHaveCount(0)
  for (const [width, height] of [
    [390, 664],
    [375, 553],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const name of ['Slow', 'Mixed', 'Skip for now'])
      await expect(option(page, name), `at ${width}x${height}`).toBeInViewport({ ratio: 1 })
  }
  await expect(page.getByRole('button', { name: 'Pause', includeHidden: true })).toHaveCount(0)
  await option(page, 'Skip for now').click()
  await expect(video).toHaveCount(1)
  await expect(art(page, 'Pause')).toBeVisible()
})

for (const [width, height] of [
  [390, 664],
  [360, 672],
  [375, 553],
  [320, 568],
] as const) {
  test(`@long onboarding-11: on a phone of ${width}x${height} the main button is in sight with the results, and the last microgenre can be scrolled above it`, async ({
    page,
    stock,
  }) => {
    await stock(videoSongs(1))
    await page.setViewportSize({ width, height })
    await signIn(page, NEWCOMER)
    await answerAll(page)
    const rows = dialog(page).getByRole('list', { name: 'Recommended microgenres' }).getByRole('button')
    await expect(rows.first()).toBeInViewport({ ratio: 1 })
    const save = dialog(page).getByRole('button', { name: 'Save & Start Exploring' })
    await expect(save).toBeInViewport({ ratio: 1 })
    const top = (await save.boundingBox())?.y
    await rows.last().focus()
    expect((await save.boundingBox())?.y).toBeCloseTo(top ?? 0, 0)
    const last = await rows.last().boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(top ?? 0)
  })
}

test('onboarding-7: a skip closes the questionnaire until the listener signs out', async ({
  page,
  browser,
}) => {
  const email = await signIn(page, NEWCOMER)
  await dialog(page).getByRole('button', { name: 'Skip for now' }).click()
  await expect(dialog(page)).toBeHidden()

  const elsewhere = await browser.newContext({ baseURL: new URL(page.url()).origin })
  await startSession(elsewhere, { ...NEWCOMER, email })
  const tab = await elsewhere.newPage()
  await tab.goto('/')
  await expect(question(tab, 1)).toBeVisible()
  await elsewhere.close()

  await page.clock.install()
  await page.reload()
  await expectNoQuestionnaire(page)

  const next = await signOut(page)
  await next.goto('/')
  await expect(next.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
  await startSession(next.context(), { ...NEWCOMER, email })
  await next.goto('/')
  await next.clock.runFor(1000)
  await expect(question(next, 1)).toBeVisible()
})

test('@long onboarding-8: it opens for a new listener about a second after the page', async ({ page }) => {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1000)
  // The clock moves only in steps.
  await signIn(page, NEWCOMER)
  const step = async () => {
    await page.clock.runFor(50)
    return page.getByRole('button', { name: 'Your profile' }).isVisible()
  }
  await expect.poll(step, { intervals: [50] }).toBe(true)
  await page.clock.runFor(900)
  await expect(dialog(page)).toBeHidden()
  const requests = page.waitForRequest(/QuestionnaireDialog/)
  await page.clock.runFor(150)
  await requests
  await page.clock.resume()
  await expect(question(page, 1)).toBeVisible()
})

test('digits and arrow keys answer, and do not switch sections', async ({ page }) => {
  await signIn(page, NEWCOMER)
  await expectFocus(page, 1)
  await page.keyboard.press('2')
  await expectFocus(page, 2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Instrumental')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question(page, 3)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeVisible()
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long onboarding-6: answers that could not be saved stay, with a toast', async ({ page }) => {
    await signIn(page, NEWCOMER)
    await answerAll(page)
    const restore = await failCall(page, savePreferences)
    const save = dialog(page).getByRole('button', { name: 'Save & Start Exploring' })
    await save.click()
    await expect(toast(page)).toContainText('Oops!')
    await expect(toast(page)).toContainText('Failed to save preferences. Please try again.')
    const rows = dialog(page).getByRole('list', { name: 'Recommended microgenres' }).getByRole('button')
    await rows.last().click()
    await expect(rows.last()).toBeEnabled()
    await restore()
    await save.click()
    await expect(dialog(page)).toBeHidden()
  })
})

const answers = {
  energyPreference: 'slow',
  vocalPreference: 'both',
  familiarityLevel: 'indie',
  musicMood: 'ambient',
}

const isPreferences = (url: string) => pathAt(url) === savePreferences.path
