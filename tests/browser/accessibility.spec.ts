import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Account, listAccounts, listActs, listInvitations, listLimits } from '../../contract/admin.ts'
import { sendMagicLink } from '../../contract/auth.ts'
import { getCoverage } from '../../contract/coverage.ts'
import { type DeskCase, listCases, listDecisions } from '../../contract/desk.ts'
import { countSongs, listPlaybackHealth, verifyBatch, verifyVideo } from '../../contract/diagnostics.ts'
import { getNextSong } from '../../contract/discovery.ts'
import { listFeedback } from '../../contract/feedback.ts'
import { MICROGENRE_LENGTHS } from '../../contract/foundMicrogenres.ts'
import { openInvitation } from '../../contract/invitations.ts'
import { getLongTail } from '../../contract/longTail.ts'
import { getMap } from '../../contract/map.ts'
import { PASSKEY_NAME_LENGTH } from '../../contract/passkeys.ts'
import { BIO_LENGTH, follow, NAME_LENGTH, updateProfile } from '../../contract/profiles.ts'
import { TEST_ALL } from '../harness/tier.ts'
import { answer } from './answers.ts'
import { addAuthenticator } from './authenticator.ts'
import { findViolations } from './axe.ts'
import { closeWithEscape } from './dialogs.ts'
import { dropFiles, makeFiles } from './files.ts'
import { newEmail, signedInRequest, signIn, startSession } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { findScreenFaults } from './screenFaults.ts'
import { makeSharedAchievement, makeSharedCollection } from './shares.ts'
import { expect, previewSongs, test, toast, videoSongs } from './stock.ts'

/*
 * Every screen and dialog: WCAG 2.2 AA, as far as axe can check it; and nothing
 * cut off or covered at any size (screens-17).
 */

// Without animations, so that no check runs in the middle of one.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** A bar that stays in sight may cover a part of what scrolls below it; scrolled to the middle, that must be whole. */
async function isWholeWhenScrolled(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { violations } = await findViolations(page, { rules: ['target-size'], within: target })
  return violations.length === 0
}

/**
 * Checks the current screen on a phone; in `npm run test:all` also on a desktop, and in the dark scheme, of which only
 * colors differ.
 */
async function expectAccessible(page: Page): Promise<void> {
  const found: string[] = []
  async function check(look: string, narrow: { rules: string[] } | { tags: string[] }) {
    const { violations, passed } = await findViolations(page, narrow)
    expect(passed, 'rules that had something to look at').toBeGreaterThan(0)
    for (const { rule, html, target, summary } of violations) {
      if (rule === 'target-size' && (await isWholeWhenScrolled(page, target))) continue
      found.push(`${rule} (${look}): ${html}\n${summary}`)
    }
  }
  if (TEST_ALL) {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await check('desktop, dark', { rules: ['color-contrast'] })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await check('desktop, light', { tags })
  }
  await page.setViewportSize({ width: 390, height: 664 })
  await check('phone, light', { tags })
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(found).toEqual([])
  expect(await findScreenFaults(page)).toEqual({})
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const banger = (page: Page) => page.getByRole('button', { name: 'BANGER', exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function openSection(page: Page, key: string): Promise<void> {
  await expect(banger(page)).toBeVisible()
  await page.keyboard.press(key)
}

/** They fill every list. */
const rated = { banger: 12, bust: 2 }

test.describe('signed out', () => {
  // The document of a dead link is a 404 (calls-6), which Chromium reports.
  test.use({ expectedErrors: [/status of 404/] })

  test('landing', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'How It Works' })).toBeVisible()
    await expectAccessible(page)
  })

  test('auth, with an error and a development link', async ({ page }) => {
    await page.goto('/auth?error=link-expired')
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByRole('button', { name: 'Send magic link' }).click()
    await expect(page.getByRole('link', { name: /\/sign-in\/link/ })).toBeVisible()
    await expectAccessible(page)
  })

  test('login', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with e-mail' }).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await expectAccessible(page)
  })

  test('an invitation that works, one that does not, and one for somebody who is signed in', async ({
    page,
  }) => {
    const invitation = { expiresAt: '2026-03-18T05:06:07.000Z', registration: 'invite' } as const
    for (const [state, isSignedIn, button] of [
      ['open', false, 'Send magic link'],
      ['expired', false, 'Send magic link'],
      ['open', true, 'Go to Discover'],
    ] as const) {
      await answer(page, openInvitation, { ...invitation, state, isSignedIn })
      await page.goto('/invite/a-token')
      await expect(page.getByRole('button', { name: button })).toBeVisible()
      await expectAccessible(page)
    }
  })

  test('privacy', async ({ page }) => {
    await page.goto('/privacy')
    await expect(heading(page)).toHaveText('Privacy policy')
    await expectAccessible(page)
  })

  test('how fairly songs are heard, with long names, and before anything is counted', async ({ page }) => {
    const tail = { plays: 1_234_567, halfPlays: 234_567, littleHeard: 900, littleHeardNew: 20, neverHeard: 7 }
    const names = ['Atmospheric Drum and Bass', 'Neue Deutsche Welle', 'x'.repeat(60), 'موسيقى']
    await answer(page, getLongTail, {
      all: { ...tail, songs: 12_345, countedAt: '2026-11-24T12:00:00.000Z' },
      microgenres: names.map((microgenre) => ({ ...tail, songs: 1234, microgenre, color: '#c45b7c' })),
      withoutFigures: names,
    })
    await page.goto('/fairness')
    await expect(page.getByText(/Counted on .*2026/)).toBeVisible()
    await expectAccessible(page)
    await answer(page, getLongTail, { all: null, microgenres: [], withoutFigures: [] })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Nothing to count yet' })).toBeVisible()
    await expectAccessible(page)
  })

  test('@long the page of a link opened in another browser', async ({ page, request }) => {
    const email = `ada@${'long-'.repeat(11)}name.example.org`
    const sent = await request.post(sendMagicLink.path, { data: { email } })
    await page.goto((await sent.json()).magicLink)
    await expect(heading(page)).toHaveText('Sign in to Banger or Bust')
    await expectAccessible(page)
  })

  test('a shared collection and a shared achievement', async ({ page }) => {
    const { api } = await makeListener()
    await page.goto(await makeSharedCollection(api, 'Night buses'))
    await expect(heading(page)).toHaveText('Night buses')
    await expectAccessible(page)
    await page.goto(await makeSharedAchievement(api))
    await expect(heading(page)).toHaveText('First Banger')
    await expectAccessible(page)
  })

  test('@long an unknown share link', async ({ page }) => {
    await page.goto('/share/collection/nobody-shared-this')
    await expect(heading(page)).toHaveText('Collection Not Found')
    await expectAccessible(page)
  })
})

test.describe('Discover', () => {
  test('player', async ({ page }) => {
    await signIn(page)
    await banger(page).click()
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
    await expect(toast(page)).toContainText('First Banger Found!')
    await expectAccessible(page)
  })

  test('picker', async ({ page }) => {
    await signIn(page)
    await page.getByRole('button', { name: /^Currently listening to / }).click()
    await expect(dialog(page, 'Discover Your Sound').getByRole('searchbox')).toBeVisible()
    await expectAccessible(page)
  })

  test('suggest a song: what was found, the form, what comes next, and the own ones', async ({
    page,
    stock,
    app,
  }) => {
    await stock(previewSongs(1))
    const long = { title: 'An unbreakabletitle'.repeat(8), artist: `${randomInt(1e9)} and the W`.repeat(6) }
    app.deezer.know(long, { ...long, title: 'Anunbreakabletitle' })
    await signIn(page, { path: '/?dialog=suggest' })
    const suggest = dialog(page, 'Suggest a song')
    await expect(suggest.getByText(/^An address at YouTube/)).toBeVisible()
    await expectAccessible(page)
    await suggest.getByRole('searchbox').fill(long.artist)
    await expect(suggest.getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await suggest.getByRole('listitem').getByRole('button').first().click()
    await expect(suggest.getByRole('combobox')).toBeVisible()
    await expectAccessible(page)
    await suggest.getByRole('button', { name: 'Suggest it' }).click()
    await expect(suggest.getByRole('button', { name: 'Suggest another' })).toBeVisible()
    await expectAccessible(page)
    await suggest.getByRole('tab', { name: /^Yours/ }).click()
    await expect(suggest.getByRole('button', { name: /^Take back/ })).toBeVisible()
    await expectAccessible(page)
  })

  test('shortcuts', async ({ page }) => {
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    await page.keyboard.press('?')
    await expect(dialog(page, 'Keyboard Shortcuts').getByRole('switch')).toBeVisible()
    await expectAccessible(page)
  })

  test('why this song', async ({ page, stock }) => {
    await stock([{ title: 'An unbreakabletitle'.repeat(8), artist: 'ﷺ and the W'.repeat(14) }])
    await signIn(page)
    await page.getByRole('button', { name: 'From your shuffle' }).click()
    await expect(dialog(page, 'Why this song?')).toContainText('has its turn')
    await expectAccessible(page)
  })

  test('hear it elsewhere, with the longest names', async ({ page, stock }) => {
    await stock([{ title: 'An unbreakabletitle'.repeat(8), artist: 'ﷺ and the W'.repeat(14) }])
    await signIn(page)
    await page.getByRole('button', { name: 'Hear it elsewhere' }).click()
    await expect(dialog(page, 'Hear it elsewhere').getByRole('link')).toHaveCount(6)
    await expectAccessible(page)
  })

  test('@long the end of a preview', async ({ page, stock }) => {
    await stock(previewSongs(2))
    await signIn(page)
    await expect(banger(page)).toBeEnabled()
    await page.keyboard.press('Shift')
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await page.getByRole('slider', { name: 'Song progress' }).press('End')
    const whole = page.getByRole('button', { name: 'Hear the whole song' })
    await expect(whole).toBeVisible()
    await expectAccessible(page)
  })

  test('feedback', async ({ page }) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Thoughts?' }).click()
    const feedback = dialog(page, 'Share Your Feedback')
    await feedback.getByLabel('Message').fill('Hi')
    await feedback.getByLabel('Email').fill('ada')
    await feedback.getByRole('button', { name: 'Send Feedback' }).click()
    await expect(feedback.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
  })

  test.describe('when a microgenre is complete', () => {
    test.use({ expectedErrors: [/status of 404/] })

    test('@long completion', async ({ page }) => {
      await page.route(new RegExp(getNextSong.path.replace(':id', '\\d+')), (route) =>
        route.fulfill({ status: 404, json: { message: 'No more songs' } }),
      )
      await signIn(page)
      await expect(page.getByRole('heading', { name: 'Suggested Microgenres' })).toBeVisible()
      await expectAccessible(page)
    })
  })

  test('the questionnaire and its results', async ({ page }) => {
    await signIn(page, { newcomer: true })
    const questionnaire = page.getByRole('dialog')
    await expect(questionnaire.getByText('Question 1 of 4')).toBeVisible()
    await expectAccessible(page)
    for (const [i, name] of ['Slow', 'Both', 'Indie', 'Ambient'].entries()) {
      await expect(questionnaire.getByText(`Question ${i + 1} of 4`)).toBeVisible()
      await questionnaire.getByRole('button', { name }).click()
    }
    await expect(questionnaire.getByText('Recommended', { exact: true }).first()).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('My Library and Community', () => {
  test('library with songs, a filter, a playing song and its toast', async ({ page }) => {
    await signIn(page, { rated })
    await openSection(page, '2')
    const tiles = page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem')
    await tiles.first().getByRole('button').first().click()
    await expect(toast(page)).toContainText('Now Playing')
    await expectAccessible(page)
  })

  test('library with a queue, and what is up next (playback-41)', async ({ page }) => {
    await signIn(page, { rated })
    await openSection(page, '2')
    await page.getByRole('button', { name: 'Play all' }).click()
    const bar = page.getByRole('region', { name: 'Now playing' })
    await expect(bar).toContainText('1 of 12')
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Space')
    await bar.getByRole('button', { name: 'Up next' }).click()
    await expect(dialog(page, 'Up next').getByRole('listitem').first()).toBeVisible()
    await expectAccessible(page)
  })

  test('@long empty library', async ({ page }) => {
    await signIn(page)
    await openSection(page, '2')
    await expect(page.getByRole('heading', { name: 'No Bangers Yet' })).toBeVisible()
    await expectAccessible(page)
  })

  test('collection form', async ({ page }) => {
    await signIn(page, { rated })
    await openSection(page, '2')
    await page.getByRole('button', { name: 'Share Collection' }).click()
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
    await expectAccessible(page)
  })

  test('own collections, and the form of one', async ({ page }) => {
    const email = await startSession(page.context())
    await rateSongs(page.request, rated)
    await makeSharedCollection(page.request, 'Night buses to the end of the line and back again')
    await makeSharedCollection(page.request, 'Oud 🎧')
    await signIn(page, { email })
    await openSection(page, '2')
    await page.getByRole('button', { name: 'Collections', exact: true }).click()
    const row = dialog(page, 'Your Collections').getByRole('listitem').getByRole('button').last()
    await expect(row).toBeVisible()
    await expectAccessible(page)
    await row.click()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Link' })).toBeVisible()
    await page.getByRole('button', { name: 'Delete collection' }).click()
    await expect(page.getByRole('button', { name: 'Keep it' })).toBeVisible()
    await expectAccessible(page)
  })

  test('share dialogs of an achievement and of stats', async ({ page }) => {
    await signIn(page, { rated })
    await openSection(page, '3')
    for (const name of [/^Share First Banger/, 'Share Stats']) {
      await page.getByRole('button', { name }).click()
      const picture = page.getByRole('dialog').getByRole('img', { name: /^The picture/ })
      await expect(picture).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
    }
  })

  test('community', async ({ page }) => {
    await signIn(page, { rated })
    await openSection(page, '3')
    await expect(
      page.getByRole('region', { name: 'Your Achievements' }).getByRole('listitem'),
    ).not.toHaveCount(0)
    await expectAccessible(page)
  })
})

test.describe('the map of microgenres', () => {
  test('the map with a panel and a song, the list, and the share dialog', async ({ page, stock }) => {
    const [{ id, name }] = [await stock(previewSongs(2))]
    const place = {
      id,
      name,
      family: 'rock',
      color: '#c45b7c',
      songCount: 30,
      description: 'Guitars. '.repeat(30),
    }
    const names = [name, 'Australian pub rock', 'Atmospheric Drum and Bass', 'موسيقى', 'dub', 'EBM']
    await answer(
      page,
      getMap,
      names.map((each, k) => ({
        ...place,
        id: k === 0 ? id : `${k}`,
        name: each,
        x: k % 3,
        y: k,
        ratings: k,
        bangers: k,
      })),
    )
    await signIn(page, { path: `/microgenres?microgenre=${id}` })
    await page.getByRole('button', { name: /^Australian pub rock, / }).click()
    await expect(page.getByRole('region', { name: 'Australian pub rock' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: new RegExp(`^${name}, `) }).click()
    await page.getByRole('button', { name: 'Hear a song' }).click()
    await expect(page.getByRole('region', { name: 'Now playing' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'List' }).click()
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect(page.getByRole('dialog').getByRole('img', { name: /^The picture/ })).toBeVisible()
    await expectAccessible(page)
  })

  test('the map of the whole catalogue, and before it is drawn', async ({ page }) => {
    await signIn(page, { path: '/microgenres' })
    const dots = page.getByRole('group', { name: 'Map of microgenres' }).getByRole('button')
    // It is drawn soon after the server's start, and an empty page does not ask again.
    await expect(async () => {
      await page.reload()
      await expect(dots).not.toHaveCount(0)
    }).toPass()
    await expectAccessible(page)
    await answer(page, getMap, [])
    await page.reload()
    await expect(page.getByText(/It is drawn within an hour/)).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('people', () => {
  test('@long profile, with a second session', async ({ page }) => {
    const email = newEmail()
    await (await signedInRequest({ email })).dispose()
    await signIn(page, { email, rated, path: '/profile' })
    await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Sign out .+ on / })).toBeVisible()
    await expectAccessible(page)
  })

  test('profile, with passkeys of long names, one of them renamed and one removed', async ({ page, app }) => {
    await addAuthenticator(page)
    const email = await startSession(page.context())
    for (const name of ['W'.repeat(PASSKEY_NAME_LENGTH), 'Work laptop', 'Phone'])
      await app.db`
        insert into passkeys (credential_id, user_id, user_handle, public_key, counter, transports, name)
        select decode(md5(email || ${name}), 'hex'), id, '', '', 0, '{}', ${name} from users where email = ${email}`
    await signIn(page, { email, rated, path: '/profile' })
    const passkeys = page.getByRole('region', { name: 'Passkeys' })
    await passkeys.getByRole('button', { name: 'Rename Work laptop' }).click()
    await passkeys.getByRole('button', { name: 'Remove Phone' }).click()
    await expect(passkeys.getByRole('button', { name: 'Keep it' })).toBeVisible()
    await expectAccessible(page)
  })

  test('profile dialog', async ({ page }) => {
    await signIn(page, { rated })
    await page.getByRole('button', { name: 'Your profile' }).click()
    await expect(dialog(page, 'Profile').getByLabel('Bio')).toBeVisible()
    await expectAccessible(page)
  })

  test('profile photo: the empty dialog, a rejected file, a file, its editor and its card', async ({
    page,
    stock,
  }) => {
    const files = await makeFiles()
    await stock(videoSongs(1))
    await signIn(page)
    await expect(page.getByRole('complementary', { name: 'Video' })).toBeVisible()
    await page.getByRole('button', { name: 'Your profile' }).click()
    await dialog(page, 'Profile').getByRole('button', { name: 'Change photo' }).click()
    const photo = dialog(page, 'Profile photo')
    await expect(photo.getByRole('button', { name: 'browse files' })).toBeVisible()
    await dropFiles(page, photo.getByRole('group', { name: 'Files' }), [await files.file('a.txt', 9)])
    await expect(photo.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await dropFiles(page, photo.getByRole('group', { name: 'Files' }), [await files.photo()])
    await expect(photo.getByRole('button', { name: 'Crop square' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(photo.getByRole('button', { name: 'Upload 1 file' })).toBeVisible()
    await expectAccessible(page)
    await photo.getByRole('button', { name: 'Edit file me.jpg' }).click()
    await expect(photo.getByLabel('Name')).toBeVisible()
    await expectAccessible(page)
    await files.remove()
  })

  test('profile with all bangers, and its achievements', async ({ page }) => {
    await signIn(page, { rated: { banger: 24 }, path: '/profile' })
    await page.getByRole('button', { name: 'And 4 more bangers...' }).click()
    await expect(page.getByRole('tabpanel').getByRole('button', { name: /^Play (?!all$)/ })).toHaveCount(24)
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Play (?!all$)/ })
      .nth(1)
      .click()
    await expect(toast(page)).toContainText('Now Playing')
    await expectAccessible(page)
    await page.getByRole('tab', { name: /^Achievements/ }).click()
    await expect(page.getByRole('img', { name: 'Locked' }).first()).toBeVisible()
    await expectAccessible(page)
  })

  test("people dialog, another's profile, and lists, with the longest texts (people-29)", async ({
    page,
    app,
  }) => {
    const name = `Ada${randomInt(1e9)}`.padEnd(NAME_LENGTH, 'm')
    const profile = { firstName: name, lastName: 'W'.repeat(NAME_LENGTH), bio: 'i'.repeat(BIO_LENGTH) }
    const ada = await makeListener({ ...profile, isPublic: true, showEmail: true })
    const address = `${'w'.repeat(60)}${randomInt(1e9)}@${'long'.repeat(15)}.example.org`
    await app.db`update users set email = ${address} where id = ${ada.id}`
    const gone = await makeListener({ isPublic: true })
    const email = `${'own'.repeat(18)}${randomInt(1e6)}@${'long'.repeat(15)}.example.org`
    await startSession(page.context(), { email })
    for (const { id } of [gone, ada]) await page.request.post(follow.path.replace(':id', id))
    await gone.api.put(updateProfile.path, { data: { isPublic: false } })
    await signIn(page, { email, path: '/?dialog=profile' })
    await expect(dialog(page, 'Profile').getByText(email)).toBeVisible()
    await expectAccessible(page)
    await dialog(page, 'Profile').getByRole('button', { name: '2 following' }).click()
    await expect(dialog(page, 'Following').getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Discover Music Explorers' }).click()
    const explorers = dialog(page, 'Discover Music Explorers')
    await explorers.getByRole('searchbox').fill(name)
    await expect(explorers.getByRole('listitem')).toHaveCount(1)
    await expectAccessible(page)
    await explorers.getByRole('listitem').getByRole('button').first().click()
    await expect(
      dialog(page, 'Profile').getByRole('button', { name: 'Following', exact: true }),
    ).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Report this profile' }).click()
    await expect(dialog(page, 'Report this profile').getByRole('combobox')).toBeVisible()
    await expectAccessible(page)
  })

  test('delete my account', async ({ page }) => {
    await signIn(page, { path: '/profile' })
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(dialog(page, 'Delete my account').getByRole('textbox')).toBeVisible()
    await expectAccessible(page)
  })

  test('404', async ({ page }) => {
    await signIn(page, { path: '/no-such-page' })
    await expect(heading(page)).toHaveText('Page Not Found')
    await expectAccessible(page)
  })
})

test.describe('the desk', () => {
  const LONG = 'An unbreakabletitle'.repeat(8)
  const values = {
    title: LONG,
    artist: 'ﷺ and the W'.repeat(14),
    year: 1993,
    microgenreId: '1',
    microgenre: 'shoegaze',
    color: '#778899',
    albumArt: null,
    youtubeId: null,
    spotifyId: null,
    deezerTrackId: null,
    recordingMbid: null,
  }
  const known = { ...values, id: '5' }
  const person = {
    id: '9',
    name: LONG.slice(0, NAME_LENGTH),
    bio: 'i'.repeat(BIO_LENGTH),
    profileImageUrl: null,
  }
  const about = {
    suggestion: null,
    video: null,
    microgenre: null,
    song: null,
    person: null,
    collection: null,
  }
  const waits = { subjectId: '7', votes: 12, since: '2026-03-04T05:06:07.000Z', reasons: [] }
  const reasons = [
    { reason: 'pretends', votes: 2 },
    { reason: 'hateful', votes: 1 },
  ] as const
  const cases: Record<string, DeskCase> = {
    suggestion: {
      ...waits,
      ...about,
      subject: 'suggestion',
      suggestion: {
        ...values,
        id: '7',
        state: 'waiting',
        address: `https://a-band.bandcamp.com/track/${'a-song-'.repeat(40)}`,
        service: 'bandcamp',
        suggester: { id: '9', name: person.name, isTrusted: true, waiting: 12 },
        foundScore: 54,
        alike: [known],
      },
    },
    video: {
      ...waits,
      ...about,
      subject: 'video',
      votes: 0,
      video: {
        ...values,
        id: '7',
        videoTitle: LONG,
        channel: values.artist,
        videoMs: 3_723_000,
        songMs: null,
        source: 'youtube',
        score: 64,
        doubt: 'weak',
      },
    },
    microgenre: {
      ...waits,
      ...about,
      subject: 'microgenre',
      votes: 0,
      microgenre: {
        id: '7',
        name: LONG.slice(0, MICROGENRE_LENGTHS.name),
        family: 'W'.repeat(MICROGENRE_LENGTHS.family),
        near: LONG.slice(0, MICROGENRE_LENGTHS.name),
        color: '#778899',
        songs: 1234,
        artists: 567,
        examples: [1, 2, 3, 4, 5].map((n) => ({
          recordingMbid: `8f3471b5-7e6a-48da-86a9-c1c07a0f470${n}`,
          title: values.title,
          artist: values.artist,
          year: 1993,
        })),
      },
    },
    song: {
      ...waits,
      ...about,
      subject: 'song',
      reasons: [{ reason: 'wrong-microgenre', votes: 12 }],
      song: { ...values, id: '7', ratings: 1234 },
    },
    person: { ...waits, ...about, subject: 'person', reasons: [...reasons], person },
    collection: {
      ...waits,
      ...about,
      subject: 'collection',
      reasons: [...reasons],
      collection: { id: '7', name: LONG, description: LONG, microgenres: ['dub', 'shoegaze'], owner: person },
    },
  }

  test('a case of each kind', async ({ page }) => {
    await startSession(page.context())
    for (const one of Object.values(cases)) {
      await answer(page, listCases, { waiting: 31, cases: [one] })
      await page.goto('/desk')
      await expect(page.getByRole('region', { name: 'Case' })).toBeVisible()
      await expectAccessible(page)
    }
  })

  test('the dialogs of a suggestion', async ({ page }) => {
    await answer(page, listCases, { waiting: 31, cases: Object.values(cases).slice(0, 1) })
    await signIn(page, { path: '/desk' })
    await expect(page.getByRole('region', { name: 'Case' })).toBeVisible()
    for (const [key, name] of [
      ['ArrowLeft', 'Reject'],
      ['c', 'Correct'],
      ['m', 'Merge'],
    ] as const) {
      await page.keyboard.press(key)
      const field = dialog(page, name).getByRole('textbox').or(dialog(page, name).getByRole('searchbox'))
      await expect(field.first()).toBeVisible()
      await expectAccessible(page)
      await closeWithEscape(dialog(page, name))
    }
  })

  test('the dialog of a new microgenre', async ({ page }) => {
    await answer(page, listCases, {
      waiting: 31,
      cases: Object.values(cases).filter(({ subject }) => subject === 'microgenre'),
    })
    await signIn(page, { path: '/desk' })
    await expect(page.getByRole('region', { name: 'Case' })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    const words = dialog(page, 'New microgenre')
    await expect(words.getByLabel('Description', { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('the trail', async ({ page }) => {
    const decision = {
      steward: person.name,
      subject: 'suggestion',
      subjectId: '7',
      label: `${LONG} by ${values.artist}`,
      action: 'correct',
      reason: null,
      changes: [{ field: 'title', before: LONG, after: `${LONG}!` }],
      undoes: null,
      batch: '2',
      canUndo: true,
      createdAt: '2026-03-04T05:06:07.000Z',
    } as const
    await answer(page, listCases, { waiting: 0, cases: [] })
    await answer(page, listDecisions, [
      { ...decision, id: '3', action: 'undo', undoes: '1', changes: [], batch: null },
      { ...decision, id: '2', changes: [...decision.changes] },
      { ...decision, id: '1', action: 'reject', reason: LONG, changes: [], canUndo: false },
    ])
    await signIn(page, { path: '/desk' })
    await expect(page.getByText('Nothing waits.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Trail' }).click()
    await expect(page.getByRole('list', { name: 'Trail' }).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
  })
})

test.describe('the pages for operators', () => {
  test('verification, with all kinds of results', async ({ page }) => {
    await answer(page, countSongs, { total: 3 })
    const unknown = { spotifyId: null, youtubeTitle: null, qualityScore: null, error: null }
    const unmatched = { titleMatch: false, artistMatch: false, youtubeAccessible: false }
    await answer(page, verifyBatch, {
      results: [
        {
          ...unknown,
          songId: '1',
          title: 'Acid Tracks',
          artist: 'Phuture',
          youtubeId: 'JCUPc9zVfyo',
          youtubeAccessible: true,
          youtubeTitle: 'Phuture - Acid Tracks',
          qualityScore: 64,
          titleMatch: true,
          artistMatch: true,
        },
        {
          ...unknown,
          ...unmatched,
          songId: '2',
          title: 'Killer',
          artist: 'Adamski',
          youtubeId: 'QMyxLbpxS6U',
          error: 'Embedding is off.',
        },
        {
          ...unknown,
          ...unmatched,
          songId: '3',
          title: 'Beat Dis',
          artist: 'Bomb The Bass',
          youtubeId: null,
        },
      ],
      stats: { total: 3, accessible: 1, blocked: 1, missing: 1, goodMatches: 0, poorMatches: 1 },
      progress: 100,
      currentBatch: 1,
      completed: true,
    })
    await signIn(page, { path: '/verification' })
    await page.getByRole('button', { name: 'Start Verification' }).click()
    await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
  })

  test('authentication testing, with results', async ({ page }) => {
    await signIn(page, { path: '/auth-test' })
    await page.getByRole('button', { name: 'Test User Creation' }).click()
    await expect(page.getByText('Tests Passed')).toBeVisible()
    await expectAccessible(page)
  })

  test('coverage, with long names', async ({ page }) => {
    const row = {
      songs: 1234,
      identified: 1234,
      withVideo: 0,
      withPreview: 600,
      withSpotify: 1,
      heardByNobody: 9,
    }
    const names = ['Atmospheric Drum and Bass', 'Neue Deutsche Welle', 'x'.repeat(60), 'موسيقى']
    await answer(page, getCoverage, {
      all: row,
      microgenres: names.map((microgenre) => ({ ...row, microgenre })),
    })
    await signIn(page, { path: '/coverage' })
    await expect(page.getByRole('row')).toHaveCount(6)
    await expectAccessible(page)
  })

  test('feedback, with all kinds of messages, and without any', async ({ page }) => {
    const received = { createdAt: '2026-03-04T05:06:07.000Z', mailed: false } as const
    const long = 'averylongaddress.that.does.not.break@a-rather-long-name-of-a-host.example.org'
    await answer(page, listFeedback, [
      { ...received, id: '3', from: 'listener', email: null, message: 'Louder.\n\nSlower.' },
      {
        ...received,
        id: '2',
        from: 'visitor',
        email: long,
        message: `${'word '.repeat(80)}${'x'.repeat(90)}`,
      },
      { ...received, id: '1', from: 'listener', email: 'a@b.example', message: 'موسيقى', mailed: true },
    ])
    await signIn(page, { path: '/feedback' })
    await expect(page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    await answer(page, listFeedback, [])
    await page.reload()
    await expect(page.getByText('Nobody has written yet.')).toBeVisible()
    await expectAccessible(page)
  })

  test('accounts with long names, the dialog of one, and none', async ({ page }) => {
    const account: Account = {
      id: '7',
      name: 'Ada Lovelace',
      email: 'a…a@example.org',
      createdAt: '2026-03-04T05:06:07.000Z',
      lastSeenAt: '2026-03-04T05:06:07.000Z',
      ratings: 1_234_567,
      sessions: 3,
      providers: ['google', 'oidc'],
      invitation: 'The choir',
      isSteward: true,
      isOperator: false,
      suspendedAt: '2026-03-04T05:06:07.000Z',
    }
    await answer(page, listAccounts, [
      { ...account, name: 'x'.repeat(100), invitation: 'y'.repeat(100) },
      { ...account, id: '6', name: 'موسيقى', email: null, providers: [], suspendedAt: null },
      { ...account, id: '5', name: 'Account 5', isOperator: true, email: `${'l'.repeat(60)}@example.org` },
    ])
    await signIn(page, { path: '/admin' })
    await expect(page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    for (const row of [0, 2]) {
      await page
        .getByRole('button', { name: /^Manage / })
        .nth(row)
        .click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Unmake steward' })).toBeVisible()
      await expectAccessible(page)
      await closeWithEscape(page.getByRole('dialog'))
    }
    await answer(page, listAccounts, [])
    await page.reload()
    await expect(page.getByText('There are no older accounts.')).toBeVisible()
    await expectAccessible(page)
  })

  test('invitations with a link, limits and the trail', async ({ page }) => {
    const createdAt = '2026-03-04T05:06:07.000Z'
    const invitation = { uses: 1, maxUses: 1000, createdAt, expiresAt: createdAt }
    // Ids that the invitation made below cannot get.
    await answer(page, listInvitations, {
      registration: 'open',
      invitations: [
        { ...invitation, id: '9003', note: 'x'.repeat(100), state: 'open' },
        { ...invitation, id: '9002', note: null, state: 'expired' },
        { ...invitation, id: '9001', note: 'موسيقى', state: 'revoked' },
      ],
    })
    await signIn(page, { path: '/admin' })
    await page.getByRole('tab', { name: 'Invitations' }).click()
    await page.getByRole('button', { name: 'Make invitation' }).click()
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await expectAccessible(page)

    const reached = { counts: 'sign-in links', used: 12, max: 5, until: createdAt }
    await answer(page, listLimits, {
      limits: [{ name: 'magic-link-address', counts: 'sign-in links', per: 'address', max: 5, seconds: 900 }],
      quotas: {
        callsPerMinute: 1200,
        uploadBytes: 1e8,
        storedBytes: 1e9,
        suggestions: 20,
        suggestionsOfNew: 5,
      },
      searches: { used: 100, max: 100 },
      reached: [
        { ...reached, id: 'a', who: `${'l'.repeat(60)}@example.org` },
        { ...reached, id: 'b', who: 'all' },
      ],
    })
    await page.getByRole('tab', { name: 'Limits' }).click()
    await expect(page.getByRole('list', { name: 'Reached limits' }).getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)

    const act = { subject: 'account', label: 'x'.repeat(100), action: 'suspend', createdAt } as const
    await answer(page, listActs, [
      { ...act, id: '2', by: 'y'.repeat(100), isCommand: false },
      { ...act, id: '1', by: null, isCommand: true },
    ])
    await page.getByRole('tab', { name: 'Trail' }).click()
    await expect(page.getByRole('list', { name: 'Trail' }).getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
  })

  test('playback diagnostic, with results and every tab', async ({ page }) => {
    await answer(page, listPlaybackHealth, [
      {
        songId: '7',
        title: 'Acid Tracks',
        artist: 'Phuture',
        youtubeId: 'JCUPc9zVfyo',
        blocked: true,
        played: 1,
        failed: 4,
        previews: 3,
        errors: { '150': 4 },
        lastReportedAt: '2026-03-04T05:06:07.000Z',
      },
    ])
    await answer(page, verifyVideo, {
      embeddable: false,
      accessible: true,
      error: 'Embedding is off.',
      strategies: [{ name: 'oEmbed', success: false, detail: 'Embedding is off.' }],
    })
    await signIn(page, { path: '/youtube-optimization' })
    await page.getByRole('button', { name: 'Run Checks' }).click()
    await page.getByRole('button', { name: 'Test Preview Availability' }).click()
    await page.getByRole('tab', { name: 'Verify Video' }).click()
    await page.getByLabel('Video ID').fill('JCUPc9zVfyo')
    await page.getByRole('button', { name: 'Verify Video' }).click()
    await expect(page.getByText('Video Cannot be Embedded')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Tracks' }).getByRole('listitem')).toHaveCount(8)
    await expectAccessible(page)
  })
})
