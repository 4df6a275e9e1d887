import type { Page } from '@playwright/test'
import { listAchievements } from '../../contract/achievements.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { deleteAccount, getAgreement, getMyStats } from '../../contract/profiles.ts'
import { makeSong } from '../makeSong.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { failCall, holdResponse, mockResponse, SERVER_ERROR, urlPattern } from './mockResponses.ts'
import { test as stockTest, toast, videoSongs } from './testSongs.ts'

test('people-12, people-4, people-13, people-14, people-15, people-23, library-16: a full profile, all its songs, and its downloads', async ({
  page,
}) => {
  const email = await signIn(page, { rated: { banger: 25, bust: 17 }, path: '/profile' })

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(email)
  await expect(page.getByRole('main').getByText('L', { exact: true })).toBeVisible()
  const since = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Berlin' })
  await expect(page.getByText(`Music discoverer since ${since.format(new Date())}`)).toBeVisible()

  const achievements = (await (await page.request.get(listAchievements.path)).json()) as unknown[]
  const figure = (name: string) => page.getByRole('term').filter({ hasText: name }).locator('..')
  await expect(figure('Bangers Found')).toHaveText('Bangers Found25')
  await expect(figure('Busts Avoided')).toHaveText('Busts Avoided17')
  await expect(figure('Songs Rated')).toHaveText('Songs Rated42')
  await expect(figure('Achievements')).toHaveText(`Achievements${achievements.length}`)

  await expect(page.getByRole('tab')).toHaveText([
    'Bangers (25)',
    `Achievements (${achievements.length})`,
    'Busts (17)',
  ])
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Bangers (25)')
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByRole('heading', { name: 'Your Bangers Collection' })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(20)
  await expect(panel.getByText('And 5 more bangers...')).toBeVisible()
  const [newest] = (await (
    await page.request.get(listRatings.path, { params: { type: 'banger' } })
  ).json()) as RatedSong[]
  const row = panel.getByRole('listitem').first()
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' })
  await expect(row).toContainText(newest?.song.title ?? '-')
  await expect(row).toContainText(`${newest?.song.artist} · ${newest?.song.microgenre}`)
  await expect(row).toContainText(day.format(new Date()))
  await expect(row.getByRole('button', { name: `Play ${newest?.song.title}` })).toBeVisible()

  await page.getByRole('tab', { name: 'Busts (17)' }).click()
  await expect(panel.getByRole('heading', { name: "Songs You've Passed On" })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(15)
  await expect(panel.getByText('And 2 more songs passed on...')).toBeVisible()

  const all = (await (await page.request.get(listRatings.path)).json()) as RatedSong[]
  const titles = (type: string) => all.filter(({ rating }) => rating === type).map(({ song }) => song.title)
  const rows = panel.getByRole('listitem')
  for (const { type, tab, words, few } of [
    { type: 'banger', tab: 'Bangers (25)', words: 'And 5 more bangers...', few: 20 },
    { type: 'bust', tab: 'Busts (17)', words: 'And 2 more songs passed on...', few: 15 },
  ]) {
    await page.getByRole('tab', { name: tab }).click()
    const more = panel.getByRole('button', { name: words })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(rows.locator('b')).toHaveText(titles(type))
    await expect(rows.nth(few).getByRole('button').first()).toBeFocused()
    await expect(more).toHaveCount(0)
    await panel.getByRole('button', { name: 'Show fewer' }).click()
    await expect(rows).toHaveCount(few)
    await expect(more).toBeVisible()
  }

  for (const [name, file] of [
    ['JSON', 'banger-or-bust.json'],
    ['CSV', 'banger-or-bust.csv'],
    ['JSPF', 'banger-or-bust.jspf'],
    ['Download my data', 'banger-or-bust-data.json'],
  ] as const) {
    const link = page.getByRole('link', { name, exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe(file)
  }
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
})

test('people-13, people-16: texts while it loads, the tiles with the stats, and the texts of an empty profile', async ({
  page,
}) => {
  const release = [
    await holdResponse(page, listRatings),
    await holdResponse(page, listAchievements),
    await holdResponse(page, getMyStats),
  ]
  await signIn(page, { path: '/profile' })
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText('Finding bangers...')
  await expect(page.getByRole('tab'), 'people-14').toHaveText(['Bangers', 'Achievements', 'Busts'])
  await page.getByRole('tab', { name: /^Achievements/ }).click()
  await expect(panel).toContainText('Loading achievements...')
  await page.getByRole('tab', { name: /^Busts/ }).click()
  await expect(panel).toContainText('Finding busts...')
  await expect(page.getByRole('term')).toHaveCount(0)
  for (const go of release) go()
  await expect(page.getByRole('term')).toHaveText([
    'Bangers Found',
    'Busts Avoided',
    'Songs Rated',
    'Achievements',
  ])
  await page.getByRole('tab', { name: 'Bangers (0)' }).click()
  await expect(panel).toContainText('No bangers found yet. Start discovering music to build your collection!')
  await page.getByRole('tab', { name: 'Achievements (0)' }).click()
  await expect(panel).toContainText(
    'No achievements unlocked yet. Keep discovering music to earn your first achievement!',
  )
  await page.getByRole('tab', { name: 'Busts (0)' }).click()
  await expect(panel).toContainText('No busts recorded yet. Every song is a potential banger!')
})

test('@long people-30: agreement with other listeners shows by month and in total', async ({ page }) => {
  const nextRequest = page.waitForRequest(urlPattern(getAgreement))
  await mockResponse(page, getAgreement, [
    { month: '2026-09', songs: 20, agreed: 10 },
    { month: '2026-11', songs: 1022, agreed: 1020 },
  ])
  await signIn(page, { path: '/profile' })
  expect(new URL((await nextRequest).url()).searchParams.get('tz')).toBe('Europe/Berlin')
  const room = page.getByRole('region', { name: 'You and the room' })
  await expect(room).toContainText('You agreed with most listeners on 1,030 of 1,042 songs')
  await expect(room.getByRole('listitem')).toHaveText([
    /^September 2026: 10 of 20.*50S$/,
    /^November 2026: 1,020 of 1,022.*99N$/,
  ])
})

test('@long people-17, community-16, community-15: unearned achievements follow, with progress and rarity', async ({
  page,
}) => {
  await signIn(page, { rated: { banger: 1, bust: 4 }, path: '/profile' })
  await page.getByRole('tab', { name: 'Achievements (2)' }).click()
  const cards = page.getByRole('tabpanel').getByRole('listitem')
  await expect(cards).toHaveText([
    /^5 Song StreakUnlocked .*Common$/,
    /^First Banger Found!Unlocked .*Common$/,
    '10 Song Streak5 of 10 ratings in a rowUncommon',
    /^Music Explorer\d of 5 microgenresUncommon$/,
    '25 Song Streak5 of 25 ratings in a rowEpic',
    /^Microgenre Master1 of 10 bangers in .+Rare$/,
    'Music Critic5 of 50 songsRare',
    'Music Enthusiast5 of 100 songsLegendary',
  ])
  await expect(cards.getByRole('img', { name: 'Locked' })).toHaveCount(6)
})

test('@long people-15: of ten thousand bangers only those in sight are requested and rendered', async ({
  page,
}) => {
  const nextRequest: string[] = []
  await page.route(urlPattern(listRatings), async (route) => {
    const [, first = 0, last = 0] = /^items=(\d+)-(\d+)$/.exec(route.request().headers().range ?? '') ?? []
    const [from, to] = [Number(first), Math.min(Number(last) + 1, COUNT_ABOVE_LIMIT)]
    nextRequest.push(`${from}`)
    const json = ratedSongs(COUNT_ABOVE_LIMIT).slice(from, to)
    const headers = { 'content-range': `items ${from}-${to - 1}/${COUNT_ABOVE_LIMIT}` }
    await route.fulfill({ status: 206, headers, json })
  })
  await signIn(page, { path: '/profile' })
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await expect(page.getByRole('tab', { name: 'Busts' })).toHaveText(`Busts (${COUNT_ABOVE_LIMIT})`)
  nextRequest.length = 0
  await page.getByRole('button', { name: `And ${COUNT_ABOVE_LIMIT - 20} more bangers...` }).click()
  await expect(rows.first()).toHaveAttribute('aria-setsize', `${COUNT_ABOVE_LIMIT}`)
  await expect(page.getByText('Song 21', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Play Song 21', exact: true }).focus()
  const last = page.getByText(`Song ${COUNT_ABOVE_LIMIT}`, { exact: true })
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(last).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await rows.count()).toBeLessThan(100)
  expect(nextRequest.length).toBeLessThan(6)
})

for (const [look, viewport] of Object.entries({
  'on a phone': { width: 390, height: 664 },
  '@long on a phone on its side': { width: 844, height: 390 },
  '@long on a tablet': { width: 820, height: 1180 },
  '@long on a desktop': { width: 1280, height: 600 },
}))
  stockTest(
    `people-28: a song that plays moves nothing ${look}, and its row is marked`,
    async ({ page, stock }) => {
      await page.setViewportSize(viewport)
      const { id: microgenreId, songs } = await stock(videoSongs(12))
      const email = await startSession(page.context())
      for (const song of songs) {
        const data = { microgenreId, songId: song.id, rating: 'banger' }
        await page.request.post(rateAndAdvance.path, { data })
      }
      await signIn(page, { email, path: '/profile' })
      await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Sign out everywhere/ })).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      const row = (n: number) => page.getByRole('tabpanel').getByRole('listitem').nth(n)
      const current = page.getByRole('tabpanel').locator('li > [aria-current]')
      const video = page.getByRole('complementary', { name: 'Video' })
      for (const n of [1, 2]) {
        const button = row(n).getByRole('button', { name: /^(Play|Pause) / })
        await button.scrollIntoViewIfNeeded()
        const before = await placesOnScreen(page)
        expect(Object.keys(before).length).toBeGreaterThan(5)
        await button.click()
        await expect(video).toBeVisible()
        await expect(row(n).getByRole('button', { name: /^Pause / })).toBeVisible()
        await expect(current).toHaveCount(1)
        await expect(row(n).locator('[aria-current]')).toHaveCount(1)
        // The page scrolls along in the next frame.
        await expect.poll(() => movedOnScreen(page, before)).toEqual([])
      }
    },
  )

type Places = Record<string, [left: number, top: number, width: number]>

/** Where the texts and buttons in sight are on the screen, in px. */
const placesOnScreen = (page: Page): Promise<Places> =>
  page.evaluate(() => {
    const places: Places = {}
    const parts = document.querySelectorAll('#profile :is(h1, h2, h3, b, time, dd, [role=tab], button)')
    for (const [n, part] of parts.entries()) {
      const { top, bottom, left: remaining, width } = part.getBoundingClientRect()
      if (bottom > 0 && top < innerHeight) places[`${n} ${part.textContent}`] = [remaining, top, width]
    }
    return places
  })

/** What was in sight and is elsewhere now. */
async function movedOnScreen(page: Page, before: Places): Promise<string[]> {
  const now = await placesOnScreen(page)
  return Object.entries(before)
    .filter(([name, place]) => !place.every((px, i) => Math.abs(px - (now[name]?.[i] ?? Number.NaN)) < 1.5))
    .map(([name, place]) => `${name}: ${place} to ${now[name]}`)
}

const COUNT_ABOVE_LIMIT = 10_000

test.describe('your data (people-18)', () => {
  test('@long people-24: the e-mail opt-out says what it does, and is stored', async ({ page }) => {
    await signIn(page, { path: '/profile' })
    const optOut = page.getByRole('switch', { name: 'No e-mails' })
    await expect(optOut).not.toBeChecked()
    await optOut.click()
    await expect(optOut).toBeChecked()
    await expect(toast(page)).toContainText('Profile Updated')
    await page.reload()
    await expect(optOut).toBeChecked()
    await expect(optOut).toHaveAccessibleDescription(
      'You get no e-mails except the sign-in links that you request. Your feedback reaches the operator without your address, so nobody can answer it.',
    )
    // The feedback form says the same.
    await page.goto('/?dialog=feedback')
    await expect(page.getByRole('dialog', { name: 'Share Your Feedback' })).toContainText(
      'your address is not passed on',
    )
  })

  test.describe('account deletion', () => {
    // Requests that the page had open.
    test.use({ expectedErrors: [/status of 401/] })

    test('an account is deleted only after its e-mail was typed, and completely', async ({ page, app }) => {
      const email = await signIn(page, { rated: { banger: 3 }, path: '/profile' })
      await page.getByRole('button', { name: 'Delete my account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete my account' })
      const confirm = dialog.getByRole('button', { name: 'Delete my account' })
      await dialog.getByLabel(`To confirm, type ${email}`).fill('somebody@else.org')
      await expect(confirm).toBeDisabled()
      await dialog.getByLabel(`To confirm, type ${email}`).fill(` ${email.toUpperCase()} `)
      const sent = page.waitForRequest(
        (request) => request.method() === deleteAccount.method && request.url().endsWith(deleteAccount.path),
      )
      await confirm.click()
      await sent
      await expect(page.getByRole('heading', { name: 'Discover Music Like Never Before' })).toBeVisible()
      const [remaining] = await app.db`select count(*)::int as n from users where email = ${email}`
      expect(remaining?.n).toBe(0)
    })
  })
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long people-15, library-11: songs that do not load can be requested again where the list is', async ({
    page,
  }) => {
    await signIn(page, { rated: { banger: 25 }, path: '/profile' })
    const more = page.getByRole('button', { name: 'And 5 more bangers...' })
    await expect(more).toBeVisible()
    const restore = await failCall(page, listRatings)
    await more.click()
    const panel = page.getByRole('tabpanel')
    await expect(panel.getByRole('alert')).toContainText('Failed to fetch bangers')
    await restore()
    await panel.getByRole('button', { name: 'Try again' }).click()
    await expect(panel.getByRole('button', { name: /^Play (?!all$)/ })).toHaveCount(25)
    await expect(panel.getByRole('alert')).toHaveCount(0)
  })
})

function ratedSongs(n: number): RatedSong[] {
  return Array.from({ length: n }, (_, i) => ({
    id: String(i + 1),
    rating: 'banger',
    createdAt: '2026-11-02T12:00:00Z',
    song: makeSong(String(i + 1)),
  }))
}
