import type { Page } from '@playwright/test'
import { openLibrary, openRatedLibrary, tile } from './libraryPage.ts'
import { startTestServer } from './testServer.ts'
import { art, expect, newVideoId, openPlaying, pad, test } from './testSongs.ts'

/* Links from a song to other services (playback-60). */

const button = (page: Page) => page.getByRole('button', { name: 'Hear it elsewhere', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Hear it elsewhere', exact: true })

/** Every link's visible words and address. */
async function links(page: Page): Promise<[words: string, href: string][]> {
  const all = await dialog(page).getByRole('link').all()
  return Promise.all(
    all.map(
      async (link): Promise<[string, string]> => [
        (await link.innerText()).split('\n')[0] ?? '',
        (await link.getAttribute('href')) ?? '',
      ],
    ),
  )
}

test('playback-60: the player links the song at other services, and only a press opens one, without opener', async ({
  page,
  stock,
  context,
  app,
}) => {
  const youtubeId = newVideoId()
  await stock([{ title: 'Blue Monday', artist: 'New Order', youtubeId }])
  const outside: string[] = []
  context.on('request', (request) => {
    const { origin } = new URL(request.url())
    const ours = [new URL(app.url).origin, app.youtube.url, app.youtube.noCookieUrl]
    if (!ours.includes(origin)) outside.push(request.url())
  })
  await context.route('https://open.spotify.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  )
  await openPlaying(page)
  const home = page.url()
  await button(page).click()
  await expect(dialog(page)).toContainText('Blue Monday by New Order')
  expect((await links(page)).map(([, href]) => href)).toEqual([
    `https://www.youtube.com/watch?v=${youtubeId}`,
    `https://music.youtube.com/watch?v=${youtubeId}`,
    'https://open.spotify.com/search/New%20Order%20Blue%20Monday',
    'https://www.deezer.com/search/New%20Order%20Blue%20Monday',
    'https://bandcamp.com/search?q=New%20Order%20Blue%20Monday&item_type=t',
    'https://musicbrainz.org/search?query=New%20Order%20Blue%20Monday&type=recording&method=indexed',
  ])
  for (const link of await dialog(page).getByRole('link').all()) {
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
  await expect(
    dialog(page).getByRole('link', { name: 'YouTube Music (opens in a new tab)', exact: true }),
  ).toBeVisible()
  expect(outside).toEqual([])

  const opening = context.waitForEvent('page')
  await dialog(page).getByRole('link', { name: 'Spotify (a search, in a new tab)', exact: true }).click()
  const other = await opening
  await expect(other).toHaveTitle('Elsewhere')
  expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  expect(outside).toEqual([other.url()])
  await other.close()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(home)
  await expect(button(page)).toBeFocused()
  await expect(art(page, 'Play'), 'not both at once').toBeVisible()
})

test('@long playback-60: tiles and rows of the library and rows of the profile link their song', async ({
  page,
}) => {
  const [banger] = await openRatedLibrary(page, { banger: 2, bust: 1 })
  if (!banger) throw new Error('There is no banger.')
  const { title, artist } = banger.song
  const ofBanger = page.getByRole('button', { name: `Hear it elsewhere: ${title}`, exact: true })
  await expect(tile(page, banger)).toBeVisible()
  for (const other of ['Show as list', 'Show as grid']) {
    await ofBanger.click()
    await expect(dialog(page)).toContainText(`${title} by ${artist}`)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(ofBanger).toBeFocused()
    await page.getByRole('button', { name: other, exact: true }).click()
  }
  await page.goto('/profile')
  await ofBanger.click()
  await expect(dialog(page)).toContainText(`${title} by ${artist}`)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Busts (1)' }).click()
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /^Hear it elsewhere: / })
    .click()
  await expect(dialog(page).getByRole('link')).toHaveCount(6)
})

test('@long playback-60: the operator chooses the services and their order, or none', async ({ page }) => {
  for (const [HEAR_ELSEWHERE, names] of [
    ['musicbrainz, youtube', ['MusicBrainz', 'YouTube']],
    ['none', null],
  ] as const) {
    const app = await startTestServer({ HEAR_ELSEWHERE })
    try {
      const { out } = await app.run('doctor')
      expect(out).toMatch(
        names
          ? /^ok +Elsewhere +songs have links to musicbrainz, youtube$/m
          : /^- +Elsewhere +HEAR_ELSEWHERE is none: /m,
      )
      await page.goto((await app.run('signInLink', ['ada@example.org'])).out.trim())
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Skip for now' }).click()
      await expect(pad(page, 'BANGER')).toBeEnabled()
      if (names) {
        await button(page).click()
        await expect(dialog(page)).toBeVisible()
        expect((await links(page)).map(([words]) => words)).toEqual(names)
      } else {
        await expect(button(page)).toHaveCount(0)
        await openLibrary(page)
        await expect(page.getByRole('button', { name: /^Hear/ })).toHaveCount(0)
      }
      // It loads more when it is idle.
      await page.goto('about:blank')
    } finally {
      await app.close()
    }
  }
})
