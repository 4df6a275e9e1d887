import type { Page } from '@playwright/test'
import { getNextSong } from '../../contract/discovery.ts'
import { hold } from './answers.ts'
import { signIn } from './fixtures.ts'
import { findScreenFaults } from './screenFaults.ts'
import { expect, newVideoId, pad, previewSongs, type Stock, test, title } from './stock.ts'
import type { TestServer } from './testServer.ts'

const SENTENCES = [
  'Fits what you banged before',
  'Liked above average here',
  'Few have heard this yet',
  'From your shuffle',
  'You put this off before',
]

/** The sentence below the artist. */
const why = (page: Page) => page.getByRole('main').getByText(new RegExp(`^(${SENTENCES.join('|')})$`))

/** Where the keys and the desk are. */
const keys = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^(BUST|BANGER|Thoughts\?|Mute|Unmute)$/ })
    .evaluateAll((buttons) => buttons.map((button) => JSON.stringify(button.getBoundingClientRect())))

/** Writes how many of those to whom it was dealt rated a song, and how many banged it. */
async function know(
  { db }: TestServer,
  { id, songs }: Stock,
  known: { ratings: number; bangers: number }[],
): Promise<void> {
  for (const [n, { ratings, bangers }] of known.entries())
    await db`
      insert into song_totals (song_id, dealt_ratings, dealt_bangers)
      values (${songs[n]?.id ?? ''}, ${ratings}, ${bangers})`
  const sum = (key: 'ratings' | 'bangers') => known.reduce((all, each) => all + each[key], 0)
  await db`
    insert into microgenre_totals (microgenre_id, dealt_ratings, dealt_bangers)
    values (${id}, ${sum('ratings')}, ${sum('bangers')})`
}

test('discover-64: the sentence says of each song why it comes, without a number', async ({
  page,
  stock,
  app,
}) => {
  const made = await stock(previewSongs(3))
  await know(app, made, [
    { ratings: 50, bangers: 45 },
    { ratings: 0, bangers: 0 },
    { ratings: 50, bangers: 5 },
  ])
  const expected: Record<string, string> = {
    'Song 1': 'Liked above average here',
    'Song 2': 'Few have heard this yet',
    'Song 3': 'From your shuffle',
  }
  await signIn(page)
  const heard: string[] = []
  for (let n = 0; n < 3; n++) {
    await expect(pad(page, 'BANGER')).toBeEnabled()
    const name = (await title(page).textContent()) ?? ''
    heard.push(name)
    await expect(why(page)).toHaveText(expected[name] ?? '')
    await expect(why(page)).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('%')
    if (n === 2) break
    await page.keyboard.press('ArrowRight')
    await expect(title(page)).not.toHaveText(name)
  }
  expect(heard.toSorted()).toEqual(Object.keys(expected))
  await page.keyboard.press('s')
  await expect(why(page)).toHaveText('You put this off before')
  await expect(title(page)).toHaveText(heard[2] ?? '')
})

for (const video of [false, true]) {
  test(`discover-64: the sentence is whole on every screen ${video ? 'beside' : 'without'} a video, and moves nothing when its song comes`, async ({
    page,
    stock,
  }) => {
    test.slow()
    await stock([{ title: 'Ocean', artist: 'The Tides', youtubeId: video ? newVideoId() : null }])
    const release = await hold(page, getNextSong)
    await signIn(page)
    await expect(title(page)).toHaveText('Loading next song...')
    const still = await keys(page)
    release()
    await expect(pad(page, 'BANGER')).toBeEnabled()
    expect(await keys(page)).toEqual(still)
    if (video) await expect(page.locator('[data-frame]')).toHaveCount(1)
    expect(await findScreenFaults(page)).toEqual({})
    await page.setViewportSize({ width: 375, height: 553 })
    await expect(why(page)).toBeVisible({ visible: !video })
  })
}
