import type { Page } from '@playwright/test'
import {
  findReplacement,
  getSamples,
  listPlaybackHealth,
  type SpotifyTrack,
  searchSpotify,
  verifyVideo,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { searchPreview } from '../../contract/playback.ts'
import { pathAt } from '../harness/tier.ts'
import { runUntil } from './clock.ts'
import { expect, signIn, test } from './fixtures.ts'
import { mockResponse, urlPattern, watchCalls } from './mockResponses.ts'
import { toast } from './testSongs.ts'
import { fact } from './toasts.ts'

const PATH = '/youtube-optimization'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name })
const tool = (page: Page) => region(page, 'Replacement and verification')
const audio = (page: Page) => region(page, 'Audio debug')

/** Opens the page and waits for its requests. */
async function open(page: Page): Promise<void> {
  await signIn(page, { path: PATH })
  await expect(fact(page, 'Sample song')).toBeVisible()
  await expect(audio(page)).not.toContainText(/Next for you in [^:]+: …/)
  await expect(
    page.getByText('No video has failed.').or(page.getByRole('list', { name: 'Failing videos' })),
  ).toBeVisible()
}

async function search(page: Page, artist: string, title: string, action: string): Promise<void> {
  await page.getByLabel('Artist').fill(artist)
  await page.getByLabel('Title').fill(title)
  await button(page, action).click()
}

// The circuit breakers of this server stay open for 20 s, which is longer than the next test file waits for sound.
test.afterAll(({ app }) => app.restart('SIGTERM'))

test('diagnostics-1, diagnostics-14, diagnostics-16, diagnostics-17, playback-12: troubleshooter, optimizations and tools, each with its tabs', async ({
  page,
}) => {
  await open(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Playback Diagnostic')
  const codes = region(page, 'Troubleshooter')
  await expect(codes.getByRole('term')).toHaveText(['2', '5', '100', '101', '150', '153', '10 s'])
  await expect(
    codes.getByRole('term').filter({ hasText: '150' }).locator('..').getByRole('definition'),
  ).toContainText('Cannot be embedded')

  const panel = region(page, 'Optimizations').getByRole('tabpanel')
  await expect(panel.getByRole('switch')).not.toHaveCount(0)
  await tab(page, 'Embedding Strategies').click()
  await expect(panel.getByRole('listitem').locator('b')).toHaveText([
    'Full embed',
    'Minimal embed',
    'No-cookie host',
    'Spotify preview',
  ])
  await tab(page, 'Recommendations').click()
  await expect(panel).toContainText('About 70 percent of stored videos fail embedding')
  await expect(panel).toContainText('Spotify previews exist for about 30 to 50 percent of tracks')

  for (const [name, action] of [
    ['YouTube Replacement', 'Find Replacement'],
    ['Spotify Search', 'Search Spotify'],
    ['Verify Video', 'Verify Video'],
  ] as const) {
    await tab(page, name).click()
    await expect(button(page, action)).toBeVisible()
  }
})

interface SoundEvent {
  what: 'play' | 'pause'
  volume: number
  at: number
}

/** Records what plays on the page, at which volume and time. */
async function listen(page: Page): Promise<() => Promise<SoundEvent[]>> {
  await page.addInitScript(() => {
    const soundEvents: SoundEvent[] = []
    Object.assign(window, { heard: soundEvents })
    for (const what of ['play', 'pause'] as const) {
      const real = HTMLMediaElement.prototype[what]
      HTMLMediaElement.prototype[what] = function (this: HTMLMediaElement) {
        if (what === 'play' || !this.paused) soundEvents.push({ what, volume: this.volume, at: Date.now() })
        return real.call(this) as unknown as Promise<void>
      }
    }
  })
  return () => page.evaluate(() => (window as unknown as { heard: SoundEvent[] }).heard)
}

/** From now on the page's clock moves only in `page.clock.runFor`. */
async function stopClock(page: Page): Promise<void> {
  // A minute ahead, because the clock cannot be paused at a time that has passed.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

test('diagnostics-15: the preview test plays at volume 0.5 for 3 s, then stops', async ({ page }) => {
  const sounds = await listen(page)
  await page.clock.install()
  await open(page)
  await stopClock(page)
  const state = audio(page).getByRole('status')
  await expect(state).toHaveText('Idle')
  await button(page, 'Test Preview').click()
  await expect(state).toHaveText(/^Playing the preview of /)
  await page.clock.runFor(2999)
  await expect(state).toHaveText(/^Playing/)
  await page.clock.runFor(1)
  await expect(state).toHaveText('Idle')
  await expect(page.getByRole('list', { name: 'Previews heard' }).getByRole('listitem')).toContainText(
    'Played',
  )
  const [play, end, ...more] = await sounds()
  expect(play).toMatchObject({ what: 'play', volume: 0.5 })
  expect(end).toEqual({ what: 'pause', volume: 0.5, at: (play?.at ?? 0) + 3000 })
  expect(more).toEqual([])
})

test('@long diagnostics-15: the working-preview test plays four songs at volume 0.3 for 5 s each, and can be stopped', async ({
  page,
  app,
}) => {
  const sounds = await listen(page)
  await page.clock.install()
  await open(page)
  await stopClock(page)
  const state = audio(page).getByRole('status')
  const soundEvents = page.getByRole('list', { name: 'Previews heard' }).getByRole('listitem')
  await button(page, 'Test Working Previews').click()
  for (const n of [1, 2, 3, 4]) {
    await expect(state).toHaveText(/^Playing the preview of /)
    await page.clock.runFor(5000)
    await expect(soundEvents).toHaveCount(n)
  }
  await expect(state).toHaveText('Idle')
  const plays = (await sounds()).filter(({ what }) => what === 'play')
  expect(plays.map(({ volume }) => volume)).toEqual([0.3, 0.3, 0.3, 0.3])
  const ends = (await sounds()).filter(({ what }) => what === 'pause')
  expect(ends.map(({ at }, i) => at - (plays[i]?.at ?? 0))).toEqual([5000, 5000, 5000, 5000])

  await button(page, 'Test Preview').click()
  await expect(state).toHaveText(/^Playing/)
  await button(page, 'Stop Audio').click()
  await expect(state).toHaveText('Idle')
  expect((await sounds()).at(-1)).toMatchObject({ what: 'pause' })

  app.deezer.answer('down')
  await mockResponse(page, searchPreview, {
    success: false,
    message: 'Deezer does not answer.',
    result: null,
  })
  await button(page, 'Test Preview').click()
  await expect(soundEvents).toContainText(['Deezer does not answer.'])
  await expect(soundEvents).toContainText(['No preview'])
})

const replacement = {
  videoId: 'abcDEF_-123',
  title: 'Acid Tracks (Official)',
  channelTitle: 'Trax Records',
  matchScore: 80,
  embeddable: true,
}

test('diagnostics-18, diagnostics-17, diagnostics-20: a search shows its match, or what is missing', async ({
  page,
}) => {
  await open(page)
  const calls = watchCalls(page)
  for (const [artist, title] of [
    ['', ''],
    ['Phuture', '   '],
    [' ', 'Acid Tracks'],
  ] as const) {
    await search(page, artist, title, 'Find Replacement')
    await expect(toast(page).getByText('Missing Information', { exact: true })).toBeVisible()
    await expect(toast(page).getByText('Please enter both artist and title', { exact: true })).toBeVisible()
  }
  expect(calls).toEqual([])

  await mockResponse(page, findReplacement, {
    success: true,
    message: null,
    replacement: { ...replacement, embeddable: false },
  })
  const [request] = await Promise.all([
    page.waitForRequest(urlPattern(findReplacement)),
    search(page, '  Phuture ', ' Acid Tracks ', 'Find Replacement'),
  ])
  expect(request.postDataJSON()).toEqual({ artist: 'Phuture', title: 'Acid Tracks' })
  await expect(tool(page).getByText('80% match', { exact: true })).toBeVisible()
  await expect(fact(page, 'Video')).toHaveText(replacement.title)
  await expect(fact(page, 'Channel')).toHaveText(replacement.channelTitle)
  await expect(fact(page, 'Video ID')).toHaveText(replacement.videoId)
  await expect(fact(page, 'Embedding')).toHaveText('Not embeddable')

  await button(page, 'Verify this video').click()
  await expect(page.getByLabel('Video ID')).toHaveValue(replacement.videoId)

  await tab(page, 'YouTube Replacement').click()
  await mockResponse(page, findReplacement, {
    success: false,
    message: 'No video matches.',
    replacement: null,
  })
  await search(page, 'Phuture', 'Acid Tracks', 'Find Replacement')
  await expect(tool(page)).toContainText('No Replacement Found')
  await expect(tool(page)).toContainText('No video matches.')

  await tab(page, 'Spotify Search').click()
  await mockResponse(page, searchSpotify, { success: true, message: null, result: track })
  await search(page, 'Phuture', 'Acid Tracks', 'Search Spotify')
  for (const words of ['Acid Tracks', 'Phuture, DJ Pierre', '96% match', '41/100', 'No preview'])
    await expect(tool(page).getByText(words, { exact: true }).first()).toBeVisible()
  await expect(tool(page).getByRole('link'), 'only to Spotify').toHaveCount(0)
  await mockResponse(page, searchSpotify, {
    success: false,
    message: 'Spotify is not configured.',
    result: null,
  })
  await button(page, 'Search Spotify').click()
  await expect(tool(page)).toContainText('No Spotify Track Found')
  await expect(tool(page)).toContainText('Spotify is not configured.')
})

test('@long diagnostics-23: results and toasts leave with their tab; what was typed stays', async ({
  page,
}) => {
  await page.clock.install()
  await open(page)
  await mockResponse(page, findReplacement, { success: true, message: null, replacement })
  await search(page, 'Phuture', 'Acid Tracks', 'Find Replacement')
  await expect(fact(page, 'Channel')).toHaveText(replacement.channelTitle)
  // No toast leaves by itself.
  await stopClock(page)
  await tab(page, 'Verify Video').click()
  await button(page, 'Verify Video').click()
  await expect(toast(page)).toContainText('Missing Video ID')
  await tab(page, 'YouTube Replacement').click()
  await expect(toast(page)).not.toContainText('Missing Video ID')
  await expect(page.getByLabel('Title')).toHaveValue('Acid Tracks')
  await expect(fact(page, 'Channel')).toHaveCount(0)

  await button(page, 'Apply Selected Optimizations').click()
  await expect(toast(page)).toContainText('Optimizations Applied')
  await tab(page, 'Recommendations').click()
  await expect(toast(page)).not.toContainText('Optimizations Applied')

  // So does a toast of the whole page.
  await mockResponse(page, listPlaybackHealth, [])
  await search(page, '', '', 'Find Replacement')
  await expect(toast(page)).toContainText('Missing Information')
  await page.getByRole('link', { name: 'Sign-in' }).click()
  // Chunks are loaded with timers.
  const next = page.getByRole('heading', { name: 'Authentication Testing Center' })
  await runUntil(page, () => next.isVisible())
  await expect(toast(page)).not.toContainText('Missing Information')
})

const track: SpotifyTrack = {
  trackId: '63eiF9VouGtmhiBKjm1LHU',
  name: 'Acid Tracks',
  artists: ['Phuture', 'DJ Pierre'],
  album: 'Acid Tracks EP',
  popularity: 41,
  matchScore: 96,
  hasPreview: false,
  previewUrl: null,
  albumArt: null,
  spotifyUrl: 'javascript:alert(1)',
}

test('diagnostics-18, diagnostics-17, diagnostics-20: verifying a video shows the result of every way of checking', async ({
  page,
  app,
}) => {
  app.youtubeApi.know('abcDEF_-123', { title: 'Acid Tracks', channel: 'Phuture' })
  await open(page)
  await tab(page, 'Verify Video').click()
  const calls = watchCalls(page)
  await page.getByLabel('Video ID').fill('   ')
  await button(page, 'Verify Video').click()
  await expect(toast(page).getByText('Missing Video ID', { exact: true })).toBeVisible()
  await expect(toast(page).getByText('Please enter a YouTube video ID', { exact: true })).toBeVisible()
  expect(calls).toEqual([])

  await page.getByLabel('Video ID').fill(' abcDEF_-123 ')
  const path = verifyVideo.path.replace(':videoId', 'abcDEF_-123')
  const [request] = await Promise.all([
    page.waitForRequest((sent) => pathAt(sent.url()) === path),
    button(page, 'Verify Video').click(),
  ])
  expect(new URL(request.url()).search).toBe('?strategy=enhanced')
  await expect(tool(page)).toContainText('Video Can be Embedded')
  const strategies = page.getByRole('list', { name: 'Strategies' }).getByRole('listitem')
  await expect(strategies).not.toHaveCount(0)
  for (const strategy of await strategies.all()) await expect(strategy).toContainText('Success')

  const verify = async (verified: ResponseOf<typeof verifyVideo>) => {
    await mockResponse(page, verifyVideo, verified)
    await button(page, 'Verify Video').click()
  }
  await verify({
    embeddable: true,
    accessible: true,
    error: null,
    strategies: [
      { name: 'Data API', success: false, detail: 'YOUTUBE_API_KEY is not set.' },
      { name: 'oEmbed', success: true, detail: null },
      { name: 'Thumbnail', success: true, detail: null },
    ],
  })
  await expect(strategies).toHaveText([
    /Data API.*YOUTUBE_API_KEY is not set\..*Failed/,
    /oEmbed.*Success/,
    /Thumbnail.*Success/,
  ])

  await verify({ embeddable: false, accessible: true, error: 'Embedding is off.', strategies: [] })
  await expect(tool(page)).toContainText('Video Cannot be Embedded')
  await expect(tool(page)).toContainText('Embedding is off.')
  await verify({ embeddable: false, accessible: false, error: null, strategies: [] })
  await expect(tool(page)).toContainText('Status: Not accessible')
})

test('@long diagnostics-14: the troubleshooter follows the sample song and says which step fails', async ({
  page,
}) => {
  const samples = { microgenre: null, songs: [] }
  await mockResponse(page, verifyVideo, {
    embeddable: false,
    accessible: true,
    error: 'Embedding is off.',
    strategies: [],
  })
  await open(page)
  await button(page, 'Run Checks').click()
  const checkItems = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await expect(checkItems.nth(4).getByRole('img', { name: /Fine|Trouble/ })).toBeVisible()
  await expect(checkItems.nth(0).getByRole('img', { name: 'Fine' })).toBeVisible()
  await expect(checkItems.nth(2)).toContainText(/Embedding is off\.|The song has no video\./)
  await expect(checkItems.nth(3).getByRole('img', { name: 'Fine' })).toBeVisible()

  await mockResponse(page, getSamples, samples)
  await page.reload()
  await expect(audio(page)).toContainText('The catalogue has no sample song.')
  await button(page, 'Run Checks').click()
  await expect(checkItems.nth(0).getByRole('img', { name: 'Trouble' })).toBeVisible()
  await expect(checkItems.nth(0)).toContainText('Is the server up, and the catalogue loaded?')
})
