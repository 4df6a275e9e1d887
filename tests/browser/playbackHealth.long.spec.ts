import type { Page } from '@playwright/test'
import { verifySong } from '../../contract/diagnostics.ts'
import { reportPlayback } from '../../contract/playback.ts'
import { stopClock } from './clock.ts'
import { signIn } from './fixtures.ts'
import { makeListener } from './listeners.ts'
import { urlPattern } from './mockResponses.ts'
import { art, expect, newVideoId, pad, test, video } from './testSongs.ts'

/** A user gesture, so that previews may play; then waits for the song. */
async function hear(page: Page): Promise<void> {
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.keyboard.press('Shift')
  // A preview that was there before the gesture is blocked, and waits for Play.
  await expect(async () => {
    if (await art(page, 'Play').isVisible()) await page.keyboard.press('Space')
    await expect(art(page, 'Pause')).toBeVisible({ timeout: 3000 })
  }).toPass()
}

test('a video that fails for several listeners is reported and skipped, and plays again after verification', async ({
  page,
  stock,
  app,
}) => {
  const videoId = newVideoId()
  app.youtube.behave(videoId, { errors: [100] })
  const [song] = (await stock([{ youtubeId: videoId }])).songs
  const songId = song?.id ?? ''
  for (let n = 1; n <= 3; n++) {
    const { id, api } = await makeListener()
    const report = { songId, videoId, outcome: '150', previewUsed: true }
    await api.post(reportPlayback.path, { data: { reports: [report] } })
    await api.dispose()
    // Reports count only for older accounts.
    await app.db`update users set created_at = now() - ${10 + n} * interval '1 day' where id = ${id}`
  }

  await page.clock.install()
  await signIn(page)
  await hear(page)
  await expect(video(page)).toBeHidden()
  expect(app.youtube.embeddings).toHaveLength(1)
  await stopClock(page)
  const reported = page.waitForRequest(urlPattern(reportPlayback))
  await page.clock.fastForward(300_000)
  expect((await reported).postDataJSON()).toEqual({
    reports: [{ songId, videoId, outcome: '100', previewUsed: true }],
  })
  expect((await (await reported).response())?.status()).toBe(200)

  await page.clock.resume()
  await page.reload()
  await hear(page)
  await expect(video(page)).toBeHidden()
  expect(app.youtube.embeddings).toHaveLength(1)

  app.youtubeApi.know(videoId, { title: 'Song 1', channel: 'The Stand-ins' })
  const verified = await page.request.post(verifySong.path.replace(':songId', songId))
  expect(await verified.json()).toEqual({ embeddable: true, error: null })
  await page.reload()
  await hear(page)
  await expect(video(page)).toBeVisible()
  expect(app.youtube.embeddings).toHaveLength(2)
})
