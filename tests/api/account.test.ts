import { expect, test, vi } from 'vitest'
import { listAchievements } from '../../contract/achievements.ts'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  shareCollection,
} from '../../contract/collections.ts'
import { decideCase } from '../../contract/desk.ts'
import { deferSong } from '../../contract/discovery.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { savePreferences } from '../../contract/onboarding.ts'
import { reportProgress } from '../../contract/playback.ts'
import {
  deleteAccount,
  exportRatings,
  follow,
  getFollowStatus,
  listFollowers,
  listFollowing,
  updateProfile,
} from '../../contract/profiles.ts'
import { reportSubject } from '../../contract/reports.ts'
import { shareAchievement } from '../../contract/sharing.ts'
import { suggestSong } from '../../contract/suggestions.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { removeFollows } from '../../server/profiles/deleteAccount.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { makeMicrogenre, rate, rateOn } from '../factories.ts'
import { QUESTIONNAIRE_ANSWERS } from '../harness/ownerFixture.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { refusal } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('deleting an account removes its rows from every table (people-18)', async () => {
  // Ids that occur nowhere else: any row that contains one belongs to the account.
  await app.db`alter sequence users_id_seq restart with 918273645001`
  const ada = await app.signIn('ada-who-leaves@example.test')
  await app.db`alter sequence users_id_seq restart with 555000`
  const bob = await app.signIn()
  await app.signIn(ada.email)
  await bob.call(updateProfile, { body: { isPublic: true } })
  await ada.call(updateProfile, { body: { isPublic: true, showEmail: true, firstName: 'Ada', bio: 'Dub.' } })
  await ada.call(follow, { params: { id: bob.id } })
  await bob.call(follow, { params: { id: ada.id } })
  const genre = await makeMicrogenre(app.db, 12)
  await rateOn(ada, genre.id)
  await rateOn(bob, genre.id)
  await rollUp(app.db)
  await rate(ada, genre.id, genre.songs[0] ?? '', 'bust')
  const newMicrogenre = await makeMicrogenre(app.db, 1)
  await ada.call(deferSong, {
    body: { microgenreId: newMicrogenre.id, songId: newMicrogenre.songs[0] ?? '', again: false },
  })
  await ada.call(reportProgress, {
    body: { songId: genre.songs[0] ?? '', secondsListened: 5, totalDuration: 10 },
  })
  await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hello' } })
  await ada.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS })
  const suggestion = { microgenreId: genre.id, title: 'Left behind', artist: 'Somebody' }
  const { id: suggested } = (await ada.call(suggestSong, { body: suggestion })).body.suggestion
  await ada.call(reportSubject, {
    body: { subject: 'song', subjectId: genre.songs[0] ?? '', reason: 'wrong-song' },
  })
  await bob.call(reportSubject, { body: { subject: 'bio', subjectId: ada.id, reason: 'spam' } })
  await bob.call(decideCase, { body: { subject: 'bio', subjectId: ada.id, action: 'dismiss' } })
  await ada.call(decideCase, {
    body: { subject: 'suggestion', subjectId: suggested, action: 'reject', reason: 'Live' },
  })
  const collection = (await ada.call(createCollection, { body: { name: 'Late', isPublic: true } })).body
  await ada.call(addCollectionItem, { params: { id: collection.id }, body: { microgenreId: genre.id } })
  await ada.call(shareCollection, { params: { id: collection.id } })
  const [achievement] = (await ada.call(listAchievements)).body
  await ada.call(shareAchievement, { params: { id: achievement?.id ?? '' } })
  await app.db`
    insert into identities (provider, subject, user_id, claimed_email) values ('google', '1', ${ada.id}, ${ada.email})`
  await app.db`
    insert into playback_reports (song_id, user_id, outcome) values (${genre.songs[0] ?? ''}, ${ada.id}, 'failed')`
  await app.db`insert into provider_pictures (user_id, address) values (${ada.id}, 'https://example.test/a.jpg')`
  await app.db`insert into uploads (key, user_id, purpose) values ('a-photo', ${ada.id}, 'profile-photo')`
  await ada.call(sendMagicLink, { body: { email: ada.email } })
  expect(await tablesWith(ada)).toEqual([
    'achievements',
    'collections',
    'decisions',
    'feedback',
    'follow_counts',
    'follows',
    'identities',
    'limit_counters',
    'listener_genres',
    'listener_hands',
    'listener_last_days',
    'listener_stats',
    'listening_progress',
    'not_now',
    'playback_reports',
    'preferences',
    'provider_pictures',
    'rating_changes',
    'ratings',
    'reports',
    'sessions',
    'share_tokens',
    'sign_in_tokens',
    'suggestion_votes',
    'uploads',
    'users',
  ])

  const { status, body } = await ada.call(deleteAccount, { body: { confirmation: ada.email.toUpperCase() } })
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect((await ada.call(getCurrentUser)).status).toBe(401)
  for (const list of [listFollowers, listFollowing])
    expect((await bob.call(list, { params: { id: bob.id } })).body).toEqual([])
  await removeFollows(app.db)
  await sweepUploads(app.db, app.store)
  expect((await bob.call(getCurrentUser)).body).toMatchObject({ followerCount: 0, followingCount: 0 })
  await expectRecount(app.db)
  expect(await tablesWith(ada)).toEqual([])
  expect(await app.db`select from collection_items where collection_id = ${collection.id}`).toHaveLength(0)
})

/** Tables with a row that holds the listener's id or address in any column, also inside a longer text. */
async function tablesWith({ id, email }: { id: string; email: string }): Promise<string[]> {
  const columns = await app.db<{ tableName: string; columnName: string }[]>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' order by table_name`
  const tablesWithRows = new Set<string>()
  for (const { tableName, columnName } of columns) {
    const rows = await app.db`
      select from ${app.db(tableName)}
      where ${app.db(columnName)}::text ilike any (array[${`%${id}%`}, ${`%${email}%`}]) limit 1`
    if (rows.length > 0) tablesWithRows.add(tableName)
  }
  return [...tablesWithRows]
}

test.each(['', 'DELETE', 'someone-else@example.test', 'yes'])(
  "without the account's own address (%j) nothing is deleted",
  async (confirmation) => {
    const answer = await ada.call(deleteAccount, { body: { confirmation } })

    expect(answer).toMatchObject(refusal(400, 'Please type the e-mail of your account.'))
    expect((await ada.call(getCurrentUser)).status).toBe(200)
  },
)

test('an account without an e-mail address is deleted by typing DELETE', async () => {
  await app.db`update users set email = null where id = ${ada.id}`

  expect((await ada.call(deleteAccount, { body: { confirmation: 'remove' } })).status).toBe(400)
  expect((await ada.call(deleteAccount, { body: { confirmation: 'DELETE' } })).status).toBe(200)
})

test('a deletion waits for nobody, and nobody for it: followers, and a bucket that does not answer', async () => {
  const [ada, bob, cleo] = [await app.signIn(), await app.signIn(), await app.signIn()]
  for (const who of [ada, bob, cleo]) await who.call(updateProfile, { body: { isPublic: true } })
  for (const who of [bob, cleo]) await who.call(follow, { params: { id: ada.id } })
  await app.db`insert into uploads (key, user_id, purpose) values ('slow', ${ada.id}, 'profile-photo')`
  const remove = vi.spyOn(app.store, 'remove').mockImplementation(() => new Promise(() => {}))
  await app.db.begin(async (tx) => {
    await tx`select from users where id in (${bob.id}, ${cleo.id}) for update`
    await tx`select from follow_counts where user_id in (${bob.id}, ${cleo.id}) for update`
    expect((await ada.call(deleteAccount, { body: { confirmation: ada.email } })).status).toBe(200)
  })
  expect(remove).not.toHaveBeenCalled()
  remove.mockRestore()

  expect((await bob.call(listFollowing, { params: { id: bob.id } })).body).toEqual([])
  expect((await bob.call(getFollowStatus, { params: { id: ada.id } })).status).toBe(404)
  await removeFollows(app.db)
  expect((await bob.call(getCurrentUser)).body).toMatchObject({ followerCount: 0, followingCount: 0 })
  expect(await app.db`select from follows where followed_id = ${ada.id}`).toEqual([])
  expect(await app.db`select from deleted_accounts`).toEqual([])
})

test('desk-19: the trail forgets a collection that was reported and deleted before its account', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const { id } = (await ada.call(createCollection, { body: { name: 'Zzyzx', isPublic: true } })).body
  const { shareToken } = (await ada.call(shareCollection, { params: { id } })).body
  await bob.call(reportSubject, {
    body: { subject: 'collection', subjectId: shareToken, reason: 'spam' },
  })
  await bob.call(decideCase, { body: { subject: 'collection', subjectId: id, action: 'block' } })
  await ada.call(deleteCollection, { params: { id } })
  const trail = () => app.db`select from decisions where decisions::text like '%Zzyzx%'`
  expect(await trail()).toHaveLength(1)
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  expect(await trail()).toHaveLength(0)
})

test('a decision of the desk beside a deletion does not deadlock', async () => {
  for (let round = 0; round < 15; round++) {
    const [ada, bob] = [await app.signIn(), await app.signIn()]
    await ada.call(updateProfile, { body: { isPublic: true, bio: 'Rude' } })
    for (const subject of ['bio', 'person'] as const)
      await bob.call(reportSubject, { body: { subject, subjectId: ada.id, reason: 'spam' } })
    const [deleted, ...decided] = await Promise.all([
      ada.call(deleteAccount, { body: { confirmation: ada.email } }),
      bob.call(decideCase, { body: { subject: 'bio', subjectId: ada.id, action: 'block' } }),
      bob.call(decideCase, { body: { subject: 'person', subjectId: ada.id, action: 'block' } }),
    ])
    expect(deleted?.status).toBe(200)
    for (const { status } of decided) expect([200, 404, 409]).toContain(status)
  }
})

test("a deleted account's address can sign up again, as a new listener", async () => {
  const ada = await app.signIn('phoenix@example.test')
  await rateOn(ada, (await makeMicrogenre(app.db, 1)).id)
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  const again = await app.signIn('phoenix@example.test')

  expect(again.id).not.toBe(ada.id)
})

test('another process with a cached session stores nothing for a deleted account', async () => {
  const other = await app.another()
  const otherProcess = ada.at(other.url)
  const genre = await makeMicrogenre(app.db, 3)
  await otherProcess.call(getCurrentUser)
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })

  const progress = { songId: genre.songs[0] ?? '', secondsListened: 1, totalDuration: 2 }
  expect((await rate(otherProcess, genre.id, genre.songs[0] ?? '')).status).toBe(401)
  for (const answer of [
    await otherProcess.call(sendFeedback, { body: { email: ada.email, message: 'Hello' } }),
    await otherProcess.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS }),
    await otherProcess.call(reportProgress, { body: progress }),
  ]) {
    expect(answer.status).toBeLessThan(500)
  }
  expect(await app.db`select from listening_progress where user_id = ${ada.id}`).toHaveLength(0)
  expect(await app.db`select from listener_genres where user_id = ${ada.id}`).toHaveLength(0)
})

test('ratings and progress that race the deletion of their account leave no rows', async () => {
  const genre = await makeMicrogenre(app.db, 30)
  const env = readEnv({})
  for (let round = 0; round < 20; round++) {
    const ada = await app.signIn()
    await Promise.allSettled([
      ...genre.songs
        .slice(0, 10)
        .map((songId) => rateSong(app.db, env, ada.id, { microgenreId: genre.id, songId, rating: 'banger' })),
      ...genre.songs
        .slice(0, 5)
        .map((songId) =>
          ada.call(reportProgress, { body: { songId, secondsListened: 1, totalDuration: 2 } }),
        ),
      ada.call(deleteAccount, { body: { confirmation: ada.email } }),
    ])
    expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
    expect(await app.db`select from listener_genres where user_id = ${ada.id}`).toHaveLength(0)
    expect(await app.db`select from listening_progress where user_id = ${ada.id}`).toHaveLength(0)
  }
  await expectRecount(app.db)
})

test('the JSON export has every rating, oldest first', async () => {
  const genre = await makeMicrogenre(app.db, 3)
  await rate(ada, genre.id, genre.songs[1] ?? '', 'bust')
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  const { status, headers, body } = await ada.raw(exportRatings.path)

  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe('attachment; filename="banger-or-bust.json"')
  expect(body).toEqual(
    [
      ['Song 1', 'Artist 1', 'bust'],
      ['Song 0', 'Artist 0', 'banger'],
    ].map(([title, artist, rating]) => ({
      title,
      artist,
      microgenre: genre.name,
      year: null,
      rating,
      ratedAt: expect.stringMatching(/Z$/),
      youtubeId: null,
      spotifyId: null,
      durationSeconds: null,
    })),
  )
})

test('the CSV export is quoted and contains no formulas', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`update songs set title = '=cmd()', artist = 'A, "B"' where id = ${genre.songs[0] ?? ''}`
  await app.db`update songs set title = E'two\nlines', artist = '-x' where id = ${genre.songs[1] ?? ''}`
  await rate(ada, genre.id, genre.songs[0] ?? '')
  await rate(ada, genre.id, genre.songs[1] ?? '')
  const { headers, text } = await ada.raw(`${exportRatings.path}?format=csv`)

  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(text).toContain(`\r\n'=cmd(),"A, ""B""",${genre.name},,banger,`)
  expect(text).toContain(`\r\n"two\nlines",'-x,${genre.name},,banger,`)
})

test('the playlist export contains the bangers', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`update songs set youtube_id = 'aaaaaaaaaaa' where id = ${genre.songs[0] ?? ''}`
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  await rate(ada, genre.id, genre.songs[1] ?? '', 'bust')
  const { text } = await ada.raw(`${exportRatings.path}?format=jspf`)

  expect(JSON.parse(text).playlist.track).toEqual([
    {
      title: 'Song 0',
      creator: 'Artist 0',
      annotation: genre.name,
      location: ['https://www.youtube.com/watch?v=aaaaaaaaaaa'],
    },
  ])
})

test('an empty export is valid; unknown formats are rejected', async () => {
  expect((await ada.raw(exportRatings.path)).body).toEqual([])
  expect(JSON.parse((await ada.raw(`${exportRatings.path}?format=jspf`)).text).playlist.track).toEqual([])
  expect((await ada.raw(`${exportRatings.path}?format=xml`)).status).toBe(400)
})

test('limits-2: the 21st download of ratings within an hour answers 429', async () => {
  const ada = await app.signIn()
  for (let i = 0; i < 20; i++) expect((await ada.raw(exportRatings.path)).status).toBe(200)

  expect(await ada.raw(exportRatings.path)).toMatchObject(
    refusal(429, 'You have downloaded your ratings often. Please wait an hour.'),
  )
})
