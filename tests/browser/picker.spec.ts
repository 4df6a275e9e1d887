import type { Page } from '@playwright/test'
import { listMicrogenres } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { pathAt } from '../harness/subPath.ts'
import { expect, test } from './fixtures.ts'
import { genre, openDiscover, picker } from './testSongs.ts'

const choices = (page: Page) => picker(page).locator('[data-genre]')

/** Opens the picker; returns the microgenres that it received. */
async function open(page: Page): Promise<Response<typeof listMicrogenres>> {
  await openDiscover(page)
  const received = page.waitForResponse((one) => pathAt(one.url()) === listMicrogenres.path)
  await genre(page).click()
  const all = await (await received).json()
  await expect(choices(page)).toHaveCount(all.length)
  return all
}

test('discover-32, discover-47: the recommended come first and say why; family and mood narrow the list for Surprise me', async ({
  page,
}) => {
  const all = await open(page)
  const recommended = all.filter(({ reason }) => reason !== null)
  expect(recommended).toHaveLength(4)
  for (const [i, { name, reason }] of recommended.entries()) {
    await expect(choices(page).nth(i)).toContainText(name)
    await expect(choices(page).nth(i)).toContainText(reason ?? '')
  }
  await expect(choices(page).filter({ hasText: 'songs left · ' })).toHaveCount(4)

  const family =
    all.find((one) => all.filter((other) => other.family === one.family).length > 2)?.family ?? ''
  const related = all.filter((one) => one.family === family)
  const mood = related[0]?.mood[0] ?? ''
  const fitting = related.filter((one) => one.mood.includes(mood))
  const found = [...fitting.filter(({ reason }) => reason), ...fitting.filter(({ reason }) => !reason)]

  await picker(page).getByLabel('Family').selectOption(family)
  await expect(choices(page)).toHaveCount(related.length)
  await picker(page).getByLabel('Mood').selectOption(mood)
  await expect(choices(page)).toHaveCount(found.length)
  expect(await choices(page).locator('.font-display').allTextContents()).toEqual(
    found.map(({ name }) => name),
  )
  await picker(page).getByRole('button', { name: 'Surprise me' }).click()
  await expect(picker(page)).toBeHidden()
  const names = found.map(({ name }) => `Currently listening to ${name}`)
  await expect
    .poll(async () => names.includes((await genre(page).getAttribute('aria-label')) ?? ''))
    .toBe(true)
})
