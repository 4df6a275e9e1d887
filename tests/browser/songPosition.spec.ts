import type { Page } from '@playwright/test'
import { updateProfile } from '../../contract/profiles.ts'
import { signIn, startSession } from './fixtures.ts'
import type { TestServer } from './testServer.ts'
import {
  art,
  expect,
  newVideoId,
  openDiscover,
  openPlaying,
  pad,
  position,
  previewSongs,
  test,
  title,
  toast,
  videoSongs,
  watchRatings,
} from './testSongs.ts'

/* Where a song begins (playback-62). */

const setting = (page: Page) => page.getByRole('switch', { name: 'Begin at the hook' })

async function enableChorusStart(page: Page): Promise<string> {
  const email = await startSession(page.context())
  const answer = await page.request.put(updateProfile.path, { data: { startAtHook: true } })
  expect(answer.status()).toBe(200)
  return email
}

/** The start times with which the page embedded this video. */
const starts = ({ youtube }: TestServer, videoId: string) =>
  youtube.embeddings
    .filter((each) => each.videoId === videoId)
    .map(({ parameters }) => Number(parameters.start ?? 0))

const seeks = ({ youtube }: TestServer, videoId: string) =>
  youtube.calls
    .filter((each) => each.videoId === videoId && each.name === 'seekTo')
    .map(({ args }) => args[0])

test('playback-62: videos begin at the start, until the listener chooses the chorus, which persists', async ({
  page,
  stock,
  app,
}) => {
  const songs = [newVideoId(), newVideoId()]
  await stock(songs.map((youtubeId) => ({ youtubeId })))
  await openPlaying(page)
  const [first = ''] = songs.filter((id) => starts(app, id).length > 0)
  expect(starts(app, first)).toEqual([0])
  await page.goto('/profile')
  await expect(setting(page)).not.toBeChecked()
  await setting(page).click()
  await expect(toast(page)).toContainText('Profile Updated')
  await expect(setting(page)).toBeChecked()
  await page.reload()
  await expect(setting(page)).toBeChecked()
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await expect(art(page, 'Pause')).toBeVisible()
  await expect.poll(() => starts(app, first)).toEqual([0, 40])
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(40)
})

test('@long playback-62, playback-25: a known length sets the position, the next song is prepared there, and undo returns there', async ({
  page,
  stock,
  app,
}) => {
  const { songs } = await stock([{ youtubeId: newVideoId() }, { youtubeId: newVideoId() }])
  const [long = '', unknown = ''] = songs.map(({ youtubeId }) => youtubeId ?? '')
  await app.db`update songs set duration_ms = 245500 where youtube_id = ${long}`
  const begin = { [long]: 73, [unknown]: 40 }
  await openDiscover(page, { email: await enableChorusStart(page) })
  await expect(art(page, 'Pause')).toBeVisible()
  const shown = await title(page).innerText()
  const [now, next] = shown === songs[0]?.title ? [long, unknown] : [unknown, long]
  expect(starts(app, now)).toEqual([begin[now]])
  await page.keyboard.press('ArrowRight')
  await expect(title(page)).not.toHaveText(shown)
  await expect(art(page, 'Pause')).toBeVisible()
  expect(starts(app, next)).toEqual([begin[next]])
  await page.keyboard.press('u')
  await expect(title(page)).toHaveText(shown)
  await expect.poll(() => starts(app, now)).toEqual([begin[now], begin[now]])
  expect(seeks(app, long)).toEqual([])
})

/* The progress line can be moved (playback-27). */

const slider = (page: Page) => page.getByRole('slider', { name: 'Song progress' })

/** Presses the line at this share of its width. */
async function pressAt(page: Page, share: number): Promise<void> {
  const { width, height } = (await slider(page).boundingBox()) ?? { width: 0, height: 0 }
  await slider(page).click({ position: { x: width * share, y: height / 2 } })
}

for (const [kind, songs, tier] of [
  ['preview', previewSongs, '@long '],
  ['video', videoSongs, ''],
] as const)
  test(`${tier}playback-27: a press on the line moves the ${kind}, and keys still rate afterwards`, async ({
    page,
    stock,
  }) => {
    const { songs: stocked } = await stock(songs(2))
    const rated = watchRatings(page)
    await openDiscover(page)
    await page.keyboard.press('Shift')
    await expect(art(page, 'Pause')).toBeVisible()
    await expect(slider(page)).toBeEnabled()
    const duration = Number(await slider(page).getAttribute('max'))

    await pressAt(page, 0.5)
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(Math.floor(duration * 0.4))
    const there = await position(page)
    await expect.poll(() => position(page), 'it plays on from there').toBeGreaterThan(there)
    expect(await position(page)).toBeLessThan(duration)
    await pressAt(page, 0)
    await expect.poll(() => position(page)).toBeLessThan(there)

    await page.keyboard.press('ArrowRight')
    await expect(title(page)).toHaveText(stocked[1]?.title ?? '')
    await expect.poll(() => rated.map(({ rating }) => rating)).toEqual(['banger'])
  })

test('@long playback-27: reached by Tab, the line moves by arrow keys and rates nothing', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  const rated = watchRatings(page)
  await openPlaying(page)
  await art(page, 'Pause').click()
  await expect(art(page, 'Play')).toBeVisible()
  await expect(slider(page)).toBeEnabled()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(slider(page)).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0] })
  await page.keyboard.press('Home')
  await expect.poll(() => position(page)).toBe(0)
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
  await expect.poll(() => position(page)).toBe(3)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => position(page)).toBe(2)
  expect(rated).toEqual([])
})

/* The end of a preview says what it is (playback-61). */

const words = (page: Page) => page.getByText('That was a 30-second preview')
const whole = (page: Page) => page.getByRole('button', { name: 'Hear the whole song' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Hear it elsewhere' })

async function playToEnd(page: Page): Promise<void> {
  await art(page, 'Pause').waitFor()
  await slider(page).press('End')
  await art(page, 'Play').waitFor()
}

test('playback-61, playback-4: an ended preview says so and links the whole song; nothing follows until a rating', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(2))
  await signIn(page)
  await pad(page, 'BANGER').and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('Shift')
  await art(page, 'Pause').waitFor()
  const first = await title(page).innerText()
  await expect(words(page)).toHaveCount(0)
  await expect(whole(page)).toHaveCount(0)
  await playToEnd(page)
  await expect(words(page)).toBeVisible()
  await whole(page).click()
  await expect(dialog(page)).toContainText(`${first} by The Stand-ins`)
  await expect(dialog(page).getByRole('link')).toHaveCount(6)
  await page.keyboard.press('Escape')
  await expect(title(page)).toHaveText(first)

  await art(page, 'Play').click()
  await art(page, 'Pause').waitFor()
  await expect(words(page)).toHaveCount(0)
  await expect(whole(page)).toHaveCount(0)
  await playToEnd(page)
  await expect(whole(page)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(whole(page)).toHaveCount(0)
  await expect(title(page)).not.toHaveText(first)
  await expect(words(page)).toHaveCount(0)
})
