import type { Page } from '@playwright/test'
import { getCoverage } from '../../contract/coverage.ts'
import { expect, signIn, test } from './fixtures.ts'
import { mockResponse } from './mockResponses.ts'

const NONE = { songs: 10, identified: 0, withVideo: 0, withPreview: 0, withSpotify: 0, heardByNobody: 0 }
const COVERAGE = {
  all: { ...NONE, songs: 30, identified: 3, withVideo: 13, withPreview: 20, heardByNobody: 11 },
  microgenres: [
    { ...NONE, microgenre: 'Acid House', identified: 3, withVideo: 9, withPreview: 10, heardByNobody: 1 },
    { ...NONE, microgenre: 'Atmospheric Drum and Bass', withVideo: 4, heardByNobody: 0 },
    { ...NONE, microgenre: 'Zydeco', withPreview: 10, heardByNobody: 10 },
  ],
}

const names = (page: Page) => page.getByRole('rowheader')

test('diagnostics-25, diagnostics-26: the coverage on phone and desktop, the worst first by any column', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await mockResponse(page, getCoverage, COVERAGE)
  await signIn(page, { path: '/verification' })
  const pages = page.getByRole('navigation', { name: 'Diagnostics' })
  await pages.getByRole('link', { name: 'Coverage' }).click()
  await expect(page).toHaveURL('/coverage')
  await expect(names(page)).toHaveText(['All', 'Zydeco', 'Atmospheric Drum and Bass', 'Acid House'])
  await expect(page.getByRole('columnheader', { name: 'Video' })).toHaveAttribute('aria-sort', 'ascending')
  const house = page.getByRole('row', { name: 'Acid House' }).getByRole('cell')
  await expect(house).toHaveText(['10', '30%', '90%', '100%', '0%', '10%'], { useInnerText: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  const figures = ['10', '3 · 30%', '9 · 90%', '10 · 100%', '0 · 0%', '1 · 10%']
  await expect(house).toHaveText(figures, { useInnerText: true })

  const order = page.getByRole('combobox', { name: 'Worst first by' })
  await order.selectOption('Preview')
  await expect(names(page)).toHaveText(['All', 'Atmospheric Drum and Bass', 'Acid House', 'Zydeco'])
  await order.selectOption('Heard by nobody')
  await expect(names(page)).toHaveText(['All', 'Zydeco', 'Acid House', 'Atmospheric Drum and Bass'])
})
