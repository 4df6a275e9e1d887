import type { Browser, Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { decideCase, listCases, listDecisions } from '../../contract/desk.ts'
import { reportSubject } from '../../contract/reports.ts'
import { suggestSong } from '../../contract/suggestions.ts'
import { makeJudgedVideo } from '../factories.ts'
import { signIn } from './fixtures.ts'
import { type Listener, makeListener } from './listeners.ts'
import { failCall, urlPattern } from './mockResponses.ts'
import type { TestServer } from './testServer.ts'
import {
  art,
  expect,
  newVideoId,
  pad,
  previewSongs,
  type TestMicrogenre,
  test,
  title,
  toast,
} from './testSongs.ts'
import { emptyDesk } from './toasts.ts'

/* The desk in the browser (desk-23). tests/api/desk.test.ts tests the decisions. */

const current = (page: Page) => page.getByRole('region', { name: 'Case' })
const heading = (page: Page) => current(page).getByRole('heading', { level: 2 })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const trail = (page: Page) => page.getByRole('list', { name: 'Trail' }).getByRole('listitem')

let count = 0
const newTitle = () => `Desk ${process.pid} ${++count}`

test.beforeEach(({ app }) => emptyDesk(app.db))

async function suggest({ api }: Listener, genre: TestMicrogenre, songTitle: string): Promise<string> {
  const data = { microgenreId: genre.id, title: songTitle, artist: 'Slowdive' }
  const suggestion = await (await api.post(suggestSong.path, { data })).json()
  return suggestion.suggestion.id
}

const report = async ({ api }: Listener, subject: string, subjectId: string, reason = 'spam') =>
  expect(await api.post(reportSubject.path, { data: { subject, subjectId, reason } })).toBeOK()

async function openDesk(page: Page): Promise<void> {
  await signIn(page, { path: '/desk' })
  await expect(current(page)).toBeVisible()
}

const stateOf = async ({ db }: TestServer, id: string) => {
  const [row] = await db<{ state: string }[]>`select state from suggestions where id = ${id}`
  return row?.state
}

const tabOf = async (browser: Browser, baseURL: string | undefined) =>
  (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()

test('desk-23, desk-14: a steward plays and approves a suggestion by keys, and another listener rates it', async ({
  page,
  stock,
  browser,
  baseURL,
}) => {
  const genre = await stock(previewSongs(1))
  const name = newTitle()
  await signIn(page)
  await page.getByRole('button', { name: /^Currently listening to / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suggest a song' }).click()
  const suggesting = dialog(page, 'Suggest a song')
  await suggesting.getByRole('searchbox').fill(`Slowdive - ${name}`)
  await suggesting.getByRole('button', { name: 'Type title and artist' }).click()
  await expect(suggesting.getByLabel('Artist', { exact: true })).toHaveValue('Slowdive')
  await suggesting.getByRole('button', { name: 'Suggest it' }).click()
  await expect(suggesting).toContainText(`It waits at the desk${name}Slowdive`)

  const desk = await tabOf(browser, baseURL)
  await openDesk(desk)
  await expect(heading(desk)).toHaveText(name)
  await expect(current(desk)).toContainText(/Suggestion · 1 listener · since/)
  await desk.keyboard.press('Space')
  await expect(current(desk).getByRole('button', { name: 'Pause' })).toBeVisible()
  await desk.keyboard.press('ArrowRight')
  await expect(desk.getByText(`Approved: ${name} by Slowdive`)).toBeVisible()
  await expect(desk.getByText('Nothing waits.')).toBeVisible()

  const player = await tabOf(browser, baseURL)
  await signIn(player, { path: `/?microgenre=${genre.id}` })
  // In this listener's own order.
  const heard: (string | null)[] = []
  for (let n = 0; n < 2; n++) {
    await expect(pad(player, 'BANGER')).toBeEnabled()
    await expect(title(player)).toHaveText(new RegExp(`^(Song 1|${name})$`))
    if (heard[0]) await expect(title(player)).not.toHaveText(heard[0])
    heard.push(await title(player).textContent())
    await player.keyboard.press('ArrowRight')
  }
  expect(heard.sort()).toEqual([name, 'Song 1'].sort())
  await expect(player.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()

  await suggesting.getByRole('button', { name: 'Suggest another' }).click()
  await page.reload()
  await suggesting.getByRole('tab', { name: 'Yours (1)' }).click()
  await expect(suggesting.getByRole('listitem')).toContainText(`Approved: it is in ${genre.name} now.`)
  for (const tab of [desk, player]) await tab.context().close()
})

test('desk-13, desk-17, desk-23: approve, correct, merge and reject a suggestion, each by keys and undone again', async ({
  page,
  stock,
  app,
}) => {
  const genre = await stock([{ title: `Merge ${process.pid}` }])
  const ada = await makeListener()
  const name = newTitle()
  const id = await suggest(ada, genre, name)
  await openDesk(page)
  const undo = async () => {
    await page.keyboard.press('u')
    await expect(heading(page)).toHaveText(name)
    expect(await stateOf(app, id)).toBe('waiting')
  }

  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(`Approved: ${name} by Slowdive`)).toBeVisible()
  expect(await stateOf(app, id)).toBe('approved')
  await undo()

  await page.keyboard.press('c')
  const correct = dialog(page, 'Correct')
  await expect(correct.getByRole('button', { name: 'Correct' })).toBeDisabled()
  await correct.getByLabel('Title', { exact: true }).fill(`${name} cms u`)
  await correct.getByLabel('Year', { exact: true }).fill('1993')
  await correct.getByLabel('Year', { exact: true }).press('Enter')
  await expect(page.getByText(`Corrected: ${name} cms u by Slowdive`)).toBeVisible()
  await expect(correct).toHaveCount(0)
  expect(await stateOf(app, id)).toBe('approved')
  await undo()

  await page.keyboard.press('m')
  const merge = dialog(page, 'Merge')
  await merge.getByRole('searchbox').fill(`Merge ${process.pid}`)
  await merge.getByRole('button', { name: `Merge ${process.pid} by` }).click()
  await expect(page.getByText(`Merged: ${name} by Slowdive`)).toBeVisible()
  expect(await stateOf(app, id)).toBe('merged')
  await undo()

  await page.keyboard.press('ArrowLeft')
  const reject = dialog(page, 'Reject')
  // Keys in a text field are letters, and nothing is decided without a reason.
  await reject.getByLabel('Reason', { exact: true }).pressSequentially('cms u')
  await reject.getByLabel('Reason', { exact: true }).press('ArrowRight')
  await expect(reject.getByLabel('Reason', { exact: true })).toHaveValue('cms u')
  expect(await stateOf(app, id)).toBe('waiting')
  await reject.getByLabel('Reason', { exact: true }).press('Enter')
  await expect(page.getByText(`Rejected: ${name} by Slowdive`)).toBeVisible()
  expect(await stateOf(app, id)).toBe('rejected')
  await undo()
  await page.keyboard.press('ArrowLeft')
  await reject.getByRole('button', { name: 'It is not one song.' }).click()
  await expect.poll(() => stateOf(app, id)).toBe('rejected')
})

test('@long desk-16, desk-17, desk-23: a reported song, person, bio and collection are decided by keys and undone again', async ({
  page,
  stock,
  app,
}) => {
  const { songs } = await stock([{ title: newTitle() }])
  const song = songs[0]?.id ?? ''
  const [ada, bob] = [
    await makeListener({ firstName: 'Bob', bio: 'Buy pills', isPublic: true }),
    await makeListener(),
  ]
  const cases: [subject: string, id: string, reason: string, left: string, done: string][] = [
    ['song', song, 'wrong-song', 'Retire', 'Retired'],
    ['person', ada.id, 'spam', 'Suspend', 'Blocked'],
    ['bio', ada.id, 'hateful', 'Clear', 'Blocked'],
  ]
  const open = async (subject: string) => {
    const [row] = await app.db<{ n: number }[]>`
      select count(*)::int as n from reports
      where subject = ${subject} and closed_by is null and withdrawn_at is null`
    return row?.n
  }
  for (const [subject, id, reason, left, done] of cases) {
    await report(bob, subject, id, reason)
    await openDesk(page)
    await expect(current(page)).toContainText(`Reported ${subject} · 1 listener`)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText(/^Dismissed: /)).toBeVisible()
    expect(await open(subject)).toBe(0)
    await page.keyboard.press('u')
    await expect(current(page)).toBeVisible()
    expect(await open(subject)).toBe(1)
    await expect(button(page, left)).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByText(new RegExp(`^${done}: `))).toBeVisible()
    expect(await open(subject)).toBe(0)
    await page.keyboard.press('u')
    await expect(current(page)).toBeVisible()
    expect(await open(subject)).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('Nothing waits.')).toBeVisible()
  }
})

test('@long desk-25, desk-23: a video for a song is played, rejected and approved by keys, and undone again', async ({
  page,
  stock,
  app,
}) => {
  const name = newTitle()
  const { songs } = await stock([{ title: name }])
  const [song, best, next] = [songs[0]?.id ?? '', newVideoId(), newVideoId()]
  await makeJudgedVideo(app.db, song, best, { source: 'musicbrainz', score: 90, refusal: 'length differs' })
  await makeJudgedVideo(app.db, song, next)
  const video = async () => {
    const [row] = await app.db<{ youtubeId: string | null }[]>`
      select youtube_id from songs where id = ${song}`
    return row?.youtubeId
  }
  await openDesk(page)
  await expect(heading(page)).toHaveText(name)
  await expect(current(page)).toContainText(/Video for a song · since/)
  await expect(current(page)).toContainText(`Video ${best}`)
  await expect(current(page)).toContainText('A channel · 3:05')
  await expect(current(page)).toContainText('A good match, 90 of 100')
  await expect(current(page)).toContainText('Found by MusicBrainz.')
  await page.keyboard.press('Space')
  await expect(current(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  const frame = page.getByRole('complementary', { name: 'Video' }).locator('iframe')
  await expect(frame).toHaveAttribute('src', new RegExp(best))

  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText(`Rejected: Video of ${name} by The Stand-ins`)).toBeVisible()
  await expect(current(page)).toContainText(`Video ${next}`)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(`Approved: Video of ${name} by The Stand-ins`)).toBeVisible()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  expect(await video()).toBe(next)
  await page.keyboard.press('u')
  await expect(current(page)).toContainText(`Video ${next}`)
  expect(await video()).toBeNull()
  await page.keyboard.press('u')
  await expect(current(page)).toContainText(`Video ${best}`)
})

test('@long desk-23: a second press of the same key does not decide the next case, and Not now defers a case', async ({
  page,
  stock,
  app,
}) => {
  const genre = await stock(previewSongs(1))
  const ada = await makeListener()
  const [first, second] = [newTitle(), newTitle()]
  const ids = [await suggest(ada, genre, first), await suggest(ada, genre, second)]
  await openDesk(page)
  await expect(heading(page)).toHaveText(first)
  await page.keyboard.press('s')
  await expect(heading(page)).toHaveText(second)
  await page.keyboard.press('s')
  await expect(page.getByText('You have put off what is left: 2.')).toBeVisible()
  await button(page, 'Show them again').click()
  await expect(heading(page)).toHaveText(first)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText(second)
  expect([await stateOf(app, ids[0] ?? ''), await stateOf(app, ids[1] ?? '')]).toEqual([
    'approved',
    'waiting',
  ])
})

test.describe('what the server refuses', () => {
  test.use({ expectedErrors: [/status of (500|409)/] })

  test('@long desk-13, desk-23: the decision of another steward, and a failure, show a message', async ({
    page,
    stock,
  }) => {
    const genre = await stock(previewSongs(1))
    const [ada, other] = [await makeListener(), await makeListener()]
    const [first, second] = [newTitle(), newTitle()]
    const id = await suggest(ada, genre, first)
    await suggest(ada, genre, second)
    const restore = await failCall(page, listCases)
    await signIn(page, { path: '/desk' })
    await expect(page.getByRole('alert')).toContainText('The cases did not load.')
    await restore()
    await button(page, 'Try again').click()
    await expect(heading(page)).toHaveText(first)
    const data = { subject: 'suggestion', subjectId: id, action: 'approve' }
    expect(await other.api.post(decideCase.path, { data })).toBeOK()
    await page.keyboard.press('ArrowLeft')
    await dialog(page, 'Reject').getByRole('button', { name: 'It is not one song.' }).click()
    await expect(toast(page)).toContainText('Another steward has decided this case already.')
    await expect(heading(page)).toHaveText(second)
    await expect(dialog(page, 'Reject')).toHaveCount(0)
    const stopFailing = await failCall(page, decideCase)
    await page.keyboard.press('ArrowRight')
    await expect(toast(page)).toContainText('The decision was not sent. Please try again.')
    await expect(heading(page)).toHaveText(second)
    await stopFailing()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText(`Approved: ${second} by Slowdive`)).toBeVisible()
  })
})

test('@long desk-18, desk-23: the trail lists who decided what, and undoes decisions and undos', async ({
  page,
  stock,
  app,
}) => {
  const genre = await stock(previewSongs(1))
  const ada = await makeListener()
  const name = newTitle()
  const id = await suggest(ada, genre, name)
  await openDesk(page)
  await page.keyboard.press('ArrowLeft')
  await dialog(page, 'Reject').getByRole('button', { name: 'It can be heard nowhere.' }).click()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  await page.getByRole('tab', { name: 'Trail' }).click()
  await expect(trail(page).first()).toContainText(`Rejected: ${name} by Slowdive`)
  await expect(trail(page).first()).toContainText('Music Explorer')
  await expect(trail(page).first()).toContainText('It can be heard nowhere.')
  await button(page, `Undo: Rejected: ${name} by Slowdive`).click()
  await expect(trail(page).first()).toContainText(`Undone: ${name} by Slowdive`)
  expect(await stateOf(app, id)).toBe('waiting')
  await button(page, `Redo: Undone: ${name} by Slowdive`).click()
  await expect(trail(page).first()).toContainText(`Done again: ${name} by Slowdive`)
  expect(await stateOf(app, id)).toBe('rejected')
  await button(page, `Undo: Done again: ${name} by Slowdive`).click()
  await expect(trail(page).first()).toContainText(`Undone: ${name} by Slowdive`)
  expect(await stateOf(app, id)).toBe('waiting')
  await page.getByRole('tab', { name: /^Cases/ }).click()
  await expect(heading(page)).toHaveText(name)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(`Approved: ${name} by Slowdive`)).toBeVisible()
})

test('@long desk-10, screens-2: only stewards have the page and its link, others see the 404 page', async ({
  page,
}) => {
  await signIn(page, { path: '/profile' })
  await page.getByRole('button', { name: 'The desk', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The desk')
  await expect(page).toHaveURL('/desk')

  await page.route(getCurrentUser.path, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isSteward: false } })
  })
  const calls: string[] = []
  page.on('request', (request) => {
    if ([listCases, listDecisions].some((call) => urlPattern(call).test(request.url())))
      calls.push(request.url())
  })
  await page.goto('/desk')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Edit profile' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'The desk' })).toHaveCount(0)
  expect(calls).toEqual([])
})

test('@long desk-23: playback at the desk is separate from that on Discover', async ({ page, stock }) => {
  const genre = await stock(previewSongs(2))
  const ada = await makeListener()
  const [first, second] = [newTitle(), newTitle()]
  await suggest(ada, genre, first)
  await suggest(ada, genre, second)
  await openDesk(page)
  const play = current(page).getByRole('button', { name: 'Play', exact: true })
  const pause = current(page).getByRole('button', { name: 'Pause', exact: true })
  await expect(play).toBeVisible()
  await page.keyboard.press('Space')
  await expect(pause).toBeVisible()
  await page.keyboard.press('s')
  await expect(heading(page)).toHaveText(second)
  await expect(pause).toBeVisible()
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await page.keyboard.press('Shift')
  await expect(art(page, 'Pause')).toBeVisible()
  await expect(title(page)).toHaveText(/^Song \d$/)
})
