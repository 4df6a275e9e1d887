import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { getSharedCollection, getShareStory, shareAchievement } from '../../contract/sharing.ts'
import { pathAt } from '../harness/tier.ts'
import { FEW_FRAMES } from './clock.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import {
  genresOf,
  makeListener,
  makeSharedCollection,
  rateBangers,
  rateSongs,
  signInWithBangers,
} from './listeners.ts'
import { holdResponse, urlPattern } from './mockResponses.ts'
import { openDiscover, toast } from './testSongs.ts'

test.describe('a shared collection', () => {
  test('sharing-12, sharing-13, sharing-11: a visitor sees all of it, also without JavaScript, which counts no view, and can start', async ({
    page,
    browser,
    baseURL,
  }) => {
    const shared = await shareSomething(browser, baseURL, {
      name: '<b>Soft</b> focus',
      description: 'For <i>Sundays</i>.',
    })
    const reader = await browser.newContext({ javaScriptEnabled: false, baseURL })
    const plain = await reader.newPage()
    await plain.goto(shared.path)
    await expect(plain.getByRole('heading', { name: '<b>Soft</b> focus' })).toBeVisible()
    for (const { name, description } of shared.genres) {
      await expect(plain.getByRole('heading', { name })).toBeVisible()
      await expect(plain.getByText(description)).toBeVisible()
    }
    await reader.close()

    const release = await holdResponse(page, getSharedCollection)
    await page.goto(shared.path)
    await expect(page.getByRole('status').getByText('Loading collection...')).toBeVisible()
    release()

    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1, name: '<b>Soft</b> focus' })).toBeVisible()
    await expect(main.getByText('For <i>Sundays</i>.')).toBeVisible()
    await expect(main.getByText('Shared Collection', { exact: true })).toBeVisible()
    await expect(main.getByText('Ada Lovelace')).toBeVisible()
    const today = await page.evaluate(() =>
      new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date()),
    )
    await expect(main.getByText(`Created ${today} · 1 view · 2 microgenres`)).toBeVisible()
    await expect(page).toHaveTitle('<b>Soft</b> focus · Banger or Bust')
    const entries = main.getByRole('list', { name: 'Microgenres' }).getByRole('listitem')
    await expect(entries).toHaveCount(2)
    for (const [index, genre] of shared.genres.entries()) {
      const entry = entries.nth(index)
      await expect(entry.getByRole('heading', { name: genre.name })).toBeVisible()
      await expect(entry.getByText(genre.description)).toBeVisible()
      await expect(entry.getByText(`Added ${today}`)).toBeVisible()
      await expect(entry.getByTestId('genre-dot')).toHaveCSS('background-color', rgbOf(genre.color))
    }
    await main.getByRole('button', { name: 'Start Discovering' }).click()
    await expect(page).toHaveURL('/')
  })

  test.describe('that does not exist', () => {
    test.use({ expectedErrors: [/404 \(Not Found\)/] })

    test('sharing-17: shows that it was not found and links home', async ({ page }) => {
      for (const kind of ['Achievement', 'Collection']) {
        const answer = await page.goto(`/share/${kind.toLowerCase()}/${'A'.repeat(32)}`)
        expect(answer?.status()).toBe(404)
        await expect(page.getByRole('heading', { name: `${kind} Not Found` })).toBeVisible()
        const words = `This ${kind.toLowerCase()} doesn't exist or is no longer available.`
        await expect(page.getByText(words)).toBeVisible()
        await page.getByRole('button', { name: 'Go Home' }).click()
        await expect(page).toHaveURL('/')
      }
    })

    test('@long screens-19: its document looks the same without JavaScript', async ({
      page,
      browser,
      baseURL,
    }) => {
      const reader = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
      const plain = await reader.newPage()
      for (const tab of [page, plain]) await tab.goto(`/share/collection/${'A'.repeat(32)}`)
      await expect(page.getByRole('button', { name: 'Go Home' })).toBeVisible()
      const readStyles = (tab: Page) =>
        Promise.all(
          [
            tab.getByText('Banger', { exact: true }),
            tab.getByText('4', { exact: true }).last(),
            tab.getByRole('heading', { name: 'Collection Not Found' }),
            tab.getByText("This collection doesn't exist or is no longer available."),
            tab.getByText('Go Home'),
          ].map(styleOf),
        )
      // The fonts may arrive a moment later.
      await expect(async () => expect(await readStyles(plain)).toEqual(await readStyles(page))).toPass()
      await plain.getByRole('link', { name: 'Go Home' }).click()
      await expect(plain).toHaveURL('/')
      await reader.close()
    })
  })
})

test.describe('a shared achievement', () => {
  // Console errors of unknown links.
  test.use({ expectedErrors: [/404 \(Not Found\).*\/share\/achievement\//] })

  test('sharing-14, sharing-15, sharing-11: a visitor sees it and can start', async ({
    page,
    browser,
    baseURL,
  }) => {
    const { first, master } = await shareAchievements(browser, baseURL)
    const requests: string[] = []
    page.on('request', (request) => requests.push(pathAt(request.url())))
    await page.goto(master.path)
    const main = page.getByRole('main')
    await expect(main.getByText('Achievement Unlocked', { exact: true })).toBeVisible()
    await expect(main.getByRole('heading', { name: 'Microgenre Master' })).toBeVisible()
    await expect(main.getByText('Completed an entire microgenre')).toBeVisible()
    await expect(main.getByText('Ada Lovelace')).toBeVisible()
    await expect(main.getByText(master.genre.name).first()).toBeVisible()
    await expect(main.getByTestId('genre-dot')).toHaveCSS('background-color', rgbOf(master.genre.color))
    await expect(main.getByRole('term').getByText('microgenreName')).toBeVisible()
    await expect(main.getByRole('definition').getByText(master.genre.name)).toBeVisible()
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([`/api${master.path}`])

    await page.goto(first.path)
    await expect(main.getByRole('heading', { name: 'First Banger' })).toBeVisible()
    await expect(main.getByText('Discovered your first musical gem')).toBeVisible()
    await expect(main.getByTestId('genre-dot')).toHaveCount(0)
    await main.getByRole('button', { name: 'Start Your Journey' }).click()
    await expect(page).toHaveURL('/')
  })

  test('@long sharing-15: the name and the text of each type', async ({ page }) => {
    const main = page.getByRole('main')
    for (const { type, name, raw, text } of [
      { type: 'explorer', name: 'Musical Explorer', text: 'Rated songs from 5+ microgenres' },
      { type: 'streak_10', name: 'On Fire', text: '10 song rating streak' },
      { type: 'xyz', name: 'Special', raw: true, text: 'Achievement unlocked' },
      { type: 'streak_25', name: '25 Song Streak', raw: true, text: 'Achievement unlocked' },
    ]) {
      await page.route('**/api/share/achievement/*', (route) =>
        route.fulfill({
          json: {
            type,
            metadata: { a: 'b', '<b>c</b>': 7 },
            createdAt: '2026-01-02T12:00:00.000Z',
            user: { firstName: null, lastName: null, profileImageUrl: null },
            microgenre: null,
          },
        }),
      )
      await page.goto(`/share/achievement/${'B'.repeat(32)}`, { waitUntil: 'commit' })
      await expect(main.getByRole('heading', { name, exact: true })).toBeVisible()
      await expect(main.getByText(text, { exact: true })).toBeVisible()
      await expect(main.getByText(type, { exact: true })).toHaveCount(raw ? 1 : 0)
      await expect(main.getByText('Music Explorer', { exact: true })).toBeVisible()
      await expect(main.getByText('Unlocked 2 Jan 2026')).toBeVisible()
      await expect(main.getByRole('term')).toHaveText(['a', '<b>c</b>'])
      await expect(main.getByRole('definition')).toHaveText(['b', '7'])
    }
  })
})

test.describe('sharing a collection', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('sharing-3, sharing-2, sharing-1, sharing-5, sharing-10: the form creates a collection of the top three microgenres and shows its link, unless it is private', async ({
    page,
    app,
  }) => {
    const genres = await signInWithBangers(page, [5, 3, 2, 1])
    const posts = recordPosts(page)
    const dialog = await openCollectionDialog(page)
    await expect(dialog.getByRole('switch', { name: 'Public' })).toBeChecked()
    await dialog.getByLabel('Name').fill('  Soft focus ')
    await dialog.getByLabel('Description').fill('For Sundays.')
    await dialog.getByRole('button', { name: 'Create Collection' }).click()
    await expect(page.getByText('Collection created!')).toBeVisible()

    const link = dialog.getByRole('textbox', { name: 'Link' })
    await expect(link).toHaveValue(/\/share\/collection\/[\w-]{32}$/)
    expect(posts.map(({ path }) => path.replace(/\d+/, 'ID'))).toEqual([
      '/api/collections',
      '/api/collections/ID/items',
      '/api/collections/ID/items',
      '/api/collections/ID/items',
      '/api/collections/ID/share',
    ])
    expect(posts[0]?.body).toEqual({ name: 'Soft focus', description: 'For Sundays.', isPublic: true })
    expect(posts.slice(1, 4).map(({ body }) => body)).toEqual(
      genres.slice(0, 3).map(({ id }) => ({ microgenreId: id })),
    )
    expect((await link.inputValue()).startsWith(`${app.url}/share/`)).toBe(true)

    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Copied!')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link.inputValue())
    for (const name of ['X', 'Facebook', 'WhatsApp', 'Telegram']) {
      const service = dialog.getByRole('link', { name: `${name} (opens in a new tab)`, exact: true })
      await expect(service).toHaveAttribute('rel', /noopener/)
      await expect(service).toHaveAttribute('target', '_blank')
    }
    await dialog.getByRole('button', { name: 'Close' }).click()

    posts.length = 0
    await openCollectionDialog(page)
    await dialog.getByLabel('Name').fill('Mine')
    await dialog.getByRole('switch', { name: 'Public' }).click()
    await dialog.getByRole('button', { name: 'Create Collection' }).click()
    await expect(dialog.getByText('This collection is private, so it has no link.')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveCount(0)
    expect(posts[0]?.body).toMatchObject({ isPublic: false })
    expect(posts.some(({ path }) => path.endsWith('/share'))).toBe(false)
  })

  test('@long sharing-9: for Instagram the text is copied and a picture offered', async ({ page }) => {
    await signInWithBangers(page, [1])
    const dialog = await openCollectionDialog(page)
    await dialog.getByLabel('Name').fill('Soft focus')
    await dialog.getByRole('button', { name: 'Create Collection' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Instagram' }).click()
    await expect(page.getByText('Ready for Instagram!')).toBeVisible()
    await expect(page.getByText('Text copied. Paste it into your post.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(link)
    expect((await downloading).suggestedFilename()).toBe('banger-or-bust.png')
  })

  test.describe('fails', () => {
    test.use({ expectedErrors: [/500 \(Internal Server Error\)/] })

    for (const call of ['/api/collections', '/api/collections/*/items', '/api/collections/*/share']) {
      test(`@long sharing-2: when POST ${call} fails, the form stays and no collection is left`, async ({
        page,
        app,
      }) => {
        await signInWithBangers(page, [2, 1])
        const dialog = await openCollectionDialog(page)
        await page.route(`**${call}`, (route) => route.fulfill({ status: 500, body: '' }))
        await dialog.getByLabel('Name').fill(`Broken by ${call}`)
        await dialog.getByRole('button', { name: 'Create Collection' }).click()
        await expect(page.getByText('Failed to create collection. Please try again.')).toBeVisible()
        await expect(dialog.getByLabel('Name')).toHaveValue(`Broken by ${call}`)
        await expect
          .poll(() => app.db`select from collections where name = ${`Broken by ${call}`}`)
          .toHaveLength(0)

        await page.unroute(`**${call}`)
        await dialog.getByRole('button', { name: 'Create Collection' }).click()
        await expect(dialog.getByRole('textbox', { name: 'Link' })).toBeVisible()
      })
    }
  })
})

test('@long sharing-10: when the clipboard is blocked, the link can be copied by hand', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error()) } })
  })
  await signInWithBangers(page, [1])
  const dialog = await openCollectionDialog(page)
  await dialog.getByLabel('Name').fill('By hand')
  await dialog.getByRole('button', { name: 'Create Collection' }).click()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copy failed')).toBeVisible()
  await expect(page.getByText('Please copy the link manually.')).toBeVisible()
  const link = dialog.getByRole('textbox', { name: 'Link' })
  await expect(link).toBeFocused()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await link.inputValue())
})

test.describe('in Community', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('sharing-7, community-8: each achievement can be shared by its link, and with three or more a button shares the newest', async ({
    page,
  }) => {
    await signInWithBangers(page, [2])
    await page.getByRole('button', { name: 'Community' }).click()
    await expect(page.getByRole('button', { name: 'Share First Banger Found!' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Share achievements' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Share First Banger Found!' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Achievement' })
    await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveValue(
      /\/share\/achievement\/[\w-]{32}$/,
    )
    await dialog.getByRole('button', { name: 'Close' }).click()

    await rateBangers(page.request, [1, 1, 1, 1, 1, 1, 1], 10)
    await page.reload()
    await page.getByRole('button', { name: 'Community' }).click()
    const [newest] = (await (await page.request.get(listAchievements.path)).json()) as { id: string }[]
    const sharing = page.waitForRequest(urlPattern(shareAchievement))
    await page.getByRole('button', { name: 'Share achievements' }).click()
    expect(pathAt((await sharing).url())).toBe(shareAchievement.path.replace(':id', newest?.id ?? ''))
    await expect(dialog.getByRole('textbox', { name: 'Link' })).toBeVisible()
  })

  test("@long sharing-8, community-8: stats are shared as a text with the listener's figures", async ({
    page,
    app,
  }) => {
    const [genre] = await signInWithBangers(page, [3])
    await page.getByRole('button', { name: 'Community' }).click()
    await page.getByRole('button', { name: 'Share Stats' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share Stats' })
    const text = dialog.getByRole('textbox', { name: 'Text' })
    expect((await text.boundingBox())?.width).toBeGreaterThan(200)
    await expect(text).toHaveValue(
      `I found 3 bangers in 3 songs on Banger or Bust. My favourite microgenre is ${genre?.name}. ${app.url}`,
    )
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Copied!')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text.inputValue())
  })
})

test.describe('the picture in the share dialog', () => {
  test('sharing-20: it is shown before it is sent, and nothing moves when it arrives', async ({ page }) => {
    await signInWithBangers(page, [2])
    const release = await holdResponse(page, getShareStory)
    const dialog = await openAchievementDialog(page)
    await expect(dialog.getByText('Making the picture...')).toBeVisible()
    const copy = dialog.getByRole('button', { name: 'Copy' })
    const place = await copy.boundingBox()
    release()

    const picture = dialog.getByRole('img', { name: /^The picture: I unlocked ‘First Banger Found’/ })
    await expect(picture).toHaveJSProperty('naturalWidth', 1080)
    await expect(picture).toHaveJSProperty('naturalHeight', 1920)
    expect(await copy.boundingBox()).toEqual(place)
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    expect(width / height).toBeCloseTo(9 / 16, 2)
  })

  for (const takesFiles of [true, false]) {
    test(`@long sharing-20: a share sheet that takes ${takesFiles ? 'files' : 'only text'} gets ${takesFiles ? 'the picture with' : ''} text and link`, async ({
      page,
    }) => {
      await page.addInitScript((takesFiles) => {
        const shared: unknown[] = []
        Object.assign(window, { shared })
        Object.assign(navigator, {
          canShare: ({ files }: ShareData) => takesFiles || files === undefined,
          share: async ({ files = [], ...words }: ShareData) => {
            shared.push({ ...words, files: files.map(({ name, type, size }) => [name, type, size > 1000]) })
          },
        })
      }, takesFiles)
      await signInWithBangers(page, [2])
      const dialog = await openAchievementDialog(page)
      await expect(dialog.getByRole('img', { name: /^The picture/ })).toBeVisible()
      await dialog.getByRole('button', { name: 'Share with an app' }).click()
      const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
      expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual([
        {
          title: 'Banger or Bust',
          text: 'I unlocked ‘First Banger Found’ on Banger or Bust.',
          url: link,
          files: takesFiles ? [['banger-or-bust.png', 'image/png', true]] : [],
        },
      ])
    })
  }
})

/** Ada's shared collection of two microgenres. */
async function shareSomething(
  browser: Browser,
  baseURL: string | undefined,
  { name = 'Shared', description = '' } = {},
) {
  return withAdasRequest(browser, baseURL, async (request) => {
    const genres = (await genresOf(request)).slice(0, 2)
    const ids = genres.map(({ id }) => id)
    return { path: await makeSharedCollection(request, name, ids, description), genres }
  })
}

/** Ada's first_banger and microgenre_master achievements. */
async function shareAchievements(browser: Browser, baseURL: string | undefined) {
  return withAdasRequest(browser, baseURL, async (request) => {
    const [genre] = await rateBangers(request, [10])
    const all = (await (await request.get(listAchievements.path)).json()) as { id: string; type: string }[]
    const share = async (type: string) => {
      const { id = '' } = all.find((achievement) => achievement.type === type) ?? {}
      const shared = await request.post(shareAchievement.path.replace(':id', id))
      return `/share/achievement/${((await shared.json()) as { shareToken: string }).shareToken}`
    }
    if (!genre) throw new Error('There is no microgenre.')
    return {
      first: { path: await share('first_banger') },
      master: { path: await share('microgenre_master'), genre },
    }
  })
}

async function withAdasRequest<T>(
  browser: Browser,
  baseURL: string | undefined,
  act: (request: APIRequestContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ baseURL })
  await startSession(context)
  await context.request.put(updateProfile.path, { data: { firstName: 'Ada', lastName: 'Lovelace' } })
  const result = await act(context.request)
  await context.close()
  return result
}

async function openAchievementDialog(page: Page) {
  await page.getByRole('button', { name: 'Community' }).click()
  await page.getByRole('button', { name: 'Share First Banger Found!' }).click()
  return page.getByRole('dialog', { name: 'Share Achievement' })
}

async function openCollectionDialog(page: Page) {
  await page.getByRole('button', { name: 'My Library' }).click()
  await page.getByRole('button', { name: 'Share Collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Collection' })
  await expect(dialog.getByLabel('Name')).toBeVisible()
  return dialog
}

function recordPosts(page: Page) {
  const posts: { path: string; body: unknown }[] = []
  page.on('request', (request) => {
    const path = pathAt(request.url())
    if (request.method() !== 'POST' || !path.startsWith('/api/collections')) return
    posts.push({ path, body: request.postData() === null ? null : request.postDataJSON() })
  })
  return posts
}

function rgbOf(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return `rgb(${r}, ${g}, ${b})`
}

/** The styles of an element. Without its vertical position, because without JavaScript a note is above. */
const styleOf = (part: Locator) =>
  part.evaluate((element) => {
    const { color, backgroundColor, fontFamily, fontSize, fontStretch, fontWeight } =
      getComputedStyle(element)
    const { x, width, height } = element.getBoundingClientRect()
    return { color, backgroundColor, fontFamily, fontSize, fontStretch, fontWeight, x, width, height }
  })

/** Stops the page's clock, so that toasts stay until the test moves it. */
async function stopTime(page: Page) {
  await page.clock.pauseAt(Date.now() + 10_000)
}

async function rate(page: Page, verdict: 'BANGER' | 'BUST') {
  const button = page.getByRole('button', { name: verdict, exact: true })
  await expect(button).toBeEnabled()
  await button.click()
}

test('community-14, community-13: the first banger is announced once, for about four seconds', async ({
  page,
}) => {
  await page.clock.install()
  await signIn(page)
  let checks = 0
  page.on('request', (request) => {
    if (request.url().endsWith(checkAchievements.path)) checks += 1
  })
  await rate(page, 'BUST')

  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
  await stopTime(page)
  await rate(page, 'BANGER')
  await page.clock.runFor(FEW_FRAMES)
  await expect(toast(page).getByText('Achievement Unlocked!')).toBeVisible()
  await expect(toast(page).getByText('First Banger Found!')).toBeVisible()
  await page.clock.runFor(3900)
  await expect(toast(page).getByText('First Banger Found!')).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast(page).getByText('First Banger Found!')).toBeHidden()
  await page.clock.resume()

  await rate(page, 'BANGER')
  await expect(page.getByRole('button', { name: /^Bangers\s*2$/ })).toBeVisible()
  // The responses to the other two ratings had nothing to announce.
  expect(checks).toBe(1)
  const all = (await (await page.request.get(listAchievements.path)).json()) as { type: string }[]
  expect(all.map(({ type }) => type)).toEqual(['first_banger'])
})

test('@long community-13, screens-8: several achievements at once are named in turn, for about four seconds each (community-14)', async ({
  page,
}) => {
  const { email, api } = await makeListener()
  await rateSongs(api, { bust: 4 })
  await api.dispose()
  await page.clock.install()
  await openDiscover(page, { email })
  await stopTime(page)
  await rate(page, 'BANGER')
  await page.clock.runFor(FEW_FRAMES)
  const names: (string | null)[] = []
  for (let n = 0; n < 2; n++) {
    await expect(toast(page)).toHaveText(/^Achievement Unlocked!(First Banger Found!|5 Song Streak)$/)
    const name = await toast(page).textContent()
    names.push(name)
    await page.clock.runFor(3800)
    await expect(toast(page)).toHaveText(name ?? '')
    await page.clock.runFor(300)
  }
  expect(new Set(names).size).toBe(2)
  await expect(toast(page)).toBeEmpty()
})
