import type { Page } from '@playwright/test'
import type { Response } from '../../contract/endpoint.ts'
import { getLongTail } from '../../contract/longTail.ts'
import { expect, test } from './fixtures.ts'
import { mockResponse } from './mockResponses.ts'
import { openDiscover } from './testSongs.ts'

const TAIL = { songs: 22, plays: 240, halfPlays: 24, littleHeard: 9, littleHeardNew: 2, neverHeard: 1 }
const TAILS: Response<typeof getLongTail> = {
  all: { ...TAIL, songs: 44, plays: 1240, halfPlays: 300, countedAt: '2026-11-24T12:00:00.000Z' },
  microgenres: [
    { ...TAIL, microgenre: 'Zydeco', color: '#c45b7c' },
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
  await mockResponse(page, getLongTail, TAILS)
  await page.goto('/fairness')
  await expect(heading(page)).toHaveText('How fairly songs are heard')
  await expect(page.getByText('The least-heard half of 44 songs got 24 % of 1,240 plays.')).toBeVisible()
  await expect(page.getByText(/Counted on .*2026/)).toBeVisible()

  await expect(rows(page)).toHaveText([
    'ZydecoThe least-heard half of 22 songs got 10 % of 240 plays. 9 songs have fewer than five plays: 1 was never heard, 2 are new.',
    'Atmospheric Drum and BassThe least-heard half of 22 songs got 48 % of 1,000 plays. Every song has five plays or more.',
  ])
  await expect(page.getByRole('list', { name: 'Without figures' }).getByRole('listitem')).toHaveText(
    TAILS.withoutFigures,
  )
  await expect(page.getByText(/could reveal what a single listener heard/)).toBeVisible()
  // The bars show what the words say.
  const parts = await rows(page).evaluateAll((all) =>
    all.map((row) => {
      const bar = row.querySelector('[aria-hidden]') ?? row
      return Number.parseFloat(getComputedStyle(bar, '::before').width) / bar.clientWidth
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
