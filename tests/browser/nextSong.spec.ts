import type { Page } from '@playwright/test'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { searchPreview } from '../../contract/playback.ts'
import { pathAt } from '../harness/tier.ts'
import { run, runUntil, stopClock } from './clock.ts'
import { holdResponse, urlPattern } from './mockResponses.ts'
import {
  art,
  expect,
  genre,
  openDiscover,
  picker,
  previewSongs,
  test,
  title,
  video,
  videoSongs,
} from './testSongs.ts'

/* The next song is prepared while the verdict shows. */

const loading = (page: Page) => expect(title(page)).toHaveText('Loading next song...')

/** The songs whose previews the page asks for; `!` marks a search that ignores the known address. */
function watchSearches(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    if (pathAt(request.url()) !== searchPreview.path) return
    const { searchParams } = new URL(request.url())
    requests.push(`${searchParams.get('songId')}${searchParams.get('fresh') ? '!' : ''}`)
  })
  return requests
}

/** The state of the audio element. */
const audio = (page: Page) =>
  page
    .locator('audio')
    .evaluate(({ src, paused, readyState }: HTMLAudioElement) => ({ src, paused, canPlay: readyState >= 3 }))

/** A song plays, on a page whose clock stands still. */
async function play(page: Page): Promise<void> {
  await page.clock.install()
  await openDiscover(page)
  await page.keyboard.press('Shift')
  await expect(art(page, 'Pause')).toBeVisible()
  await stopClock(page)
}

/** Rates the song, and advances the clock to the 400 ms in which the next one is prepared. */
async function rate(page: Page): Promise<void> {
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowRight')
  await rateResponse
  await run(page, 800)
  await loading(page)
}

test('playback-25: the next preview is requested once, at the press, and is ready before its song is on screen', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(3))
  const requests = watchSearches(page)
  await play(page)
  expect(requests).toHaveLength(1)
  const first = await audio(page)
  const release = await holdResponse(page, rateAndAdvance)
  const rateResponse = page.waitForResponse(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => requests.length).toBe(2)
  release()
  await rateResponse
  await run(page, 800)
  await loading(page)
  await expect.poll(() => audio(page)).toMatchObject({ paused: true, canPlay: true })
  expect((await audio(page)).src).not.toBe(first.src)
  await run(page, 300)
  expect(await audio(page)).toMatchObject({ paused: true })
  await runUntil(page, () => art(page, 'Pause').isVisible())
  expect(await audio(page)).toMatchObject({ paused: false })
  expect(new Set(requests).size).toBe(2)
  expect(requests).toHaveLength(2)
})

test('playback-25: the next video loads muted and hidden, and plays when its song is on screen', async ({
  page,
  stock,
  app,
}) => {
  await stock(videoSongs(2))
  await play(page)
  const frame = video(page).locator('iframe')
  await expect(frame).toBeVisible()
  await rate(page)
  await expect.poll(() => app.youtube.embeddings.map(({ how }) => how)).toEqual(['embedded', 'cued'])
  const second = app.youtube.embeddings[1]?.videoId
  const plays = () =>
    app.youtube.calls.filter(({ videoId, name }) => videoId === second && name === 'playVideo').length
  await expect(frame).toBeHidden()
  await run(page, 300)
  expect(plays()).toBe(0)
  await runUntil(page, () => plays() > 0)
  await expect(frame).toBeVisible()
  await expect(title(page)).not.toHaveText('Loading next song...')
})

test('@long playback-26: after a change of microgenre the prepared song makes no sound', async ({
  page,
  stock,
}) => {
  await page.addInitScript(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    document.addEventListener('playing', ({ target }) => heard.push((target as HTMLAudioElement).src), true)
  })
  const chosenGenre = await stock(previewSongs(2).map((song) => ({ ...song, artist: 'Here' })))
  const there = await stock(previewSongs(2).map((song) => ({ ...song, artist: 'There' })))
  await play(page)
  const first = await audio(page)
  const [other, artist] = (await page.getByText('Here', { exact: true }).isVisible())
    ? [there, 'There']
    : [chosenGenre, 'Here']
  await rate(page)
  await expect.poll(() => audio(page)).toMatchObject({ canPlay: true })
  await page.evaluate(
    (microgenreId) =>
      window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId } })),
    other.id,
  )
  await expect(page.getByText(artist, { exact: true })).toBeVisible()
  await runUntil(page, () => art(page, 'Pause').isVisible())
  await run(page, 1000)
  const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  expect(heard).toEqual([first.src, (await audio(page)).src])
})

test.describe('when the address of the next preview expires before its song is on screen', () => {
  test.use({ expectedErrors: [/status of 403/] })

  test('@long playback-26: it is requested again, and the song plays', async ({ page, stock, app }) => {
    await stock(previewSongs(2))
    const requests = watchSearches(page)
    await play(page)
    const previewResponse = page.waitForResponse((response) => pathAt(response.url()) === searchPreview.path)
    await page.keyboard.press('ArrowRight')
    await previewResponse
    app.deezer.expirePreviews()
    await run(page, 1200)
    await runUntil(page, () => art(page, 'Pause').isVisible())
    // A song that came after the search has its address, so the server is asked for a newer one first.
    const [next, ...again] = requests.slice(1)
    expect(again.filter((song) => song !== next)).toEqual([`${next}!`])
    expect(again.at(-1)).toBe(`${next}!`)
  })
})

const choices = (page: Page) => picker(page).locator('[data-genre]')

/** Opens the picker; returns the microgenres that it received. */
async function open(page: Page): Promise<ResponseOf<typeof listMicrogenres>> {
  await openDiscover(page)
  const received = page.waitForResponse((one) => pathAt(one.url()) === listMicrogenres.path)
  await genre(page).click()
  const all = await (await received).json()
  await expect(choices(page)).toHaveCount(all.length)
  return all
}

test('discover-32, discover-47: recommended microgenres come first, with reasons; family and mood filter the list for Surprise me', async ({
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
  const previewResponse = [
    ...fitting.filter(({ reason }) => reason),
    ...fitting.filter(({ reason }) => !reason),
  ]

  await picker(page).getByLabel('Family').selectOption(family)
  await expect(choices(page)).toHaveCount(related.length)
  await picker(page).getByLabel('Mood').selectOption(mood)
  await expect(choices(page)).toHaveCount(previewResponse.length)
  expect(await choices(page).locator('.font-display').allTextContents()).toEqual(
    previewResponse.map(({ name }) => name),
  )
  await picker(page).getByRole('button', { name: 'Surprise me' }).click()
  await expect(picker(page)).toBeHidden()
  const names = previewResponse.map(({ name }) => `Currently listening to ${name}`)
  await expect.poll(async () => names.includes((await genre(page).textContent()) ?? '')).toBe(true)
})
