import type { Page } from '@playwright/test'
import { type CurrentUser, getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, getSongExplanation, rateAndAdvance } from '../../contract/discovery.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { signIn, startSession } from './fixtures.ts'
import { failCall, holdResponse, SERVER_ERROR } from './mockResponses.ts'
import { findScreenFaults } from './screenFaults.ts'
import type { TestServer } from './testServer.ts'
import {
  expect,
  newVideoId,
  pad,
  position,
  previewSongs,
  type TestMicrogenre,
  test,
  title,
  toast,
} from './testSongs.ts'

const SENTENCES = [
  'Fits what you banged before',
  'Liked above average here',
  'Few have heard this yet',
  'From your shuffle',
  'You put this off before',
]

/** The sentence below the artist. */
const why = (page: Page) => page.getByRole('main').getByText(new RegExp(`^(${SENTENCES.join('|')})$`))

/** The positions of the keys and of the controls below. */
const keys = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^(BUST|BANGER|Thoughts\?|Mute|Unmute)$/ })
    .evaluateAll((buttons) => buttons.map((button) => JSON.stringify(button.getBoundingClientRect())))

/** Writes the totals of a song: its ratings when dealt, and the bangers among them. */
async function writeTotals(
  { db }: TestServer,
  { id, songs }: TestMicrogenre,
  totals: { ratings: number; bangers: number }[],
): Promise<void> {
  for (const [n, { ratings, bangers }] of totals.entries())
    await db`
      insert into song_totals (song_id, dealt_ratings, dealt_bangers)
      values (${songs[n]?.id ?? ''}, ${ratings}, ${bangers})`
  const sum = (key: 'ratings' | 'bangers') => totals.reduce((all, each) => all + each[key], 0)
  await db`
    insert into microgenre_totals (microgenre_id, dealt_ratings, dealt_bangers)
    values (${id}, ${sum('ratings')}, ${sum('bangers')})`
}

test('discover-64: the sentence gives the reason for each song, without a number', async ({
  page,
  stock,
  app,
}) => {
  const made = await stock(previewSongs(3))
  await writeTotals(app, made, [
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
  test(`@long discover-64: the sentence is whole on every screen ${video ? 'beside' : 'without'} a video, and moves nothing when its song comes`, async ({
    page,
    stock,
  }) => {
    test.slow()
    await stock([{ title: 'Ocean', artist: 'The Tides', youtubeId: video ? newVideoId() : null }])
    const release = await holdResponse(page, getNextSong)
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

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Why this song?' })

/** Signs in a listener whom all these songs fit, who has banged the first two. Returns their titles. */
async function signInWithTwoBangers(
  page: Page,
  { db }: TestServer,
  { id, songs }: TestMicrogenre,
): Promise<string[]> {
  await startSession(page.context())
  const { id: listener } = (await (await page.request.get(getCurrentUser.path)).json()) as { id: string }
  for (const song of songs)
    await db`insert into song_traits (song_id, run, share, t1, t2, t3, t4) values (${song.id}, 1, 0.3, 1, 0, 0, 0)`
  await db`update listener_stats set taste_run = 1, t1 = 0.2 where user_id = ${listener}`
  const titles: string[] = []
  for (let n = 0; n < 2; n++) {
    const next = await page.request.get(getNextSong.path.replace(':id', id))
    const song = (await next.json()) as { id: string; title: string }
    titles.push(song.title)
    const heard = { seconds: 20, source: 'preview' }
    const data = { microgenreId: id, songId: song.id, rating: 'banger', heard }
    expect((await page.request.post(rateAndAdvance.path, { data })).status()).toBe(200)
  }
  return titles
}

test.describe('with a taste', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('@long discover-65: pressing the sentence shows the bangers behind the song, by mouse and by key', async ({
    page,
    stock,
    app,
  }) => {
    const titles = await signInWithTwoBangers(page, app, await stock(previewSongs(5)))
    const succeed = await failCall(page, getSongExplanation)
    await page.goto('/')
    await expect(why(page)).toHaveText('Fits what you banged before')
    const sentence = page.getByRole('button', { name: 'Fits what you banged before' })
    const place = await sentence.boundingBox()
    if (!place) throw new Error('The sentence is not on the screen.')
    await sentence.click()
    await expect(dialog(page).getByRole('alert')).toContainText('Your bangers did not load.')
    await succeed()
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    const because = dialog(page).getByRole('status')
    await expect(because).toHaveText(
      /^Because you banged Song \d by The Stand-ins and Song \d by The Stand-ins$/,
    )
    for (const title of titles) await expect(because).toContainText(title)

    // A second press lands beside the dialog.
    await page.mouse.click(place.x + 5, place.y + 5)
    await expect(dialog(page)).toHaveCount(0)
    await sentence.focus()
    await page.keyboard.press('Enter')
    await expect(because).toContainText('Because you banged')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(sentence).toBeFocused()
  })
})

test('discover-91: a press lets the next songs lean towards a banger, and say so, until Undo', async ({
  page,
  stock,
  app,
}) => {
  await signInWithTwoBangers(page, app, await stock(previewSongs(9)))
  await page.goto('/')
  const more = page.getByRole('button', { name: 'More like this' })
  // A song that was heard.
  await expect.poll(() => position(page)).toBeGreaterThan(0)
  await expect(more).toHaveCount(0)
  const banged = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowRight')
  await more.click()
  await expect(toast(page)).toContainText('The next songs lean towards it')
  await expect(pad(page, 'BUST')).toBeEnabled()
  await page.keyboard.press('u')
  await expect(toast(page)).toContainText('‘More like this’ undone')
  await more.press('Enter')
  await expect(more).toHaveCount(0)

  const next = (await title(page).textContent()) ?? ''
  await page.keyboard.press('ArrowLeft')
  await expect(title(page)).not.toHaveText(new RegExp(`^(${next}|Loading.*)$`))
  await page.getByRole('button', { name: 'More like what you banged' }).click()
  await expect(dialog(page).getByRole('status')).toHaveText(
    `You asked for more like ${banged} by The Stand-ins`,
  )
})

const choiceOf = async (page: Page) => {
  const { songChoice } = (await (await page.request.get(getCurrentUser.path)).json()) as CurrentUser
  return songChoice
}

test.describe('discover-70: which songs come', () => {
  test.use({ expectedErrors: [SERVER_ERROR] })

  test('is chosen beside the reason, by mouse and by arrow keys, and the last press counts', async ({
    page,
    stock,
  }) => {
    await stock(previewSongs(2))
    await signIn(page)
    await page.getByRole('button', { name: 'From your shuffle' }).click()
    const choice = (name: string) => dialog(page).getByRole('radio', { name })
    await expect(choice('Some of both')).toBeChecked()

    const release = await holdResponse(page, updateProfile)
    await choice('Some of both').focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(choice('Surprise me')).toBeChecked()
    release()
    await expect.poll(() => choiceOf(page)).toBe('surprise')

    await choice('Plain shuffle').click()
    await expect.poll(() => choiceOf(page)).toBe('shuffle')
    // Tab reaches one radio button of a group.
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('switch', { name: 'Ear first' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(choice('Plain shuffle')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.goto('/profile')
    await expect(page.getByRole('radio', { name: 'Plain shuffle' })).toBeChecked()
  })
})
