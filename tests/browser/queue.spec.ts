import { listTrending } from '../../contract/community.ts'
import { listRatings } from '../../contract/library.ts'
import { closeWithEscape } from './clock.ts'
import { signIn } from './fixtures.ts'
import {
  bangersOf,
  barButton,
  expectPlaying,
  nowPlayingBar,
  openBangers,
  openLibrary,
  playAll,
  recordTitles,
  rows,
  shuffle,
  upNext,
  withBangerTitles,
} from './libraryPage.ts'
import { mockResponse } from './mockResponses.ts'
import {
  art,
  expect,
  openDiscover,
  pad,
  position,
  previewSongs,
  test,
  title,
  toast,
  videoSongs,
} from './testSongs.ts'
import { recordToasts } from './toasts.ts'

test('playback-40, playback-43: six bangers, one with error 150, one dead, one silent, play to the end untouched', async ({
  page,
  stock,
  app,
}) => {
  const songs = withBangerTitles(videoSongs(6))
  const videos = songs.map(({ youtubeId }) => youtubeId ?? '')
  await openBangers(page, stock, songs)
  const toastTexts = await recordToasts(page)
  const heard = await recordTitles(page)
  for (const id of videos) app.youtube.behave(id, { duration: 1 })
  app.youtube.behave(videos[1] ?? '', { errors: [150, 150, 150] })
  app.youtube.behave(videos[3] ?? '', { errors: [100, 100] })
  app.youtube.behave(videos[4] ?? '', { errors: [100, 100] })
  app.deezer.shorten(1)
  app.deezer.forget('banger 5')
  await playAll(page).click()
  await expect(nowPlayingBar(page)).toContainText('6 of 6')
  await expect(barButton(page, 'Play')).toBeVisible()
  const titles = ['Banger 1', 'Banger 2', 'Banger 3', 'Banger 4', 'Banger 6']
  expect((await heard()).slice(-5)).toEqual(titles)
  expect(await toastTexts()).toContain('No Audio AvailableBanger 5 by The Stand-ins was skipped.')
  await expect(barButton(page, 'Next song')).toBeDisabled()
})

test('library-30: Play all plays what the page shows, in its order', async ({ page, stock }) => {
  await openBangers(page, stock, [
    { title: 'Zither blue', artist: 'Anna' },
    { title: 'Other', artist: 'Berta' },
    { title: 'Alphorn blue', artist: 'Clara' },
  ])
  await page.getByRole('searchbox', { name: 'Search your bangers' }).fill('blue')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Title')
  await expect(page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem')).toHaveCount(2)
  await playAll(page).click()
  await expectPlaying(page, 'Alphorn blue', '1 of 2')
  await barButton(page, 'Next song').click()
  await expectPlaying(page, 'Zither blue', '2 of 2')
  await page.getByRole('searchbox', { name: 'Search your bangers' }).fill('nothing of this')
  await expect(playAll(page)).toBeDisabled()
  await expect(shuffle(page)).toBeDisabled()
})

test('playback-41: keys N and P, the pointer, and the list of what is up next', async ({ page, stock }) => {
  await openBangers(page, stock, withBangerTitles(previewSongs(5)))
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 5')
  await page.keyboard.press('n')
  await expectPlaying(page, 'Banger 2', '2 of 5')
  await page.keyboard.press('p')
  await expectPlaying(page, 'Banger 1', '1 of 5')
  await barButton(page, 'Next song').click()
  await expectPlaying(page, 'Banger 2', '2 of 5')
  await barButton(page, 'Previous song').click()
  await expectPlaying(page, 'Banger 1', '1 of 5')

  await barButton(page, 'Up next').click()
  await expect(page).toHaveURL(/dialog=queue/)
  const order = () => rows(page).locator('b').allTextContents()
  await expect.poll(order).toEqual(['Banger 1', 'Banger 2', 'Banger 3', 'Banger 4', 'Banger 5'])
  const button = (name: string) => upNext(page).getByRole('button', { name, exact: true })
  await button('Move down: Banger 2').click()
  await expect.poll(order).toEqual(['Banger 1', 'Banger 3', 'Banger 2', 'Banger 4', 'Banger 5'])
  await expect(button('Move down: Banger 2')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(order).toEqual(['Banger 1', 'Banger 2', 'Banger 3', 'Banger 4', 'Banger 5'])
  await expect(button('Move down: Banger 2')).toBeFocused()
  await expect(button('Move up: Banger 2')).toBeDisabled()
  await page.keyboard.press('Delete')
  await expect.poll(order).toEqual(['Banger 1', 'Banger 3', 'Banger 4', 'Banger 5'])
  await expect(button('Move down: Banger 3')).toBeFocused()
  await button('Remove from the queue: Banger 5').click()
  await expect.poll(order).toEqual(['Banger 1', 'Banger 3', 'Banger 4'])
  await expect(button('Remove from the queue: Banger 4')).toBeFocused()
  await button('Play Banger 4 by The Stand-ins').click()
  await expect.poll(order).toEqual(['Banger 4'])
  await expect(upNext(page)).toContainText('3 of 3')
  await button('Pause Banger 4 by The Stand-ins').click()
  await expect(button('Play Banger 4 by The Stand-ins')).toBeVisible()
  await button('Clear').click()
  await expect(upNext(page)).toContainText('Nothing is up next.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order).toEqual(['Banger 4'])
  await expect(upNext(page)).toContainText('3 of 3')
  await button('Clear').click()
  await expect(upNext(page)).toContainText('Nothing is up next.')
  await closeWithEscape(upNext(page))
  await expect(nowPlayingBar(page)).toContainText('Banger 4')
  await expect(barButton(page, 'Next song')).toHaveCount(0)
})

test('playback-42: Discover does not advance; it pauses the queue, which continues when the listener leaves', async ({
  page,
  stock,
  app,
}) => {
  await openBangers(page, stock, withBangerTitles(videoSongs(3)))
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 3')
  await barButton(page, 'Next song').click()
  await expectPlaying(page, 'Banger 2', '2 of 3')
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(2)

  await page.keyboard.press('1')
  const discovered = (await title(page).textContent()) ?? ''
  await expect(art(page, 'Pause')).toBeVisible()
  await expect.poll(() => position(page)).toBeGreaterThan(0)
  await page.keyboard.press('n')
  await expect(title(page)).toHaveText(discovered)

  await page.keyboard.press('2')
  await expectPlaying(page, 'Banger 2', '2 of 3')
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(2)
  await expect
    .poll(() => app.youtube.calls.some(({ name, args }) => name === 'seekTo' && Number(args[0]) >= 2))
    .toBe(true)

  // Paused, it stays paused beside Discover's song, and next takes it up.
  await barButton(page, 'Pause').click()
  await page.keyboard.press('1')
  await expect(art(page, 'Play')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(art(page, 'Pause')).toBeVisible()
  await page.keyboard.press('2')
  await expect(nowPlayingBar(page)).not.toContainText('of 3')
  await expect(nowPlayingBar(page)).toContainText(discovered)
  await page.keyboard.press('n')
  await expectPlaying(page, 'Banger 2', '2 of 3')
})

test('playback-47: media keys: next, previous and seek', async ({ page, stock }) => {
  await page.addInitScript(() => {
    const handlers: Record<string, MediaSessionActionHandler | null> = {}
    Object.assign(window, { handlers })
    navigator.mediaSession.setActionHandler = (action, handler) => {
      handlers[action] = handler
    }
  })
  const press = (action: MediaSessionAction, details = {}) =>
    page.evaluate(
      ([name, more]) => {
        const { handlers } = window as unknown as { handlers: Record<string, MediaSessionActionHandler> }
        handlers[name]?.({ action: name, ...more })
      },
      [action, details] as const,
    )
  await openBangers(page, stock, withBangerTitles(previewSongs(3)))
  const shownTitle = () => page.evaluate(() => navigator.mediaSession.metadata?.title)
  await playAll(page).click()
  await expectPlaying(page, 'Banger 1', '1 of 3')
  await press('nexttrack')
  await expectPlaying(page, 'Banger 2', '2 of 3')
  await expect.poll(shownTitle).toBe('Banger 2')
  await press('seekto', { seekTime: 12 })
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(12)
  await press('previoustrack')
  await expect.poll(() => position(page)).toBeLessThan(3)
  await press('previoustrack')
  await expectPlaying(page, 'Banger 1', '1 of 3')
  for (const [action, shownTitle] of [
    ['pause', 'Play'],
    ['play', 'Pause'],
  ] as const) {
    await press(action)
    await expect(barButton(page, shownTitle)).toBeVisible()
    await press(action)
    await expect(barButton(page, shownTitle)).toBeVisible()
  }
})

test('@long people-31: the profile plays all bangers, also those that it does not show', async ({
  page,
  stock,
}) => {
  const own = await stock(withBangerTitles(previewSongs(22)))
  await mockResponse(page, listRatings, bangersOf(own))
  await signIn(page, { path: '/profile' })
  await playAll(page).click()
  const row = (name: string) => page.getByRole('tabpanel').getByRole('button', { name, exact: true })
  await expect(row('Pause Banger 1')).toBeVisible()
  await page.keyboard.press('n')
  await expect(row('Pause Banger 2')).toBeVisible()
  await page.keyboard.press('p')
  await expect(row('Pause Banger 1')).toBeVisible()
  await page.getByRole('button', { name: 'Back to Discovery' }).click()
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await openLibrary(page)
  await expectPlaying(page, 'Banger 1', '1 of 22')
})

test('@long community-19: a trending banger plays, and all five play one after the other, also after a reload', async ({
  page,
  stock,
}) => {
  const own = await stock(withBangerTitles(previewSongs(7)))
  await mockResponse(page, listRatings, [])
  await mockResponse(
    page,
    listTrending,
    bangersOf(own).map(({ song }, n) => ({ ...song, bangerCount: 9 - n })),
  )
  await openDiscover(page)
  // Another song than Discover's, whose row has Pause.
  const name = (await title(page).textContent()) === 'Banger 3' ? 'Banger 4' : 'Banger 3'
  await page.keyboard.press('3')
  const trending = page.getByRole('region', { name: 'Trending Bangers' })
  await trending.getByRole('button', { name: `Play ${name}` }).click()
  await expect(nowPlayingBar(page)).toContainText(name)
  await expect(barButton(page, 'Pause')).toBeVisible()
  await trending.getByRole('button', { name: 'Play all' }).click()
  await expectPlaying(page, 'Banger 1', '1 of 5')
  await page.keyboard.press('n')
  await expectPlaying(page, 'Banger 2', '2 of 5')
  await page.reload()
  await expect(nowPlayingBar(page)).toContainText('Banger 2')
  await expect(nowPlayingBar(page)).toContainText('2 of 5')
})

for (const layout of ['grid', 'list'])
  test(`@long library-31: Play next in the ${layout} puts a song after the current one`, async ({
    page,
    stock,
  }) => {
    await openBangers(page, stock, withBangerTitles(previewSongs(4)))
    const next = page.getByRole('button', { name: 'Play next: Banger 4' })
    if (layout === 'list') await page.getByRole('button', { name: 'Show as list' }).click()
    await expect(next).toHaveCount(0)
    await playAll(page).click()
    await expectPlaying(page, 'Banger 1', '1 of 4')
    await expect(page.getByRole('button', { name: 'Play next: Banger 1' })).toBeDisabled()
    await next.click()
    await expect(toast(page)).toContainText('Banger 4 by The Stand-ins')
    await page.keyboard.press('n')
    await expectPlaying(page, 'Banger 4', '2 of 4')
  })
