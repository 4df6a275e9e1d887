import { describe, expect, test } from 'vitest'
import { actOnAccount } from '../../contract/admin.ts'
import { listSessions } from '../../contract/auth.ts'
import { decideCase } from '../../contract/desk.ts'
import { deferSong } from '../../contract/discovery.ts'
import { contactOperator, sendFeedback } from '../../contract/feedback.ts'
import { removeRating } from '../../contract/library.ts'
import { addPasskey, getPasskeyOptions } from '../../contract/passkeys.ts'
import { reportPlayback } from '../../contract/playback.ts'
import { exportData, follow, updateProfile } from '../../contract/profiles.ts'
import { reportSubject } from '../../contract/reports.ts'
import { suggestSong } from '../../contract/suggestions.ts'
import { requestPhotoUpload } from '../../contract/uploads.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { LISTENER_TABLES } from '../../server/db/tables/listenerTables.ts'
import { readEnv } from '../../server/env.ts'
import { writeData } from '../../server/profiles/exportData.ts'
import { makeImport, makeMicrogenre, rate, writeRatings } from '../factories.ts'
import { makeOwnerFixture, PRIVATE_BIO, QUESTIONNAIRE_ANSWERS } from '../harness/ownerFixture.ts'
import { makePasskey } from '../harness/passkeys.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

const app = setUpApp()

const listenerTables = Object.entries(LISTENER_TABLES)

/** Where the rows of each table are in the download. */
const DOWNLOADED_TABLES: Record<string, string> = Object.fromEntries(
  listenerTables.flatMap(([name, { download }]) => (typeof download === 'string' ? [[name, download]] : [])),
)

test('people-23: every table that refers to listeners is in the download, or left out for a reason', async () => {
  const tables = await app.db<{ name: string }[]>`
    with recursive tied as (
      select 'users'::regclass as oid
      union
      select c.conrelid::regclass from pg_constraint c join tied on tied.oid = c.confrelid where c.contype = 'f'
    )
    select oid::text as name from tied
    union
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)(user|listener|follower|followed|owner)_id$|email'`

  expect(tables.map(({ name }) => name).sort()).toEqual(listenerTables.map(([name]) => name).sort())
})

test('people-23: the download is one file with rows of each table', async () => {
  const { owner, publicUrl, genre, collection, achievement, mix, publicId } = await makeOwnerFixture(app)
  const song = genre.songs[0] ?? ''
  await app.db`update songs set youtube_id = 'aaaaaaaaaaa' where id = ${song}`
  await rate(owner, genre.id, genre.songs[2] ?? '')
  await owner.call(removeRating, { params: { songId: genre.songs[2] ?? '' } })
  await rate(owner, genre.id, genre.songs[1] ?? '', 'bust')
  await owner.call(deferSong, {
    body: { microgenreId: genre.id, songId: genre.songs[2] ?? '', again: false },
  })
  await rollUp(app.db)
  const report = { songId: song, videoId: 'aaaaaaaaaaa', outcome: '150', previewUsed: true } as const
  await owner.call(reportPlayback, { body: { reports: [report] } })
  await owner.call(follow, { params: { id: publicId } })
  await owner.call(sendFeedback, { body: { email: owner.email, message: 'Louder' } })
  await owner.call(contactOperator, { body: { email: 'other@example.test', message: 'Hello?' } })
  await owner.call(requestPhotoUpload, { body: { filename: 'me.png', type: 'image/png', size: 9 } })
  await app.db`
    insert into identities (provider, subject, user_id, claimed_email)
    values ('facebook', '77', ${owner.id}, 'claimed@example.test')`
  await app.db`
    insert into provider_pictures (user_id, address) values (${owner.id}, 'https://example.test/me.jpg')`
  await app.db`
    insert into listenbrainz_links (user_id, user_name, token) values (${owner.id}, 'ada', 'sealed')`
  await app.db`
    insert into blind_rounds (user_id, token, song_ids, results)
    values (${owner.id}, 'round', ${[song]}, '[{"name": "Bob", "agreed": 1, "songs": 1}]')`
  await app.db`insert into listenbrainz_sent values (${owner.id}, 'a-recording', 1)`
  const passkey = makePasskey(publicUrl)
  const { body: options } = await owner.call(getPasskeyOptions)
  await owner.call(addPasskey, { body: passkey.register(options) })
  const suggestion = { microgenreId: genre.id, title: 'Alison', artist: 'Slowdive' }
  const { id: suggested } = (await owner.call(suggestSong, { body: suggestion })).body.suggestion
  await owner.call(reportSubject, { body: { subject: 'song', subjectId: song, reason: 'wrong-song' } })
  await owner.call(decideCase, {
    body: { subject: 'suggestion', subjectId: suggested, action: 'reject', reason: 'Live' },
  })
  await owner.call(updateProfile, { body: { isPublic: true } })
  const steward = await app.signIn()
  await steward.call(reportSubject, { body: { subject: 'bio', subjectId: owner.id, reason: 'spam' } })
  await steward.call(decideCase, { body: { subject: 'bio', subjectId: owner.id, action: 'block' } })
  await steward.call(actOnAccount, { params: { id: owner.id }, body: { action: 'steward' } })
  await owner.call(updateProfile, { body: { isPublic: false } })
  const importId = await makeImport(app.db, owner.id, [{ songId: song, plays: 3 }])
  await app.db`update imports set file_name = 'loves.csv', sources = '{CSV}' where id = ${importId}`
  await app.db`
    insert into known_songs (user_id, import_id, song_id, microgenre_id, plays)
    values (${owner.id}, ${importId}, ${song}, ${genre.id}, 3)`
  // Last: the hand is filled after the answer to a rating.
  await app.db`
    insert into listener_hands (user_id, microgenre_id, pass, dealt, songs)
    values (${owner.id}, ${genre.id}, 1, 3, ${[genre.songs[2] ?? '', genre.songs[1] ?? '']})
    on conflict (user_id, microgenre_id) do update set dealt = excluded.dealt, songs = excluded.songs`
  const [session] = (await owner.call(listSessions)).body
  const dealt = { number: expect.any(Number) as number, reason: 'next in the shuffle' }
  const { status, headers, text, body } = await download(owner)

  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe('attachment; filename="banger-or-bust-data.json"')
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(body).toEqual({
    exportedAt: TIME,
    profile: {
      id: owner.id,
      email: owner.email,
      firstName: 'Ada',
      lastName: null,
      bio: null,
      photo: null,
      isPublic: false,
      showEmail: false,
      emailOptOut: false,
      startAtHook: false,
      earFirst: false,
      songChoice: 'both',
      isSteward: true,
      invitation: null,
      createdAt: TIME,
      followerCount: 0,
      followingCount: 1,
    },
    figures: {
      totalRatings: 2,
      totalBangers: 1,
      streak: 2,
      genresRated: 1,
      lastRatedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      taste: null,
      lenience: 0,
    },
    questionnaire: { ...QUESTIONNAIRE_ANSWERS, updatedAt: TIME },
    providers: [
      { provider: 'facebook', subject: '77', claimedEmail: 'claimed@example.test', createdAt: TIME },
    ],
    passkeys: [{ name: 'Unknown browser', transports: ['internal'], createdAt: TIME, lastUsedAt: null }],
    apiTokens: ['export', 'rate', 'read'].map((scope) => ({
      name: scope,
      scopes: [scope],
      createdAt: TIME,
      lastUsedAt: null,
    })),
    providerPicture: { address: 'https://example.test/me.jpg', createdAt: TIME },
    listenbrainz: { userName: 'ada', sendsBusts: false, createdAt: TIME, sent: { 'a-recording': 1 } },
    blindRound: {
      songs: [{ title: 'Song 0', artist: 'Artist 0' }],
      results: [{ name: 'Bob', agreed: 1, songs: 1 }],
      createdAt: TIME,
      link: `${publicUrl}/share/blind/round`,
    },
    ratings: [
      // Rated before anything was dealt.
      ['Song 0', 'Artist 0', 'banger', 'aaaaaaaaaaa', null],
      ['Song 1', 'Artist 1', 'bust', null, dealt],
    ].map(([title, artist, rating, youtubeId, dealt]) => ({
      title,
      artist,
      microgenre: genre.name,
      year: null,
      rating,
      ratedAt: TIME,
      youtubeId,
      spotifyId: null,
      durationSeconds: null,
      pass: 1,
      heard: null,
      dealt,
      previous: null,
    })),
    undoneRatings: [{ title: 'Song 2', artist: 'Artist 2', undoneAt: TIME }],
    hands: [
      {
        microgenre: genre.name,
        pass: 1,
        dealt: 3,
        songs: [
          { title: 'Song 2', artist: 'Artist 2' },
          { title: 'Song 1', artist: 'Artist 1' },
        ],
      },
    ],
    microgenres: [{ microgenre: genre.name, ratings: 2, bangers: 1, pass: 1, moreLike: null }],
    notNow: [{ title: 'Song 2', artist: 'Artist 2', pass: 1, putOffAt: TIME, letGoAt: null, dealt }],
    imports: [
      { fileName: 'loves.csv', sources: ['CSV'], status: 'applying', createdAt: TIME, appliedAt: null },
    ],
    importedSongs: [{ title: 'A song', artist: 'Somebody', rating: 'banger', ratedAt: null, plays: 3 }],
    knownSongs: [{ title: 'Song 0', artist: 'Artist 0', plays: 3 }],
    progress: [
      { title: 'Song 0', artist: 'Artist 0', secondsListened: 5, totalDuration: 30, updatedAt: TIME },
    ],
    achievements: [
      {
        id: achievement.id,
        type: 'first_banger',
        metadata: expect.any(Object),
        createdAt: TIME,
        announcedAt: TIME,
        link: `${publicUrl}/share/achievement/${achievement.shareToken}`,
      },
    ],
    collections: [
      {
        id: collection.id,
        name: 'Mornings',
        description: null,
        isPublic: true,
        viewCount: 0,
        createdAt: TIME,
        items: [{ microgenre: genre.name, addedAt: expect.any(String) }],
        link: `${publicUrl}/share/collection/${collection.shareToken}`,
      },
    ],
    mixes: [
      {
        id: mix.id,
        name: 'Mornings',
        createdAt: TIME,
        songs: [{ title: 'Song 0', artist: 'Artist 0' }],
        link: `${publicUrl}/share/mix/${mix.shareToken}`,
      },
    ],
    following: [{ id: publicId, name: 'Music Explorer', since: TIME }],
    followers: [],
    playbackReports: [
      {
        title: 'Song 0',
        artist: 'Artist 0',
        videoId: 'aaaaaaaaaaa',
        outcome: '150',
        previewUsed: true,
        reportedAt: TIME,
      },
    ],
    feedback: [
      { email: owner.email, message: 'Louder', createdAt: TIME, mailedAt: null },
      { email: 'other@example.test', message: 'Hello?', createdAt: TIME, mailedAt: null },
    ],
    suggestions: [
      {
        title: 'Alison',
        artist: 'Slowdive',
        year: null,
        microgenre: genre.name,
        address: null,
        state: 'rejected',
        reason: 'Live',
        createdAt: TIME,
        withdrawnAt: null,
      },
    ],
    reports: [{ subject: 'song', reason: 'wrong-song', createdAt: TIME, withdrawnAt: null }],
    decisions: [{ subject: 'suggestion', action: 'reject', createdAt: TIME }],
    decisionsAboutMe: [
      {
        subject: 'bio',
        action: 'block',
        label: 'Bio of Ada',
        changes: [{ field: 'bio', before: PRIVATE_BIO, after: null }],
        createdAt: TIME,
      },
      { subject: 'account', action: 'steward', label: 'Ada', changes: [], createdAt: TIME },
    ],
    sessions: [
      { device: session?.device, userAgent: null, createdAt: TIME, lastSeenAt: TIME, expiresAt: TIME },
    ],
    uploads: [
      {
        purpose: 'profile-photo',
        fileName: 'me.png',
        contentType: 'image/png',
        size: 9,
        createdAt: TIME,
        completedAt: null,
        expiresAt: TIME,
      },
    ],
  })
  expect(text).not.toContain(passkey.id)
  for (const [table, key] of Object.entries(DOWNLOADED_TABLES)) expect(body[key], table).not.toEqual([])
})

test('a rating that was replaced in a later pass is in the download, and so are photo, devices and settings', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  await app.db`update listener_genres set pass = 2, pass_position = 0 where user_id = ${ada.id}`
  await rate(ada, genre.id, genre.songs[0] ?? '', 'bust')
  await ada.call(updateProfile, { body: { emailOptOut: true, startAtHook: true } })
  await app.db`update users set profile_image_url = '/photos/x-192.webp' where id = ${ada.id}`
  await app.db`
    update sessions set user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
    where user_id = ${ada.id}`
  const { text, body } = await download(ada)

  expect(body.ratings).toMatchObject([
    { rating: 'bust', pass: 2, previous: { rating: 'banger', ratedAt: TIME } },
  ])
  expect(body.profile).toMatchObject({
    emailOptOut: true,
    startAtHook: true,
    photo: expect.stringMatching(/^http.*\/photos\/x-192\.webp$/),
  })
  expect(body.sessions).toMatchObject([{ device: 'Firefox on Linux' }])
  expect(text).not.toContain(ada.cookies.get('session'))
})

describe('people-23, people-2, people-3: other listeners in the download', () => {
  test('have their names only while they are public, and private followers no id', async () => {
    const [ada, bob, eve] = [await app.signIn(), await app.signIn(), await app.signIn()]
    await ada.call(updateProfile, { body: { isPublic: true } })
    for (const [one, firstName] of [
      [bob, 'Bob'],
      [eve, 'Eve'],
    ] as const) {
      await one.call(updateProfile, { body: { isPublic: true, showEmail: true, firstName, lastName: 'Ö' } })
      await one.call(follow, { params: { id: ada.id } })
      await ada.call(follow, { params: { id: one.id } })
    }
    await eve.call(updateProfile, { body: { isPublic: false } })
    const { text, body } = await download(ada)

    expect(body.following).toEqual([
      { id: bob.id, name: 'Bob Ö', since: TIME },
      { id: eve.id, name: null, since: TIME },
    ])
    expect(body.followers).toEqual([
      { id: bob.id, name: 'Bob Ö', since: TIME },
      { id: null, name: null, since: TIME },
    ])
    for (const hidden of [bob.email, eve.email, 'Eve']) expect(text).not.toContain(hidden)
  })

  test('a suspended listener has no name', async () => {
    const [ada, bob] = [await app.signIn(), await app.signIn()]
    await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Bob' } })
    await ada.call(follow, { params: { id: bob.id } })
    await app.db`update users set suspended_at = now() where id = ${bob.id}`

    expect((await download(ada)).body.following).toEqual([{ id: bob.id, name: null, since: TIME }])
  })
})

test('people-23: the data of a listener without any is a valid file', async () => {
  const ada = await app.signIn()

  expect((await download(ada)).body).toMatchObject({ questionnaire: null, ratings: [], uploads: [] })
})

test('limits-2: the twenty-first download within an hour answers 429', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  await download(ada)
  await app.db`update limit_counters set count = 20 where key = ${`data-download:${ada.id}`}`
  const { status, body } = await ada.raw(exportData.path)

  expect({ status, body }).toEqual(refusal(429, 'You have downloaded your data often. Please wait an hour.'))
  expect((await download(bob)).status).toBe(200)
})

/** Of songs, ratings, reports and steps of progress. */
const RATING_COUNT = scaled(5000, 100_000)

test('people-23: many ratings are read and written in batches', async () => {
  const ada = await app.signIn()
  const { songs } = await makeMicrogenre(app.db, RATING_COUNT)
  await writeRatings(app.db, ada.id, songs)
  await app.db`
    insert into playback_reports (song_id, user_id, outcome, reported_at)
    select song_id, user_id, 'ready', rated_at from ratings where user_id = ${ada.id}`
  await app.db`
    insert into listening_progress (user_id, song_id, seconds_listened, total_duration)
    select user_id, song_id, 1, 2 from ratings where user_id = ${ada.id}`
  // As autovacuum does: without statistics each batch reads all rows.
  await app.db`analyze`
  let longest = 0
  let text = ''
  for await (const piece of writeData(app.db, readEnv({}), ada.id)) {
    longest = Math.max(longest, piece.length)
    text += piece
  }
  const { ratings, playbackReports, progress } = JSON.parse(text) as Record<string, { title: string }[]>

  for (const list of [ratings, playbackReports, progress]) {
    expect(list).toHaveLength(RATING_COUNT)
    expect(new Set(list?.map(({ title }) => title)).size).toBe(RATING_COUNT)
  }
  expect(longest).toBeLessThan(200_000)
})

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

async function download(listener: Visitor) {
  const { status, headers, text } = await listener.raw(exportData.path)
  return { status, headers, text, body: JSON.parse(text) as Record<string, unknown> }
}
