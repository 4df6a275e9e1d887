import { barButton, nowPlayingBar, recordTitles } from './libraryPage.ts'
import { makeListener, makeSharedCollection } from './listeners.ts'
import { holdResponse, watchCalls } from './mockResponses.ts'
import { startTestServer } from './testServer.ts'
import { expect, newVideoId, test, videoSongs } from './testSongs.ts'

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
  await page.goto(await makeSharedCollection(api, 'To hear', [id]))
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
  await expect(page.getByRole('link', { name })).toHaveAttribute('href', /\/microgenres\/stock-/)
  expect(calls.filter((call) => !/ \/api\/(visitors|share)\//.test(call))).toEqual([])
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('queue'))),
  ).toEqual([])
})

test.describe('the page of a microgenre', () => {
  test('visitors-4, visitors-5: the words of the server stay until the page is there, and one press plays it', async ({
    page,
    stock,
    app: { db },
  }) => {
    const { id, name, songs } = await stock(videoSongs(2))
    const near = await stock([{ title: 'Elsewhere' }])
    await db`
      insert into song_totals (song_id, ratings, bangers) values (${songs[0]?.id ?? ''}, 6, 5)`
    await db`
      insert into microgenre_places (microgenre_id, x, y, near, drawn_on) values (${id}, 0, 0, ${[near.id]}::bigint[], now())`
    const calls = watchCalls(page)
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.body?.textContent?.includes('Loading')) return
        observer.disconnect()
        document.documentElement.dataset.flashed = ''
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    const release = await holdResponse(page, /\/assets\/MicrogenrePage-.*\.js$/)
    await page.goto(`/microgenres/${name.replaceAll(' ', '-')}`, { waitUntil: 'commit' })
    const heading = page.getByRole('heading', { level: 1, name })
    await expect(heading).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    release()
    await page.getByRole('button', { name: `Play ${name}` }).click()
    await expect(page.getByRole('button', { name: `Pause ${name}` })).toBeVisible()
    await expect(nowPlayingBar(page)).toContainText('1 of 2')
    await page.keyboard.press('n')
    await expect(nowPlayingBar(page)).toContainText('2 of 2')
    await expect(barButton(page, 'Pause')).toBeVisible()
    await page.keyboard.press(' ')
    await expect(page.getByRole('button', { name: `Play ${name}` })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Most agreed bangers' }).getByRole('listitem')).toHaveText([
      `${songs[0]?.title}The Stand-ins`,
    ])
    await expect(page).toHaveTitle(`${name} · Banger or Bust`)
    await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
    expect(calls).toEqual([])

    await page.getByRole('link', { name: near.name }).click()
    await expect(page.getByRole('heading', { level: 1, name: near.name })).toBeVisible()
  })

  test('@long visitors-1: with VISITORS=off these are unknown paths', async ({ page }) => {
    const app = await startTestServer({ VISITORS: 'off' })
    try {
      for (const path of ['/microgenres/zydeco', '/try']) {
        await page.goto(app.url + path)
        await expect(page.getByRole('heading', { level: 1, name: 'Sign in to start rating' })).toBeVisible()
      }
      await page.goto(app.url)
      await expect(page.getByRole('button', { name: 'Start Discovering Music' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Hear one first' })).toBeHidden()
      await page.goto('about:blank')
    } finally {
      await app.close()
    }
  })
})
