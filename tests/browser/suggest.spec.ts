import type { Page } from '@playwright/test'
import { searchSongs, suggestSong } from '../../contract/suggestions.ts'
import { closeWithEscape } from './clock.ts'
import { signIn, startSession } from './fixtures.ts'
import { openLibrary } from './libraryPage.ts'
import { makeListener, makeSharedCollection } from './listeners.ts'
import { failCall, urlPattern } from './mockResponses.ts'
import {
  art,
  expect,
  openPlaying,
  pad,
  previewSongs,
  test,
  toast,
  videoSongs,
  watchRatings,
} from './testSongs.ts'

/* Listeners suggest songs and report mistakes. desk.spec.ts tests the decisions. */

// Refusals are answers that Chromium reports.
test.use({ expectedErrors: [/status of 4(00|04|09)/] })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Suggest a song', exact: true })
const field = (page: Page) => dialog(page).getByRole('searchbox')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const foundSongs = (page: Page) =>
  dialog(page).getByRole('list', { name: 'Songs found' }).getByRole('listitem')

async function openFromPicker(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Currently listening to / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suggest a song' }).click()
  await expect(field(page)).toBeVisible()
}

let count = 0
/** A song that the catalogue does not have. */
const newSong = () => ({ title: `Alison ${process.pid} ${++count}`, artist: `Slowdive ${process.pid}` })

test('desk-24: a listener finds a song by words and suggests it for the current microgenre; it is listed until they withdraw it', async ({
  page,
  stock,
  app,
}) => {
  const genre = await stock(previewSongs(2))
  const song = newSong()
  app.deezer.know(song)
  await signIn(page)
  await openFromPicker(page)
  await field(page).fill(`${song.artist} ${song.title}`)
  await expect(foundSongs(page)).toHaveCount(1)
  await foundSongs(page).getByRole('button').click()
  await expect(dialog(page).getByLabel('Title', { exact: true })).toHaveValue(song.title)
  await expect(dialog(page).getByLabel('Artist', { exact: true })).toHaveValue(song.artist)
  await expect(dialog(page).getByLabel('Microgenre', { exact: true })).toHaveValue(genre.id)
  await expect(dialog(page)).toContainText('You can suggest 5 more songs today.')
  await dialog(page).getByLabel('Title', { exact: true }).fill(`${song.title} corrected`)
  await button(page, 'Suggest it').click()
  await expect(dialog(page)).toContainText(`It waits at the desk${song.title} corrected${song.artist}`)
  await expect(dialog(page)).toContainText(`the last song of ${genre.name}, for everybody`)
  await expect(dialog(page)).toContainText('You can suggest 4 more songs today.')
  const [storedSuggestion] = await app.db<{ microgenre: string; deezer: string | null }[]>`
    select microgenre_id::text as microgenre, deezer_track_id as deezer from suggestions
    where title = ${`${song.title} corrected`} and state = 'waiting'`
  expect(storedSuggestion).toEqual({ microgenre: genre.id, deezer: expect.any(String) })

  await dialog(page).getByRole('tab', { name: 'Yours (1)' }).click()
  const row = dialog(page).getByRole('list', { name: 'Your suggestions' }).getByRole('listitem')
  await expect(row).toContainText('Waits at the desk.')
  await row.getByRole('button', { name: `Take back: ${song.title} corrected` }).click()
  await expect(row).toContainText('Taken back.')
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('desk-24: an address is recognised, and an existing suggestion becomes a vote', async ({
  page,
  stock,
  app,
}) => {
  const genre = await stock(previewSongs(2))
  const { title, artist } = newSong()
  app.youtubeApi.know('dQw4w9WgXcQ', { title: `${artist} - ${title} (Official Video)`, channel: 'Creation' })
  const address = 'https://youtu.be/dQw4w9WgXcQ?si=tracking'
  const ada = await makeListener()
  await ada.api.post(suggestSong.path, { data: { microgenreId: genre.id, title, artist, address } })
  await signIn(page)
  await openFromPicker(page)
  await field(page).fill(address)
  await expect(dialog(page)).toContainText('One listener asks for it already; yours counts, too.')
  await expect(dialog(page).getByLabel('Title', { exact: true })).toHaveValue(title)
  await expect(dialog(page).getByLabel('Artist', { exact: true })).toHaveValue(artist)
  await button(page, 'Suggest it').click()
  await expect(dialog(page)).toContainText('2 listeners ask for it.')
  await button(page, 'Suggest another').click()
  await field(page).fill('https://www.youtube.com/playlist?list=PL1234567890')
  await expect(dialog(page).getByRole('alert')).toContainText(/playlist/i)
  await expect(button(page, 'Suggest it')).toHaveCount(0)
})

test('@long desk-24: the search starts when typing pauses, and a newer text cancels the older call', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  const requests: string[] = []
  const cancelled: string[] = []
  const wordsOf = (url: string) => new URL(url).searchParams.get('words') ?? ''
  await page.route(urlPattern(searchSongs), (route) => {
    requests.push(wordsOf(route.request().url()))
    // The first call never gets a response.
    return requests.length === 1 ? undefined : route.fallback()
  })
  page.on('requestfailed', (request) => {
    if (urlPattern(searchSongs).test(request.url())) cancelled.push(wordsOf(request.url()))
  })
  await signIn(page)
  await openFromPicker(page)
  await field(page).pressSequentially('Slow')
  await expect.poll(() => requests.length).toBe(1)
  await field(page).pressSequentially('dive')
  await expect(foundSongs(page)).not.toHaveCount(0)
  expect(requests).toEqual(['Slow', 'Slowdive'])
  expect(cancelled).toEqual(['Slow'])
})

test.describe('when it cannot be sent', () => {
  test.use({ expectedErrors: [/status of (500|429)/] })

  test('@long desk-6, desk-24: the limit and a failure show beside the button, and the typed text stays', async ({
    page,
    stock,
  }) => {
    const genre = await stock(previewSongs(1))
    const email = await startSession(page.context())
    for (let n = 0; n < 4; n++)
      await page.request.post(suggestSong.path, { data: { microgenreId: genre.id, ...newSong() } })
    await signIn(page, { email })
    await openFromPicker(page)
    const restore = await failCall(page, searchSongs)
    await field(page).fill('anything')
    await expect(dialog(page).getByRole('alert')).toContainText('The search did not work.')
    await restore()
    await button(page, 'Try again').click()
    await button(page, 'Type title and artist').click()
    const song = newSong()
    await dialog(page).getByLabel('Title', { exact: true }).fill(song.title)
    await dialog(page).getByLabel('Artist', { exact: true }).fill(song.artist)
    await expect(dialog(page)).toContainText('You can suggest one more song today.')
    const stopFailing = await failCall(page, suggestSong)
    await button(page, 'Suggest it').click()
    await expect(dialog(page).getByRole('alert')).toContainText('Your suggestion was not sent.')
    await stopFailing()
    await button(page, 'Suggest it').click()
    await expect(dialog(page)).toContainText('You can suggest no more songs today.')
    await button(page, 'Suggest another').click()
    await field(page).fill('anything else')
    await button(page, 'Type title and artist').click()
    await dialog(page).getByLabel('Artist', { exact: true }).fill('Somebody')
    await button(page, 'Suggest it').click()
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'You can suggest 5 songs a day in your first week. Please come back tomorrow.',
    )
    await expect(dialog(page).getByLabel('Artist', { exact: true })).toHaveValue('Somebody')
  })
})

test('@long desk-24: My Library, the completion view and an empty picker also open the dialog', async ({
  page,
  stock,
}) => {
  await stock(previewSongs(1))
  await signIn(page)
  await page.getByRole('button', { name: /^Currently listening to / }).click()
  await page.getByRole('dialog').getByRole('searchbox').fill('zzzz')
  await expect(page.getByText('If it is a song, suggest it.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Suggest a song' }).click()
  await expect(field(page)).toBeVisible()
  await closeWithEscape(dialog(page))
  await pad(page, 'BANGER').click()
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Suggest a song' }).click()
  await expect(field(page)).toBeVisible()
  await closeWithEscape(dialog(page))
  await openLibrary(page)
  await page.getByRole('main').getByRole('button', { name: 'Suggest a song' }).click()
  await expect(field(page)).toBeVisible()
  await expect(page).toHaveURL(/section=library.*dialog=suggest/)
  await page.reload()
  await expect(field(page)).toBeVisible()
})

test('desk-22, desk-8: on a phone one press reports the song, the sound continues, and Undo withdraws the report', async ({
  page,
  stock,
  app,
}) => {
  await page.setViewportSize({ width: 375, height: 553 })
  const { songs } = await stock(videoSongs(2))
  const reports = () => app.db<{ reason: string; song: string; isOpen: boolean }[]>`
      select reason, subject_id::text as song, withdrawn_at is null as is_open from reports
      where subject_id = any(${songs.map(({ id }) => id)}::bigint[]) order by id`
  const ratings = watchRatings(page)
  await openPlaying(page)
  const current = await page.getByRole('main').getByRole('heading', { level: 1 }).textContent()
  const song = songs.find(({ title }) => title === current)?.id
  await page.getByRole('button', { name: 'Hear it elsewhere', exact: true }).click()
  const press = page
    .getByRole('region', { name: 'Something wrong?' })
    .getByRole('button', { name: 'Does not play', exact: true })
  await press.click()
  await expect(toast(page)).toContainText('Reported')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(art(page, 'Pause')).toBeVisible()
  expect(await reports()).toEqual([{ reason: 'does-not-play', song, isOpen: true }])
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page)).toContainText('Report taken back')
  expect(await reports()).toEqual([{ reason: 'does-not-play', song, isOpen: false }])
  await expect(art(page, 'Pause')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => ratings.length).toBe(1)
})

test('desk-8, desk-22: a person, a bio, a photo and a collection of others are reported with a reason', async ({
  page,
  stock,
  app,
}) => {
  await stock(previewSongs(1))
  const firstName = `Reported${process.pid}`
  const ada = await makeListener({ firstName, bio: 'Buy pills', isPublic: true })
  await signIn(page)
  await page.getByRole('button', { name: 'Discover Music Explorers' }).click()
  await page.getByRole('searchbox').fill(firstName)
  await page.getByRole('listitem').getByRole('button').first().click()
  const report = page.getByRole('dialog', { name: 'Report this profile' })
  for (const [what, reason] of [
    ['person', 'Pretends to be somebody'],
    ['bio', 'Spam or advertising'],
  ] as const) {
    await page.getByRole('button', { name: 'Report this profile' }).click()
    await expect(report.getByRole('combobox').getByRole('option')).toHaveCount(2)
    await report.getByRole('combobox').selectOption(what)
    await report.getByRole('button', { name: reason }).click()
    await expect(report).toHaveCount(0)
    await expect(toast(page)).toContainText('Reported')
  }
  await expect(page.getByRole('dialog', { name: 'Profile' })).toBeVisible()
  expect(
    await app.db`select subject, reason from reports where subject_id = ${ada.id} order by id`,
  ).toMatchObject([
    { subject: 'person', reason: 'pretends' },
    { subject: 'bio', reason: 'spam' },
  ])

  const path = await makeSharedCollection(ada.api, 'Pills')
  await page.goto(path)
  await page.getByRole('button', { name: 'Report this collection' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Something else' }).click()
  await expect(toast(page)).toContainText('Reported')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page)).toContainText('Report taken back')
})
