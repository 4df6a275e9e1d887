import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { savePreferences } from '../../contract/onboarding.ts'
import { reportProgress } from '../../contract/playback.ts'
import { deleteAccount, exportRatings, follow, updateProfile } from '../../contract/profiles.ts'
import { rateSong } from '../../server/discovery/rateSong.ts'
import { readEnv } from '../../server/env.ts'
import { makeMicrogenre, rate, rateOn } from '../factories.ts'
import { expectRecount } from '../harness/recount.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()

test('an account that is deleted leaves nothing behind', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  await bob.call(updateProfile, { body: { isPublic: true } })
  await ada.call(updateProfile, { body: { isPublic: true } })
  await ada.call(follow, { params: { id: bob.id } })
  await bob.call(follow, { params: { id: ada.id } })
  const genre = await makeMicrogenre(app.db, 5)
  await rateOn(ada, genre.id)
  await rateOn(bob, genre.id)
  await ada.call(reportProgress, {
    body: { songId: genre.songs[0] ?? '', secondsListened: 5, totalDuration: 10 },
  })
  await ada.call(sendFeedback, { body: { email: ada.email, message: 'Hello' } })
  await ada.call(savePreferences, {
    body: {
      energyPreference: 'slow',
      vocalPreference: 'both',
      familiarityLevel: 'indie',
      musicMood: 'ambient',
    },
  })

  const { status, body } = await ada.call(deleteAccount, { body: { confirmation: ada.email.toUpperCase() } })
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect((await ada.call(getCurrentUser)).status).toBe(401)
  expect((await bob.call(getCurrentUser)).body).toMatchObject({ followerCount: 0, followingCount: 0 })
  await expectRecount(app.db)

  // Every column that could hold the listener or the address, whatever table it stands in.
  const columns = await app.db<{ tableName: string; columnName: string }[]>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public'
      and (column_name in ('user_id', 'email', 'follower_id', 'followed_id', 'claimed_email')
        or (table_name, column_name) in (values ('users', 'id'), ('rate_limits', 'key')))`
  expect(columns.length).toBeGreaterThan(15)
  for (const { tableName, columnName } of columns) {
    const found = await app.db`
      select from ${app.db(tableName)}
      where ${app.db(columnName)}::text in (${ada.id}, ${ada.email})
        or ${app.db(columnName)}::text like '%:' || ${ada.email}`
    expect([tableName, columnName, found.length]).toEqual([tableName, columnName, 0])
  }
})

test.each(['', 'DELETE', 'someone-else@example.test', 'yes'])(
  'without the own address (%j) nothing is deleted',
  async (confirmation) => {
    const ada = await app.signIn()
    const answer = await ada.call(deleteAccount, { body: { confirmation } })

    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'Please type the e-mail of your account.' },
    })
    expect((await ada.call(getCurrentUser)).status).toBe(200)
  },
)

test('an account without an address is deleted by the word', async () => {
  const ada = await app.signIn()
  await app.db`update users set email = null where id = ${ada.id}`

  expect((await ada.call(deleteAccount, { body: { confirmation: 'remove' } })).status).toBe(400)
  expect((await ada.call(deleteAccount, { body: { confirmation: 'DELETE' } })).status).toBe(200)
})

test('the same address may come back, as someone new', async () => {
  const ada = await app.signIn('phoenix@example.test')
  await rateOn(ada, (await makeMicrogenre(app.db, 1)).id)
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  const again = await app.signIn('phoenix@example.test')

  expect(again.id).not.toBe(ada.id)
})

test('another server that still believes the session stores nothing for the account', async () => {
  const other = await app.another()
  const ada = await app.signIn()
  const there = ada.at(other.url)
  const genre = await makeMicrogenre(app.db, 3)
  await there.call(getCurrentUser)
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })

  const progress = { songId: genre.songs[0] ?? '', secondsListened: 1, totalDuration: 2 }
  expect((await rate(there, genre.id, genre.songs[0] ?? '')).status).toBe(401)
  for (const answer of [
    await there.call(sendFeedback, { body: { email: ada.email, message: 'Hello' } }),
    await there.call(savePreferences, {
      body: {
        energyPreference: 'slow',
        vocalPreference: 'both',
        familiarityLevel: 'indie',
        musicMood: 'ambient',
      },
    }),
    await there.call(reportProgress, { body: progress }),
  ]) {
    expect(answer.status).toBeLessThan(500)
  }
  expect(await app.db`select from listening_progress where user_id = ${ada.id}`).toHaveLength(0)
  expect(await app.db`select from listener_genres where user_id = ${ada.id}`).toHaveLength(0)
})

test('a deletion against ratings: whichever is first, nothing stays', async () => {
  const genre = await makeMicrogenre(app.db, 30)
  const env = readEnv({})
  for (let round = 0; round < 20; round++) {
    const ada = await app.signIn()
    await Promise.allSettled([
      ...genre.songs
        .slice(0, 10)
        .map((songId) => rateSong(app.db, env, ada.id, { microgenreId: genre.id, songId, rating: 'banger' })),
      ada.call(deleteAccount, { body: { confirmation: ada.email } }),
    ])
    expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
    expect(await app.db`select from listener_genres where user_id = ${ada.id}`).toHaveLength(0)
  }
  await expectRecount(app.db)
})

test('the download as JSON has every rating, oldest first', async () => {
  const ada = await app.signIn()
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

test('the download as CSV is quoted, and holds no formula', async () => {
  const ada = await app.signIn()
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

test('the download as a playlist has the bangers', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`update songs set youtube_id = 'aaaaaaaaaaa' where id = ${genre.songs[0] ?? ''}`
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  await rate(ada, genre.id, genre.songs[1] ?? '', 'bust')
  const { text } = await ada.raw(`${exportRatings.path}?format=jspf`)

  expect(JSON.parse(text)).toEqual({
    playlist: {
      title: 'My bangers',
      creator: 'Banger or Bust',
      track: [
        {
          title: 'Song 0',
          creator: 'Artist 0',
          annotation: genre.name,
          location: ['https://www.youtube.com/watch?v=aaaaaaaaaaa'],
        },
      ],
    },
  })
})

test('a download with nothing in it is whole too; other formats are refused', async () => {
  const ada = await app.signIn()

  expect((await ada.raw(exportRatings.path)).body).toEqual([])
  expect(JSON.parse((await ada.raw(`${exportRatings.path}?format=jspf`)).text).playlist.track).toEqual([])
  expect((await ada.raw(`${exportRatings.path}?format=xml`)).status).toBe(400)
})

test('a long download comes whole', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1800)
  await app.db`
    insert into ratings (user_id, song_id, microgenre_id, banger, pass, rated_at)
    select ${ada.id}, id, microgenre_id, true, 1, now() from songs where microgenre_id = ${genre.id}`

  expect((await ada.raw(exportRatings.path)).body).toHaveLength(1800)
  await app.db`delete from ratings where user_id = ${ada.id}`
})
