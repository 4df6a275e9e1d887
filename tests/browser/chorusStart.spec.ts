import type { Page } from '@playwright/test'
import { updateProfile } from '../../contract/profiles.ts'
import { startSession } from './fixtures.ts'
import type { TestServer } from './testServer.ts'
import {
  art,
  expect,
  newVideoId,
  openDiscover,
  openPlaying,
  position,
  test,
  title,
  toast,
} from './testSongs.ts'

/* Where a song begins (playback-62). */

const setting = (page: Page) => page.getByRole('switch', { name: 'Begin at the hook' })

async function enableChorusStart(page: Page): Promise<string> {
  const email = await startSession(page.context())
  const answer = await page.request.put(updateProfile.path, { data: { startAtHook: true } })
  expect(answer.status()).toBe(200)
  return email
}

/** Where the page asked this video to begin, each time. */
const starts = ({ youtube }: TestServer, videoId: string) =>
  youtube.embeddings
    .filter((each) => each.videoId === videoId)
    .map(({ parameters }) => Number(parameters.start ?? 0))

const seeks = ({ youtube }: TestServer, videoId: string) =>
  youtube.calls
    .filter((each) => each.videoId === videoId && each.name === 'seekTo')
    .map(({ args }) => args[0])

test('playback-62: videos begin at the start, until the listener chooses the hook, which lasts', async ({
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

test('@long playback-62, playback-25: a known length counts, the next song is prepared there, and undo returns there', async ({
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
