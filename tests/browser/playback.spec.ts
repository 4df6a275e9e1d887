import type { Page } from '@playwright/test'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { reportProgress, searchPreview } from '../../contract/playback.ts'
import { pathAt } from '../harness/tier.ts'
import { run, runUntil, settle, stopClock } from './clock.ts'
import { signIn } from './fixtures.ts'
import { holdResponse, mockResponse, urlPattern } from './mockResponses.ts'
import {
  art,
  expect,
  newVideoId,
  openDiscover,
  openPlaying,
  pad,
  position,
  previewSongs,
  type TestMicrogenre,
  type TestSong,
  test,
  title,
  toast,
  VIDEO_API,
  video,
  videoSongs,
} from './testSongs.ts'

const switching = (page: Page) => page.getByText('Switching to Spotify...')

const expectTimeAdvances = (page: Page) => expect.poll(() => position(page)).toBeGreaterThan(0)

/** Opens Discover with this song on a page whose clock stands still. The player loads only after that. */
async function openStill(
  page: Page,
  stock: (songs: TestSong[]) => Promise<TestMicrogenre>,
  song: TestSong,
  what: Parameters<typeof holdResponse>[1] = VIDEO_API,
): Promise<void> {
  await page.clock.install()
  await stock([song])
  const release = await holdResponse(page, what)
  await openDiscover(page, { until: 'domcontentloaded' })
  await stopClock(page)
  release()
}

/** Presses a key without a shortcut: after this gesture the browser allows sound. */
const touch = (page: Page) => page.keyboard.press('Shift')

/** Signs in and makes a gesture, so that previews may play. */
async function signInTouched(page: Page): Promise<void> {
  await openDiscover(page, { until: 'domcontentloaded' })
  await touch(page)
}

test('playback-4: unstarted, buffering, playing, paused, ended and cued show as spinner, pause or play', async ({
  page,
  stock,
  app,
}) => {
  const videoId = newVideoId()
  app.youtube.behave(videoId, { ready: 300, buffering: 600, duration: 3 })
  await openStill(page, stock, { youtubeId: videoId })
  const becomes = (name: 'Play' | 'Pause') =>
    runUntil(page, () => art(page, name).isVisible(), { step: 200, every: 30 })
  await expect(art(page, 'Loading')).toBeVisible()
  await becomes('Pause')
  await art(page, 'Pause').click()
  await expect(art(page, 'Play')).toBeVisible()
  // By now the player has confirmed the pause.
  await run(page, 500)
  await art(page, 'Play').click()
  await expect(art(page, 'Loading')).toBeVisible()
  await becomes('Pause')
  // To the end; the next song does not start by itself (playback-4).
  await becomes('Play')
  await expect(page.getByRole('slider', { name: 'Song progress' })).toHaveAttribute(
    'aria-valuetext',
    /^(\d:\d\d) of \1$/,
  )
  await expect(title(page)).toHaveText('Song 1')
  await art(page, 'Play').click()
  await becomes('Pause')
})

test('playback-5: the first song of a page starts muted, and is unmuted with a welcome after 1.5 s', async ({
  page,
  stock,
  app,
}) => {
  const videoId = newVideoId()
  await openStill(page, stock, { youtubeId: videoId })
  const calls = () =>
    app.youtube.calls.filter((call) => call.videoId === videoId && call.name !== 'setVolume')
  await runUntil(page, () => calls().some(({ name }) => name === 'playVideo'))
  await runUntil(page, () => calls().at(-1)?.name === 'unMute')
  await expect(toast(page)).toContainText('Welcome!')
  await expect(toast(page)).toContainText('Use ← and → to rate')
  expect(
    calls()
      .slice(0, 2)
      .map(({ name }) => name),
  ).toEqual(['mute', 'playVideo'])
  expect((calls().at(-1)?.at ?? 0) - (calls()[0]?.at ?? 0)).toBe(1500)
})

test('playback-5: no welcome speaks of keys where they do not rate', async ({ page, stock, app }) => {
  const videoId = newVideoId()
  await openStill(page, stock, { youtubeId: videoId })
  const calls = () => app.youtube.calls.filter((call) => call.videoId === videoId).map(({ name }) => name)
  await runUntil(page, () => calls().includes('playVideo'))
  await page.evaluate(() => history.pushState(null, '', '?section=library'))
  await runUntil(page, () => calls().includes('unMute'))
  await run(page, 500)
  await expect(toast(page)).toBeEmpty()
})

test('playback-5: where the browser blocks sound, the song plays muted and offers a tap', async ({
  page,
  stock,
  app,
}) => {
  const videoId = newVideoId()
  app.youtube.behave(videoId, { refusesSound: true })
  await openStill(page, stock, { youtubeId: videoId })
  const calls = () => app.youtube.calls.filter((call) => call.videoId === videoId)
  await runUntil(page, () => art(page, 'Pause').isVisible())
  // For a second, a pause counts as the browser's.
  await runUntil(page, () => calls().some(({ name }) => name === 'unMute'))
  const tap = page.getByRole('button', { name: 'Tap for sound' })
  await expect(tap).toBeVisible()
  await page.clock.resume()
  await expect(art(page, 'Pause')).toBeVisible()
  await tap.click()
  await expect(tap).toBeHidden()
  await expect.poll(() => calls().at(-1)).toMatchObject({ name: 'setVolume', args: [80] })
})

test('discover-9, playback-6: a rating pauses the song, and the next plays at once with sound, at volume 80 or the chosen one', async ({
  page,
  stock,
  app,
}) => {
  await stock(videoSongs(3))
  await openPlaying(page)
  const callsOf = (videoId?: string) =>
    app.youtube.calls
      .filter((call) => call.videoId === videoId)
      .map(({ name, args }) => [name, ...args].join(' '))
  const first = app.youtube.embeddings[0]?.videoId
  const next = async () => {
    const song = (await title(page).textContent()) ?? ''
    await page.keyboard.press('ArrowRight')
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await expect(title(page)).not.toHaveText(song)
    await expect(art(page, 'Pause')).toBeVisible()
    const videoId = app.youtube.embeddings.at(-1)?.videoId
    expect(videoId).not.toBe(first)
    return () => callsOf(videoId)
  }
  const second = await next()
  expect(callsOf(first)).toContain('pauseVideo')
  await expect.poll(second).toEqual(expect.arrayContaining(['unMute', 'setVolume 80', 'playVideo']))
  expect(second()).not.toContain('mute')
  await page.getByRole('slider', { name: 'Volume' }).fill('35')
  await page.getByRole('slider', { name: 'Volume' }).blur()
  await expect.poll(await next()).toContain('setVolume 35')
  await page.reload()
  await expect(page.getByRole('slider', { name: 'Volume' })).toHaveValue('35')
})

test('playback-11, playback-14, playback-15, playback-12: full, minimal, no-cookie, 500 and 1000 ms apart, then a preview', async ({
  page,
  stock,
  app,
}) => {
  const videoId = newVideoId()
  app.youtube.behave(videoId, { errors: [150, 101, 153] })
  const { songs } = await stock([{ youtubeId: videoId, title: 'Refused', artist: 'The Embeds' }])
  const requests: URLSearchParams[] = []
  page.on('request', (request) => {
    if (pathAt(request.url()) === searchPreview.path) requests.push(new URL(request.url()).searchParams)
  })
  const release = await holdResponse(page, searchPreview)
  await signInTouched(page)
  await expect(switching(page)).toBeVisible()
  await expect.poll(() => requests.length).toBe(1)
  release()
  await expect(video(page)).toBeHidden()
  expect(requests.map((query) => Object.fromEntries(query))).toEqual([
    { artist: 'The Embeds', title: 'Refused', songId: songs[0]?.id },
  ])
  await expect(art(page, 'Pause')).toBeVisible()
  await expectTimeAdvances(page)

  const [full, minimal, noCookie, ...more] = app.youtube.embeddings
  expect(more).toEqual([])
  expect([full?.host, minimal?.host, noCookie?.host]).toEqual(['youtube', 'youtube', 'no-cookie'])
  expect(Object.keys(full?.parameters ?? {})).toContain('rel')
  expect(Object.keys(minimal?.parameters ?? {})).not.toContain('rel')
  expect((minimal?.at ?? 0) - (full?.at ?? 0)).toBeGreaterThanOrEqual(500)
  expect((noCookie?.at ?? 0) - (minimal?.at ?? 0)).toBeGreaterThanOrEqual(1000)
})

test('playback-14, playback-3: a song without a video plays as a preview at once; its button works when it is ready', async ({
  page,
  stock,
  app,
}) => {
  await stock(previewSongs(1))
  const release = await holdResponse(page, /\/preview\//)
  await signInTouched(page)
  await expect(art(page, 'Loading')).toHaveAttribute('aria-disabled', 'true')
  release()
  await expect(art(page, 'Pause')).toBeVisible()
  await expect(art(page, 'Pause')).not.toHaveAttribute('aria-disabled')
  await expectTimeAdvances(page)
  expect(app.youtube.embeddings).toEqual([])
})

test.describe('when an extension blocks the API script', () => {
  test.use({ expectedErrors: [/iframe_api/] })

  test('@long playback-14: previews play at once', async ({ page, stock, app }) => {
    await page.route(VIDEO_API, (route) => route.abort('blockedbyclient'))
    await stock(videoSongs(2))
    await signInTouched(page)
    await expect(art(page, 'Pause')).toBeVisible()
    await expectTimeAdvances(page)
    const song = (await title(page).textContent()) ?? ''
    await page.keyboard.press('ArrowLeft')
    await expect(title(page)).not.toHaveText(song)
    await expect(pad(page, 'BANGER')).toBeEnabled()
    await expect(art(page, 'Pause')).toBeVisible()
    expect(app.youtube.embeddings).toEqual([])
  })
})

test('playback-2, playback-16, screens-8, playback-4: for a song without video and preview a message shows for 4 s, the record is dimmed, and it can be rated', async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  const videoId = newVideoId()
  app.youtube.behave(videoId, { errors: [100] })
  app.deezer.answer('nothing')
  await stock([{ youtubeId: videoId }])
  const release = await holdResponse(page, searchPreview)
  await signIn(page)
  await expect(switching(page)).toBeVisible()
  await stopClock(page)
  release()
  await expect(toast(page)).toContainText('No Audio Available')
  await expect(toast(page)).toContainText(
    "This song doesn't have available audio previews. You can still rate it!",
  )
  await expect(art(page, 'Play')).toBeVisible()
  await expect(video(page)).toBeHidden()
  const opacity = await art(page, 'Play').evaluate((button) =>
    Math.min(...[...button.children].map((child) => Number(getComputedStyle(child).opacity))),
  )
  expect(opacity).toBeLessThan(0.5)
  await settle(page)
  await run(page, 3900)
  await expect(toast(page)).toContainText('No Audio Available')
  await run(page, 100)
  await expect(toast(page)).toBeEmpty()
  const sent = page.waitForRequest(urlPattern(rateAndAdvance))
  await page.keyboard.press('ArrowRight')
  expect((await sent).postDataJSON()).toMatchObject({ rating: 'banger' })
})

test.describe('when the address of a preview has expired', () => {
  test.use({ expectedErrors: [/status of 403/] })

  test('playback-14: the preview is requested once more, and plays', async ({ page, stock, app }) => {
    const { songs } = await stock(previewSongs(1))
    await app.db`
      update songs set preview_url = ${`${app.deezer.url}/preview/1.mp3?hdnea=0`},
        preview_expires_at = now() + interval '1 hour'
      where id = ${songs[0]?.id ?? ''}`
    const requests: string[] = []
    page.on('request', (request) => {
      if (pathAt(request.url()) === searchPreview.path)
        requests.push(new URL(request.url()).searchParams.get('fresh') ?? 'known')
    })
    await signInTouched(page)
    await expect(art(page, 'Pause')).toBeVisible()
    await expectTimeAdvances(page)
    expect(requests).toEqual(['known', 'true'])
  })
})

test('@long playback-11: after three videos that reject every embed the next song starts with the preview', async ({
  page,
  stock,
  app,
}) => {
  await page.clock.install()
  const songs = videoSongs(4)
  for (const { youtubeId } of songs) app.youtube.behave(youtubeId ?? '', { errors: [150, 150, 150, 150] })
  await stock(songs)
  await signInTouched(page)
  for (let n = 1; n <= 4; n++) {
    await expect
      .poll(async () => {
        await page.clock.runFor(500)
        return art(page, 'Pause').isVisible()
      })
      .toBe(true)
    expect(app.youtube.embeddings).toHaveLength(Math.min(n, 3) * 3)
    if (n === 4) break
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(async () => {
        await page.clock.runFor(400)
        return pad(page, 'BANGER').isEnabled()
      })
      .toBe(true)
  }
})

/** Runs in the page: blocks sound until the page is pressed. */
function blockSound(): void {
  const play = HTMLMediaElement.prototype.play
  let touched = false
  addEventListener('pointerdown', () => (touched = true), true)
  HTMLMediaElement.prototype.play = function () {
    return touched ? play.call(this) : Promise.reject(new DOMException('a gesture first', 'NotAllowedError'))
  }
}

test('playback-7: blocked sound shows a hint for 3 s, and pressing the art plays', async ({
  page,
  stock,
}) => {
  await page.addInitScript(blockSound)
  await openStill(page, stock, {}, searchPreview)
  const hint = page.getByText('Click to Enable Audio')
  await expect(hint).toBeVisible()
  await expect(art(page, 'Play')).toBeVisible()
  await run(page, 2900)
  await expect(hint).toBeVisible()
  await run(page, 100)
  await expect(hint).toBeHidden()
  await page.clock.resume()
  await art(page, 'Play').click()
  await expect(art(page, 'Pause')).toBeVisible()
  await expectTimeAdvances(page)
})

test('playback-20, playback-19: progress is reported every 5 s while a song plays', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  const { songs } = await stock(videoSongs(1))
  const sent: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(reportProgress.path)) sent.push(request.postDataJSON())
  })
  await openPlaying(page)
  await stopClock(page)
  await runUntil(page, () => sent.length > 0, { step: 250, every: 50 })
  const countBefore = sent.length
  await run(page, 10_000, 500)
  await expect.poll(() => sent.length).toBe(countBefore + 2)
  expect(sent[0]).toMatchObject({ songId: songs[0]?.id, totalDuration: 180 })
  const heard = sent.map(({ secondsListened }) => Number(secondsListened))
  expect(heard[0]).toBeGreaterThan(0)
  expect(heard.at(-1)).toBeGreaterThan(heard[0] ?? 0)

  await art(page, 'Pause').click()
  await expect(art(page, 'Play')).toBeVisible()
  const countAtPause = sent.length
  await run(page, 15_000, 1000)
  expect(sent).toHaveLength(countAtPause)
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press('Space')
    await run(page, 400, 200)
  }
  expect(sent.length - countAtPause).toBeLessThanOrEqual(1)
})

test('@long community-14, screens-8, playback-20: an achievement in the response to a report shows for 4 s', async ({
  page,
  stock,
}) => {
  await page.clock.install()
  await stock(videoSongs(1))
  // Not before the clock stands still: on a slow machine the toast would be gone by then.
  await mockResponse(page, reportProgress, { achievement: null })
  let reports = 0
  page.on('request', (request) => {
    if (request.url().endsWith(reportProgress.path)) reports += 1
  })
  await openPlaying(page)
  await stopClock(page)
  await mockResponse(page, reportProgress, {
    achievement: { type: 'microgenre_master', metadata: { microgenreName: 'Japanese city pop' } },
  })
  // Held back, because the clock goes on until the test sees the report.
  const release = await holdResponse(page, reportProgress)
  reports = 0
  await runUntil(page, () => reports > 0, { step: 250, every: 50 })
  release()
  await expect(toast(page)).toContainText('Achievement Unlocked!')
  await expect(toast(page)).toContainText('Microgenre Master: Japanese city pop')
  await mockResponse(page, reportProgress, { achievement: null })
  await settle(page)
  await run(page, 3900)
  await expect(toast(page)).toContainText('Achievement Unlocked!')
  await run(page, 100)
  await expect(toast(page)).toBeEmpty()
})
