import { barButton, nowPlayingBar, recordTitles } from './libraryPage.ts'
import { makeListener, makeSharedCollection } from './listeners.ts'
import { watchCalls } from './mockResponses.ts'
import { expect, newVideoId, test } from './testSongs.ts'

test('visitors-2, sharing-12: on a shared collection one press plays a microgenre to its end, signed out', async ({
  page,
  stock,
  app,
}) => {
  const [video, dead] = [newVideoId(), newVideoId()]
  const { id, name } = await stock([
    { title: 'Filmed', youtubeId: video },
    { title: 'Silent', youtubeId: dead },
    { title: 'Heard' },
  ])
  app.youtube.behave(video, { duration: 1 })
  app.youtube.behave(dead, { errors: [100] })
  app.deezer.shorten(1)
  app.deezer.forget('silent')
  const { api } = await makeListener()
  const calls = watchCalls(page)
  await page.goto(await makeSharedCollection(api, 'To hear', id))
  await page.getByRole('button', { name: `Play ${name}` }).click()
  const heard = await recordTitles(page)
  await expect(page.getByRole('button', { name: `Pause ${name}` })).toBeVisible()
  await expect(
    page.getByRole('status').getByText(/^Now playing (Filmed|Heard) by The Stand-ins$/),
  ).toBeAttached()
  await expect(nowPlayingBar(page)).toContainText('3 of 3')
  await expect(barButton(page, 'Play')).toBeVisible()
  expect(new Set(await heard())).toEqual(new Set(['Filmed', 'Heard']))
  await expect(page.getByRole('button', { name: `Play ${name}` })).toBeVisible()
  expect(calls.filter((call) => !/ \/api\/(visitors|share)\//.test(call))).toEqual([])
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('queue'))),
  ).toEqual([])
})
