import type { Page } from '@playwright/test'
import { listAchievementProgress, listAchievements, RARITIES } from '../../contract/achievements.ts'
import {
  getCommunityStats,
  getLongTail,
  listDivided,
  listMicrogenreStats,
  listTrending,
} from '../../contract/community.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import { pathAt } from '../harness/tier.ts'
import { makeSong } from '../makeSong.ts'
import { expect, signIn, test } from './fixtures.ts'
import { failCall, mockResponse, SERVER_ERROR } from './mockResponses.ts'
import { openDiscover } from './testSongs.ts'

async function openCommunity(page: Page) {
  await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
  await page.keyboard.press('3')
  await expect(page.getByRole('heading', { name: 'Community Insights' })).toBeVisible()
}

/** A figure and its label, such as 'Total Bangers12,480'. */
const figure = (page: Page, name: string) =>
  page.getByRole('main').getByRole('term').filter({ hasText: name }).locator('..')

test('community-1, community-2, community-3, community-6, community-17, community-18: four figures, whatever the period, and the first five of each list', async ({
  page,
}) => {
  await signIn(page)
  await mockResponse(page, getCommunityStats, {
    totalBangers: 12_480,
    activeUsers: 318,
    totalRatings: 31_907,
  })
  await mockResponse(
    page,
    listTrending,
    eight.map((n) => ({ ...makeSong(String(n), { title: `<b>Song</b> ${n}` }), bangerCount: n })),
  )
  await mockResponse(
    page,
    listDivided,
    eight.map((n) => ({ ...makeSong(String(n)), room: n === 2 ? { listeners: 1200, bangers: 588 } : null })),
  )
  const microgenres = (await (await page.request.get(listMicrogenres.path)).json()) as Microgenre[]
  const leaders = microgenres.slice(0, 8).map((microgenre, i) => ({ ...microgenre, bangerCount: 80 - i }))
  await mockResponse(page, listMicrogenreStats, leaders)
  await openCommunity(page)
  const figures = page.getByRole('main').getByRole('term').locator('..')
  const expectedFigures = ['Total Bangers12,480', 'Active Users318', 'Songs Rated31,907', 'Discovery Rate73%']
  await expect(figures).toHaveText(expectedFigures)
  await expect(page.getByRole('button', { name: 'All Time' })).toHaveAttribute('aria-pressed', 'true')
  const rows = (name: string) => page.getByRole('region', { name }).getByRole('listitem')
  await expect(rows('Trending Bangers')).toHaveText(
    [1, 2, 3, 4, 5].map((n) => new RegExp(`<b>Song</b> ${n}.*Artist ${n}.*dub`)),
  )
  await expect(rows('Most Divided Songs')).toHaveText(
    [1, 2, 3, 4, 5].map((n) =>
      n === 2
        ? /Song 2.*Artist 2.*dub.*49 % bangers of 1,200 listeners$/
        : new RegExp(`Song ${n}.*Artist ${n}.*dub.*Rate it to see$`),
    ),
  )
  await expect(rows('Microgenre Leaderboard')).toHaveText(
    leaders.slice(0, 5).map(({ name, bangerCount }) => new RegExp(`${name}.*${bangerCount}`)),
  )

  const requests: string[] = []
  page.on('request', (request) => requests.push(pathAt(request.url())))
  for (const name of ['Today', 'This Week', 'All Time']) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('button', { pressed: true })).toHaveText([name])
    await expect(figures).toHaveText(expectedFigures)
  }
  const calls: string[] = [getCommunityStats.path, listTrending.path, listMicrogenreStats.path]
  expect(requests.filter((path) => calls.includes(path))).toEqual([])
  const third = leaders[2]?.name ?? ''
  await rows('Microgenre Leaderboard').getByRole('button', { name: third }).click()
  await expect(page.getByRole('button', { name: `Currently listening to ${third}` })).toBeVisible()
})

test('@long community-3, community-6, community-18: without data the rate stays 73%, and the lists say that they are empty', async ({
  page,
}) => {
  await signIn(page)
  await mockResponse(page, getCommunityStats, { totalBangers: 0, activeUsers: 0, totalRatings: 0 })
  for (const list of [listTrending, listMicrogenreStats, listDivided]) await mockResponse(page, list, [])
  await openCommunity(page)
  await expect(figure(page, 'Total Bangers')).toHaveText('Total Bangers0')
  await expect(figure(page, 'Discovery Rate')).toHaveText('Discovery Rate73%')
  for (const words of [
    'Nobody has found a banger yet.',
    'No microgenre has a banger yet.',
    'No song has five ratings yet.',
  ])
    await expect(page.getByText(words)).toBeVisible()
})

test('community-8, community-9, community-15, community-16: cards show rarity, an unknown type is Special; unearned achievements follow', async ({
  page,
}) => {
  await signIn(page)
  const types = [...Object.keys(RARITIES).filter((type) => type !== 'streak_25'), 'xyz']
  await mockResponse(
    page,
    listAchievements,
    types.map((type, i) => ({
      id: String(i + 1),
      type,
      metadata: metadataOf(type),
      createdAt: '2026-11-02T12:00:00Z',
    })),
  )
  await mockResponse(page, listAchievementProgress, [
    { type: 'streak_25', count: 18, threshold: 25, microgenreName: null },
    // The page has the earned achievements, and does not know the type of the last.
    { type: 'streak_5', count: 4, threshold: 5, microgenreName: null },
    { type: 'abc', count: 1, threshold: 2, microgenreName: null },
  ])
  await openCommunity(page)
  const cards = page.getByRole('region', { name: 'Your Achievements' }).getByRole('listitem')
  await expect(cards).toHaveText([
    /First Banger Found!.*2 Nov 2026.*Common/,
    /5 Song Streak.*Common/,
    /10 Song Streak.*Uncommon/,
    /Music Explorer.*Uncommon/,
    /Microgenre Master.*shoegaze.*Rare/,
    /Music Critic.*Rare/,
    /Music Enthusiast.*Legendary/,
    /Special.*2 Nov 2026$/,
    '25 Song Streak18 of 25 ratings in a rowEpic',
  ])
  await expect(cards.getByRole('img', { name: 'Locked' })).toHaveCount(1)
  await expect(cards.getByRole('button')).toHaveCount(types.length)
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long community-3, community-6: each section shows its failure and can be retried', async ({
    page,
  }) => {
    await signIn(page)
    const restoreStats = await failCall(page, getCommunityStats)
    const restoreTrending = await failCall(page, listTrending)
    await openCommunity(page)
    await expect(page.getByText("The community's numbers did not load.")).toBeVisible()
    await restoreStats()
    await restoreTrending()
    const retries = page.getByRole('main').getByRole('button', { name: 'Try again' })
    await retries.first().click()
    await expect(retries).toHaveCount(1)
    await retries.click()
    await expect(retries).toHaveCount(0)
    await expect(page.getByText('The trending bangers did not load.')).toBeHidden()
  })
})

const metadataOf = (type: string): Record<string, string> =>
  type === 'microgenre_master' ? { microgenreName: 'shoegaze' } : {}

const eight = [1, 2, 3, 4, 5, 6, 7, 8]

const TAIL_FIGURES = {
  songs: 22,
  plays: 240,
  halfPlays: 24,
  littleHeard: 9,
  littleHeardNew: 2,
  neverHeard: 1,
}
const LONG_TAIL: ResponseOf<typeof getLongTail> = {
  all: { ...TAIL_FIGURES, songs: 44, plays: 1240, halfPlays: 300, countedAt: '2026-11-24T12:00:00.000Z' },
  microgenres: [
    { ...TAIL_FIGURES, microgenre: 'Zydeco', color: '#c45b7c' },
    {
      microgenre: 'Atmospheric Drum and Bass',
      color: '#35b5b0',
      songs: 22,
      plays: 1000,
      halfPlays: 480,
      littleHeard: 0,
      littleHeardNew: 0,
      neverHeard: 0,
    },
  ],
  withoutFigures: ['Dungeon Synth', 'موسيقى'],
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const rows = (page: Page) =>
  page.getByRole('heading', { name: 'Microgenres, the least even first' }).locator('..').getByRole('listitem')

test('community-20, community-22, community-24: a visitor reads on a phone how fairly songs are heard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await mockResponse(page, getLongTail, LONG_TAIL)
  await page.goto('/fairness')
  await expect(heading(page)).toHaveText('How fairly songs are heard')
  await expect(page.getByText('The least-heard half of 44 songs got 24 % of 1,240 plays.')).toBeVisible()
  await expect(page.getByText(/Counted on .*2026/)).toBeVisible()

  await expect(rows(page)).toHaveText([
    'ZydecoThe least-heard half of 22 songs got 10 % of 240 plays. 9 songs have fewer than five plays: 1 was never heard, 2 are new.',
    'Atmospheric Drum and BassThe least-heard half of 22 songs got 48 % of 1,000 plays. Every song has five plays or more.',
  ])
  await expect(page.getByRole('list', { name: 'Without figures' }).getByRole('listitem')).toHaveText(
    LONG_TAIL.withoutFigures,
  )
  await expect(page.getByText(/could reveal what a single listener heard/)).toBeVisible()
  // The bars show what the words say.
  const parts = await rows(page).evaluateAll((all) =>
    all.map((row) => {
      const bar = row.querySelector('[aria-hidden]')
      return (bar?.firstElementChild?.clientWidth ?? 0) / (bar?.clientWidth ?? 0)
    }),
  )
  expect(parts).toEqual([expect.closeTo(0.1, 2), expect.closeTo(0.48, 2)])
})

test('@long community-24: before anything is counted the page says so, and leads to the songs', async ({
  page,
}) => {
  await mockResponse(page, getLongTail, { all: null, microgenres: [], withoutFigures: ['Zydeco'] })
  await page.goto('/fairness')
  await expect(page.getByRole('heading', { name: 'Nothing to count yet' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Without figures' })).toBeHidden()
  await page.getByRole('button', { name: 'Hear some songs' }).click()
  await expect(page).toHaveURL('/')
})

test('@long community-20: Community Insights leads to the page, and Back returns there', async ({ page }) => {
  await openDiscover(page)
  await page.keyboard.press('3')
  await page.getByRole('link', { name: 'How fairly songs are heard' }).click()
  await expect(page).toHaveURL('/fairness')
  await expect(heading(page)).toHaveText('How fairly songs are heard')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Community Insights' })).toBeVisible()
})
