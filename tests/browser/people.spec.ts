import type { Locator, Page } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { FOLLOWS_PAGE_SIZE, follow, unfollow, updateProfile } from '../../contract/profiles.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { makeListener, rateSongs } from './listeners.ts'
import { watchCalls } from './mockResponses.ts'
import { toast } from './testSongs.ts'

const own = (page: Page) => page.getByRole('dialog', { name: 'Profile' })
const explorers = (page: Page) => page.getByRole('dialog', { name: 'Discover Music Explorers' })

async function openOwn(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await expect(own(page).getByLabel('Bio')).toBeVisible()
}

async function openExplorers(page: Page) {
  await page.getByRole('button', { name: 'Discover Music Explorers' }).click()
  await expect(explorers(page).getByRole('searchbox')).toBeVisible()
}

/** What opens the profile of a row; beside it is the button to follow. */
const openerOf = (row: Locator) => row.getByRole('button').first()

/** A name that is unique in this run. */
let names = 0
const newName = (name: string) => `${name}${process.pid}n${++names}`

test.describe("one's own profile", () => {
  test('people-5, people-8, people-4: name, figures and no follow button', async ({ page }) => {
    const email = await signIn(page, { rated: { banger: 2, bust: 1 } })
    await openOwn(page)
    await expect(own(page).getByText('Music Explorer')).toBeVisible()
    await expect(own(page).getByText(email)).toBeVisible()
    await expect(own(page).getByText('0 followers')).toBeVisible()
    await expect(own(page).getByText('0 following')).toBeVisible()
    const stats = own(page).getByRole('region', { name: 'Music Stats' })
    await expect(stats.getByRole('heading', { name: 'Music Stats' })).toBeVisible()
    await expect(stats.getByRole('definition').first()).toHaveText('2')
    await expect(stats.getByRole('definition').nth(1)).toHaveText('3')
    await expect(stats.getByRole('definition').nth(2)).not.toHaveText('None yet')
    await expect(own(page).getByRole('button', { name: /^Follow/ })).toHaveCount(0)
  })

  test('@long people-6, people-7, people-3: saving sends bio, isPublic and other changed fields', async ({
    page,
  }) => {
    await signIn(page)
    await openOwn(page)
    const save = async () => {
      const sent = page.waitForRequest(
        (request) => request.method() === updateProfile.method && request.url().endsWith(updateProfile.path),
      )
      await own(page).getByRole('button', { name: 'Save' }).click()
      return (await sent).postDataJSON()
    }
    await own(page).getByLabel('Bio').fill('Night buses.\nGuitars.')
    await own(page).getByRole('switch', { name: 'Public profile', exact: true }).click()
    expect(await save()).toEqual({ bio: 'Night buses.\nGuitars.', isPublic: true })
    await expect(toast(page)).toContainText('Profile Updated')

    await own(page).getByRole('button', { name: 'Close' }).click()
    await openOwn(page)
    await expect(own(page).getByLabel('Bio')).toHaveValue('Night buses.\nGuitars.')
    await expect(own(page).getByRole('switch', { name: 'Public profile', exact: true })).toBeChecked()
    await own(page).getByRole('switch', { name: 'Show my e-mail on my public profile' }).click()
    expect(await save()).toEqual({ bio: 'Night buses.\nGuitars.', isPublic: true, showEmail: true })
  })
})

test.describe('other listeners', () => {
  test('people-10, people-1, people-11: the list, its search, and who is not in it', async ({ page }) => {
    const [ada, bio, hidden] = ['Ada', 'Layla', 'Hidden'].map(newName) as [string, string, string]
    const publicListener = await makeListener({ firstName: ada, isPublic: true, showEmail: true })
    await makeListener({ firstName: bio, bio: `Oud and ${ada}x 🎧`, isPublic: true })
    await makeListener({ firstName: hidden, bio: ada, isPublic: false })
    await signIn(page)
    const me = newName('Myself')
    await page.request.put(updateProfile.path, { data: { firstName: me, isPublic: true } })

    await openExplorers(page)
    const rows = explorers(page).getByRole('listitem')
    const search = explorers(page).getByRole('searchbox')
    await expect(rows.filter({ hasText: ada }).first()).toBeVisible()
    await expect(rows.filter({ hasText: hidden })).toHaveCount(0)
    await expect(rows.filter({ hasText: me })).toHaveCount(0)

    await search.fill(ada.toUpperCase())
    await expect(rows).toHaveCount(2)
    await search.fill(bio.toLowerCase())
    await expect(rows).toHaveText([new RegExp(bio)])
    await search.fill(`OUD AND ${ada}`)
    await expect(rows).toHaveText([new RegExp(bio)])
    await search.fill(publicListener.email.slice(0, -4).toUpperCase())
    await expect(rows).toHaveText([new RegExp(ada)])
    await search.fill(me)
    await expect(rows).toHaveCount(0)
    await search.fill('.*(')
    await expect(rows).toHaveCount(0)
    await expect(explorers(page).getByText('Nobody found for “.*(”.')).toBeVisible()

    await search.fill(bio)
    await openerOf(rows).click()
    await expect(own(page).getByText(bio, { exact: true })).toBeVisible()
    await own(page).getByRole('button', { name: 'All explorers' }).click()
    await expect(search).toHaveValue(bio)
    await expect(openerOf(rows)).toBeFocused()
  })

  test('people-5, people-8: follow and unfollow', async ({ page }) => {
    const name = newName('Ida')
    const ida = await makeListener({
      firstName: name,
      lastName: 'Fox',
      bio: '<b>loud</b>\nand clear',
      isPublic: true,
    })
    await rateSongs(ida.api, { banger: 3, bust: 1 })
    await signIn(page)
    await openExplorers(page)
    await explorers(page).getByRole('searchbox').fill(name)
    await openerOf(explorers(page).getByRole('listitem')).click()

    const profile = own(page)
    await expect(profile.getByText(`${name} Fox`)).toBeVisible()
    await expect(profile.getByText(ida.email)).toHaveCount(0)
    await expect(profile.getByText('<b>loud</b>')).toHaveText('<b>loud</b>\nand clear', {
      useInnerText: true,
    })
    await expect(profile.getByRole('definition').first()).toHaveText('3')
    await expect(profile.getByRole('textbox')).toHaveCount(0)
    await expect(profile.getByRole('switch')).toHaveCount(0)
    await expect(profile.getByText('0 followers')).toBeVisible()

    const methodSent = async (button: string) => {
      const sent = page.waitForRequest((request) =>
        request.url().endsWith(follow.path.replace(':id', ida.id)),
      )
      await profile.getByRole('button', { name: button, exact: true }).click()
      return (await sent).method()
    }
    expect(await methodSent('Follow')).toBe(follow.method)
    await expect(toast(page)).toContainText('Success')
    await expect(profile.getByRole('button', { name: 'Following', exact: true })).toBeVisible()
    await expect(profile.getByText('1 follower', { exact: true })).toBeVisible()

    await page.goto('/')
    await openOwn(page)
    await expect(own(page).getByText('1 following')).toBeVisible()
    await own(page).getByRole('button', { name: 'Close' }).click()
    await openExplorers(page)
    await explorers(page).getByRole('searchbox').fill(name)
    await openerOf(explorers(page).getByRole('listitem')).click()
    await expect(profile.getByRole('button', { name: 'Following', exact: true })).toBeVisible()
    expect(await methodSent('Following')).toBe(unfollow.method)
    await expect(profile.getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
    await expect(profile.getByText('0 followers')).toBeVisible()
    const me = await (await page.request.get(getCurrentUser.path)).json()
    expect(me.followingCount).toBe(0)
  })
})

test.describe('followers and following', () => {
  const lists = (page: Page, name: 'Followers' | 'Following') => page.getByRole('dialog', { name })

  test('people-26: the counts of a profile open its lists, which link other profiles and back', async ({
    page,
  }) => {
    const [star, fan] = await Promise.all(
      ['Star', 'Fan'].map((name) => makeListener({ firstName: newName(name), isPublic: true })),
    )
    if (!star || !fan) throw new Error('There are two.')
    await fan.api.post(follow.path.replace(':id', star.id))
    await signIn(page, { path: `/?dialog=people&listener=${star.id}` })
    const count = own(page).getByRole('button', { name: '1 follower', exact: true })
    await count.click()
    const followers = lists(page, 'Followers').getByRole('listitem')
    await expect(followers).toHaveText([/Fan.*0 followersFollow$/])
    await expect(page).toHaveURL(/[?&]dialog=people&listener=\d+&list=followers$/)
    await expect(
      lists(page, 'Followers').getByText('Private listeners count, but are not listed.'),
    ).toBeVisible()

    await openerOf(followers.first()).click()
    await expect(own(page).getByRole('button', { name: '1 following', exact: true })).toBeVisible()
    await own(page).getByRole('button', { name: '1 following', exact: true }).click()
    await expect(lists(page, 'Following').getByRole('listitem')).toHaveText([/Star.*1 followerFollow$/])
    await lists(page, 'Following').getByRole('button', { name: 'Profile', exact: true }).click()
    await expect(own(page).getByRole('button', { name: '1 following', exact: true })).toBeFocused()
    await own(page).getByRole('button', { name: 'Followers', exact: true }).click()
    await expect(openerOf(followers.first())).toBeFocused()
    await page.goBack()
    await expect(count).toBeFocused()
    await page.goForward()
    await page.reload()
    await expect(followers).toHaveCount(1)
    await lists(page, 'Followers').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test("@long people-26, people-27: in one's own lists a listener who became private can be unfollowed, and others do not see the name", async ({
    page,
  }) => {
    const [shyName, openName] = [newName('Shy'), newName('Open')]
    const shy = await makeListener({ firstName: shyName, bio: `${shyName} bio`, isPublic: true })
    const open = await makeListener({ firstName: openName, isPublic: true })
    const email = await startSession(page.context())
    for (const { id } of [shy, open]) await page.request.post(follow.path.replace(':id', id))
    await shy.api.put(updateProfile.path, { data: { isPublic: false, showEmail: true } })
    await signIn(page, { email })
    await openOwn(page)
    await own(page).getByLabel('Bio').fill('Not saved yet')
    await own(page).getByRole('button', { name: '2 following', exact: true }).click()
    const following = lists(page, 'Following')
    const rows = following.getByRole('listitem')
    await expect(rows).toHaveText([
      new RegExp(`${openName}.*Following$`),
      /^Private listenerFollowed on \d.*Following$/,
    ])
    await expect(following).not.toContainText(shyName)
    const sent = watchCalls(page)
    await rows.last().getByRole('button').click()
    await expect(toast(page)).toContainText('Success')
    await expect(rows.last().getByRole('button')).toBeDisabled()
    await rows
      .first()
      .getByRole('button', { name: `Following ${openName}` })
      .click()
    await expect(rows).toHaveText([new RegExp(`${openName}.*Follow$`), /^Private listener.*Follow$/])
    // Others come from the song that plays.
    const ownCalls = sent.filter((call) => /\/api\/(users|auth)\//.test(call))
    expect(ownCalls).toEqual([shy, open].map(({ id }) => `DELETE ${unfollow.path.replace(':id', id)}`))
    await following.getByRole('button', { name: 'Profile', exact: true }).click()
    await expect(own(page).getByRole('button', { name: '0 following', exact: true })).toBeFocused()
    await expect(own(page).getByLabel('Bio')).toHaveValue('Not saved yet')
  })

  test('@long people-26: a long list shows a hundred at a time', async ({ page, app }) => {
    const star = await makeListener({ firstName: newName('Star'), isPublic: true })
    const crowd = newName('Crowd')
    await app.db`
      with made as (
        insert into users (first_name, is_public) select ${crowd}, true
        from generate_series(1, ${FOLLOWS_PAGE_SIZE + 30}::int) returning id)
      insert into follows (follower_id, followed_id) select id, ${star.id} from made`
    await signIn(page, { path: `/?dialog=people&listener=${star.id}&list=followers` })
    const followers = lists(page, 'Followers')
    await expect(followers.getByRole('listitem')).toHaveCount(FOLLOWS_PAGE_SIZE)
    await followers.getByRole('button', { name: 'Show more' }).click()
    await expect(followers.getByRole('listitem')).toHaveCount(FOLLOWS_PAGE_SIZE + 30)
    await expect(followers.getByRole('button', { name: 'Show more' })).toHaveCount(0)
    await app.db`delete from users where first_name = ${crowd}`
  })
})
