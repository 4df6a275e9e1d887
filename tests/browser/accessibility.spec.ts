import type { Page } from '@playwright/test'
import { sendMagicLink } from '../../contract/auth.ts'
import { TEST_ALL } from '../harness/tier.ts'
import { findViolations } from './axe.ts'
import { dropFiles, makeFiles } from './files.ts'
import { signIn } from './fixtures.ts'
import {
  makeListener,
  makeSharedAchievement,
  makeSharedCollection,
  makeSharedMix,
  makeWatchedListener,
} from './listeners.ts'
import { readCallNames } from './requestStorms/calls.ts'
import { startFailingServer } from './requestStorms/failingServer.ts'
import {
  desk,
  LOOK_ONLY,
  operators,
  people,
  player,
  type Screen,
  sections,
  signedOut,
} from './requestStorms/screens.ts'
import { openTab, settle } from './requestStorms/tabs.ts'
import { findScreenFaults } from './screenFaults.ts'
import type { TestServer } from './testServer.ts'
import { expect, test, videoSongs } from './testSongs.ts'

/*
 * Every screen and dialog: WCAG 2.2 AA, as far as axe can check it; and nothing
 * cut off or covered at any size (screens-17).
 */

// Without animations, so that no check runs in the middle of one.
test.use({ contextOptions: { reducedMotion: 'reduce' } })
// Of screens that say that nothing was found (calls-6), which Chromium reports.
test.use({ expectedErrors: [/status of 40[34]/] })

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** A fixed bar may cover a part of what scrolls below it, which must be whole when scrolled to the middle. */
async function isWholeWhenScrolled(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { violations } = await findViolations(page, { rules: ['target-size'], within: target })
  return violations.length === 0
}

/**
 * Checks the current screen on a phone; in `npm run test:all` also on a desktop, and in the dark scheme, of which only
 * colors differ.
 */
async function expectAccessible(page: Page, name: string): Promise<void> {
  const violationsFound: string[] = []
  async function check(look: string, narrow: { rules: string[] } | { tags: string[] }) {
    const { violations, passed } = await findViolations(page, narrow)
    expect(passed, 'rules that had something to look at').toBeGreaterThan(0)
    for (const { rule, html, target, summary } of violations) {
      if (rule === 'target-size' && (await isWholeWhenScrolled(page, target))) continue
      violationsFound.push(`${rule} (${look}): ${html}\n${summary}`)
    }
  }
  if (TEST_ALL) {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await check('desktop, dark', { rules: ['color-contrast'] })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await check('desktop, light', { tags })
  }
  await page.setViewportSize({ width: 390, height: 664 })
  await check('phone, light', { tags })
  await page.setViewportSize({ width: 1440, height: 900 })
  expect.soft(violationsFound, name).toEqual([])
  expect.soft(await findScreenFaults(page), name).toEqual({})
}

/** Opens each screen, and checks it at each of its looks. */
async function expectEachAccessible(
  page: Page,
  app: TestServer,
  screens: readonly Screen[],
  always: Screen['instead'] = {},
): Promise<void> {
  const nameOf = await readCallNames()
  const server = await startFailingServer({ target: app.url, failure: '500', nameOf, stored: new Map() })
  const tab = await openTab(page.context(), server.url, nameOf)
  const loading = tab.page
    .getByText(/^(Loading|Finding|Making|Searching)\b.*\.\.\.$/)
    .filter({ visible: true })
  for (const { name, path, instead, isVariant, actions: steps = [LOOK_ONLY] } of screens) {
    if (!steps.includes(LOOK_ONLY) || (isVariant && !TEST_ALL)) continue
    server.replaceResponses({ ...always, ...instead })
    tab.calls.clear()
    await tab.page.goto(server.url + path)
    for (const [n, step] of steps.slice(0, steps.lastIndexOf(LOOK_ONLY) + 1).entries()) {
      if (step !== LOOK_ONLY) {
        await expect(step.target(tab.page), `an action on ${name}`).toBeEnabled()
        await step.run(step.target(tab.page))
        continue
      }
      const next = steps[n + 1]
      if (next && next !== LOOK_ONLY) await expect(next.target(tab.page), name).toBeVisible()
      await settle(tab)
      await expect(loading, name).toHaveCount(0)
      await expectAccessible(tab.page, name)
    }
  }
  await tab.page.close()
  await server.close()
}

test('screens-17: every screen of visitors', async ({ page, app }) => {
  test.slow()
  const { api } = await makeListener()
  const shared = {
    collection: await makeSharedCollection(api, 'Night buses'),
    achievement: await makeSharedAchievement(api),
    mix: await makeSharedMix(api, 'Night buses'),
  }
  await expectEachAccessible(page, app, signedOut(shared))
})

for (const [place, screens] of Object.entries({ player, sections, people, desk, operators }))
  test(`screens-17, people-29: every screen beside a video and with the longest texts (${place})`, async ({
    page,
    app,
    stock,
  }) => {
    test.slow()
    const { always, storageState } = await makeWatchedListener(app, await stock(videoSongs(20)))
    await page.context().addCookies(storageState.cookies)
    await expectEachAccessible(page, app, screens, always)
  })

test('profile photo: a rejected file, a file, its editor and its card', async ({ page, stock }) => {
  const files = await makeFiles()
  await stock(videoSongs(1))
  await signIn(page)
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('button', { name: 'Change photo' }).click()
  const photo = page.getByRole('dialog', { name: 'Profile photo' })
  await expect(photo.getByRole('button', { name: 'browse files' })).toBeVisible()
  await dropFiles(page, photo.getByRole('group', { name: 'Files' }), [await files.file('a.txt', 9)])
  await expect(photo.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'a rejected file')
  await dropFiles(page, photo.getByRole('group', { name: 'Files' }), [await files.photo()])
  await expect(photo.getByRole('button', { name: 'Crop square' })).toBeVisible()
  await expectAccessible(page, 'the editor')
  await page.keyboard.press('Escape')
  await expect(photo.getByRole('button', { name: 'Upload 1 file' })).toBeVisible()
  await expectAccessible(page, 'a file')
  await photo.getByRole('button', { name: 'Edit file me.jpg' }).click()
  await expect(photo.getByLabel('Name')).toBeVisible()
  await expectAccessible(page, 'its card')
  await files.remove()
})

test('@long the page of a link opened in another browser, and an unknown share link', async ({
  page,
  request,
}) => {
  const email = `ada@${'long-'.repeat(11)}name.example.org`
  const sent = await request.post(sendMagicLink.path, { data: { email } })
  for (const [path, heading] of [
    [(await sent.json()).magicLink, 'Sign in to Banger or Bust'],
    ['/share/collection/nobody-shared-this', 'Collection Not Found'],
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expectAccessible(page, heading)
  }
})
