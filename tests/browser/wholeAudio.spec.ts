import type { Page } from '@playwright/test'
import { toneAsWav } from '../stand-ins/deezer.ts'
import { makeSharedCollection, signInEarFirst } from './listeners.ts'
import { art, expect, newVideoId, openDiscover, pad, test, toast } from './testSongs.ts'

const AUDIO = {
  url: 'https://archive.org/download/dub042/02-Whole.mp3',
  licence: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
  attribution: 'Ann Example',
}
const CREDIT = 'CC BY-NC-SA, by Ann Example, from the Internet Archive'

const serveAudio = (page: Page) =>
  page.route(AUDIO.url, (route) =>
    route.fulfill({ body: toneAsWav(3), contentType: 'audio/wav', headers: { 'Accept-Ranges': 'bytes' } }),
  )

test('playback-28, playback-29, sharing-12: a song plays as a whole to its end, with its credit here and on a shared page', async ({
  page,
  stock,
  app: { db },
}) => {
  const { id, songs } = await stock([{ title: 'Whole', youtubeId: newVideoId() }])
  await db`
    update songs set audio = ${db.json(AUDIO)}, blocked_video_id = youtube_id where id = ${songs[0]?.id ?? ''}`
  await serveAudio(page)
  await openDiscover(page)
  const main = page.getByRole('main')
  await expect(main.getByText(CREDIT)).toBeVisible()
  await expect(main.getByRole('link', { name: 'CC BY-NC-SA' })).toHaveAttribute('href', AUDIO.licence)
  const source = main.getByRole('link', { name: 'the Internet Archive' })
  await expect(source).toHaveAttribute('href', 'https://archive.org/details/dub042')
  await source.click({ trial: true })
  const progress = page.getByRole('slider', { name: 'Song progress' })
  await expect(progress).toHaveAttribute('aria-valuetext', '0:03 of 0:03')
  await expect(art(page, 'Play')).toBeVisible()
  await expect(main.getByText('That was a 30-second preview')).toBeHidden()
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Whole')

  await page.goto(await makeSharedCollection(page.request, 'Whole songs', [id]))
  await expect(page.getByText(`‘Whole’: ${CREDIT}`)).toBeVisible()
})

test('playback-29, discover-92: a covered recording shows its licence, the verdict whose it is, and so does the completion', async ({
  page,
  stock,
  app: { db },
}) => {
  const { songs } = await stock([{ title: 'Whole' }])
  await db`update songs set audio = ${db.json(AUDIO)} where id = ${songs[0]?.id ?? ''}`
  await serveAudio(page)
  await signInEarFirst(page)
  const main = page.getByRole('main')
  await expect(main.getByText('CC BY-NC-SA, from the Internet Archive')).toBeVisible()
  await expect(main.getByText(AUDIO.attribution)).toHaveCount(0)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.keyboard.press('ArrowRight')
  await expect(toast(page)).toContainText(`Whole by The Stand-ins (${CREDIT})`)
  await page
    .getByRole('region', { name: 'Your ratings' })
    .getByRole('button', { name: /^Whole/ })
    .click()
  await expect(main.getByText(CREDIT)).toBeVisible()
})
