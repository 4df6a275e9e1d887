import { beforeEach, expect, test } from 'vitest'
import { listMicrogenres } from '../../contract/discovery.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import {
  listSuggestions,
  recogniseSong,
  searchSongs,
  suggestSong,
  withdrawSuggestion,
} from '../../contract/suggestions.ts'
import { makeMicrogenre, nextSong } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { startOutside } from '../stand-ins/outside.ts'

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env)
const ada = setUpListener(app)
beforeEach(() => {
  outside.reset()
  app.renewServices()
})

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

test('desk-3: an address is recognised, and only the configured services are asked, with its id', async () => {
  outside.youtube.know('dQw4w9WgXcQ', { title: 'Slowdive - Alison (Official Video)', channel: 'Creation' })
  outside.spotify.know({ name: 'Soon', artists: ['My Bloody Valentine'] })
  const recognise = async (address: string) => (await ada.call(recogniseSong, { body: { address } })).body

  expect(await recognise(' youtu.be/dQw4w9WgXcQ?si=x ')).toEqual({
    service: 'youtube',
    address: VIDEO,
    title: 'Alison',
    artist: 'Slowdive',
    year: null,
    message: null,
    known: null,
    votes: 0,
  })
  expect(await recognise('https://open.spotify.com/intl-de/track/track00000000000000000')).toMatchObject({
    title: 'Soon',
    artist: 'My Bloody Valentine',
  })
  await ada.call(searchSongs, { query: { words: 'Phylyps Trak' } })
  const { songs } = (await ada.call(searchSongs, { query: { words: 'Phylyps Trak' } })).body
  expect(await recognise(songs.at(-1)?.address ?? '')).toMatchObject({
    service: 'deezer',
    title: 'Phylyps Trak',
  })
  const mbid = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'
  outside.musicbrainz.know({ mbid, title: 'Blue Monday', artist: 'New Order', artistMbid: mbid })
  expect(await recognise(`https://musicbrainz.org/recording/${mbid}`)).toMatchObject({
    service: 'musicbrainz',
    title: 'Blue Monday',
    artist: 'New Order',
    message: null,
  })
  expect(await recognise('https://a-band.bandcamp.com/track/a-song')).toMatchObject({
    title: null,
    message: 'Bandcamp has no look-up. Please type title and artist.',
  })
})

test('desk-3: names from services lose invisible and bidirectional control characters', async () => {
  outside.youtube.know('turned00000', { title: 'Zero\u200BWidth - Upside \u202EnwoD', channel: 'Any' })
  outside.spotify.know({ name: 'So\u00ADon\u2800', artists: ['\u2067می\u200Cخواهم\u2069', '\u3164'] })
  const recognise = async (address: string) => (await ada.call(recogniseSong, { body: { address } })).body

  expect(await recognise('https://youtu.be/turned00000')).toMatchObject({
    artist: 'ZeroWidth',
    title: 'Upside nwoD',
  })
  expect(await recognise('spotify:track:track00000000000000000')).toMatchObject({
    title: 'Soon',
    artist: 'می\u200Cخواهم',
  })
})

test('desk-3: when a service does not answer, the address is noted', async () => {
  outside.youtube.behave('down')
  const address = 'https://www.youtube.com/watch?v=unanswered1'
  const { status, body } = await ada.call(recogniseSong, { body: { address } })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    address,
    title: null,
    message: 'YouTube does not answer right now. The address is noted; please type title and artist.',
  })
})

test.each([
  ['a playlist', 'https://www.youtube.com/playlist?list=PL1', /not the address of one song/],
  ['a short link', 'https://spotify.link/abc', /short link/],
  ['another site', 'https://vimeo.com/1', /^Only songs at/],
  ['a private network', 'http://192.168.0.1/watch?v=dQw4w9WgXcQ', /^Only songs at/],
  ['the metadata of a cloud', 'http://169.254.169.254/latest', /^Only songs at/],
  ['this machine', 'http://localhost:3000/', /not the address of a page/],
  ['no address', 'Alison', /not the address of a page/],
  ['a video that does not exist', 'https://youtu.be/aaaaaaaaaaa', /no such video/],
])('desk-2: %s is 400 with a message', async (_, address, words) => {
  const { status, body } = await ada.call(recogniseSong, { body: { address } })

  expect({ status, body }).toEqual(refusal(400, expect.stringMatching(words)))
})

test('desk-2: ten megabytes of title or address are refused', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const long = 'x'.repeat(10_000_000)
  for (const json of [{ address: long }, { microgenreId: genre.id, title: long, artist: 'A' }]) {
    const path = 'address' in json ? recogniseSong.path : suggestSong.path
    const answer = await ada.raw(path, { method: 'POST', json }).catch(() => null)
    // The server may close the connection before all of it has arrived.
    if (answer) expect(answer).toMatchObject(refusal(413, 'The body is too large.'))
  }
  const some = { microgenreId: genre.id, title: 'x'.repeat(201), artist: 'A' }
  expect(await ada.raw(suggestSong.path, { method: 'POST', json: some })).toMatchObject(
    refusal(400, 'title: must have at most 200 characters'),
  )
  expect((await ada.call(listSuggestions)).body.suggestions).toEqual([])
})

test('desk-4: the search finds songs that are here already, then those at Deezer', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`update songs set title = 'Hyperballad', artist = 'Björk' where id = ${genre.songs[0] ?? ''}`
  const { body } = await ada.call(searchSongs, { query: { words: 'bjork HYPER' } })

  expect(body.deezer).toBe(true)
  expect(body.songs[0]).toMatchObject({
    title: 'Hyperballad',
    address: null,
    known: { microgenre: genre.name },
  })
  expect(body.songs[1]).toMatchObject({
    address: expect.stringMatching(/^https:\/\/www\.deezer\.com\/track\/\d+$/),
    known: null,
  })
  outside.deezer.answer('down')
  const without = await ada.call(searchSongs, { query: { words: 'bjork HYPER' } })
  expect(without.body).toMatchObject({ deezer: false, songs: [{ title: 'Hyperballad' }] })
})

test('desk-1, desk-7: no listener hears a suggestion that waits', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const { status, body } = await ada.call(suggestSong, {
    body: {
      microgenreId: genre.id,
      title: 'Ali\u200Bson',
      artist: '\u202ESlowdive\u202C',
      year: 1993,
      address: VIDEO,
    },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    suggestion: {
      id: expect.any(String),
      title: 'Alison',
      artist: 'Slowdive',
      year: 1993,
      microgenreId: genre.id,
      microgenre: genre.name,
      address: VIDEO,
      state: 'waiting',
      reason: null,
      votes: 1,
      song: null,
      createdAt: expect.stringMatching(/Z$/),
      decidedAt: null,
    },
    isVote: false,
    left: 4,
  })
  expect((await ada.call(listSuggestions)).body).toEqual({ suggestions: [body.suggestion], left: 4 })
  expect((await bob.call(listSuggestions)).body).toEqual({ suggestions: [], left: 5 })
  expect((await nextSong(bob, genre.id))?.title).toBe('Song 0')
  expect(await songsOf(genre.id)).toBe(1)
})

test('desk-5: one song in five spellings, from two tabs and two listeners at once, is one suggestion', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const spellings = [
    ['The Sound of Silence', 'Simon & Garfunkel'],
    ['SOUND OF SILENCE', 'simon and garfunkel'],
    ['The Sound of Silence (Remastered 2009)', 'Simon & Garfunkel'],
    ['The Sound\u200B of Silence', 'Simón & Garfunkel'],
    ['The Sound of Silence feat. Nobody', 'Simon and Garfunkel'],
  ] as const
  const answers = await Promise.all(
    [ada, bob].flatMap((who) =>
      spellings.map(([title, artist]) =>
        who.call(suggestSong, { body: { microgenreId: genre.id, title, artist } }),
      ),
    ),
  )

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ body }) => body.suggestion.id)).size).toBe(1)
  const { body } = await bob.call(listSuggestions)
  expect(body).toMatchObject({ suggestions: [{ votes: 2 }], left: 4 })
})

test('desk-5: another title with the same video is a vote, too', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const address = 'https://youtu.be/bbbbbbbbbbb'
  await ada.call(suggestSong, { body: { microgenreId: genre.id, title: 'One', artist: 'A', address } })
  const { body } = await bob.call(suggestSong, {
    body: { microgenreId: genre.id, title: 'Another', artist: 'B', address },
  })

  expect(body).toMatchObject({ isVote: true, suggestion: { title: 'One', votes: 2 } })
})

test('desk-5: a song of the catalogue is 409, however it is spelled', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`
    update songs set title = 'Sæglópur & Hoppípolla', artist = 'Sigur Rós' where id = ${genre.songs[0] ?? ''}`
  await app.db`update songs set youtube_id = 'ccccccccccc' where id = ${genre.songs[1] ?? ''}`
  for (const body of [
    { title: 'sæglópur and hoppipolla', artist: 'SIGUR ROS' },
    { title: 'Something else', artist: 'Somebody', address: 'https://youtu.be/ccccccccccc' },
  ])
    expect(await ada.call(suggestSong, { body: { microgenreId: genre.id, ...body } })).toMatchObject(
      refusal(409, `This song is here already, in ${genre.name}.`),
    )
  const { body } = await ada.call(recogniseSong, { body: { address: 'https://youtu.be/ccccccccccc' } })
  expect(body).toMatchObject({ message: expect.stringMatching(/no such video/) })
})

test('desk-6: five a day for a new account, twenty for others, also from several tabs', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`update users set created_at = now() - interval '8 days' where id = ${bob.id}`
  const suggest = (who: Visitor, n: number) =>
    who.call(suggestSong, {
      body: { microgenreId: genre.id, title: `Limit ${who === ada} ${n}`, artist: 'A' },
    })
  const [ofAda, ofBob] = await Promise.all(
    [ada, bob].map((who) => Promise.all(Array.from({ length: 23 }, (_, n) => suggest(who, n)))),
  )

  expect(ofAda?.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(ofBob?.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = ofAda?.find(({ status }) => status === 429)
  expect(refused?.body).toEqual({
    message: 'You can suggest 5 songs a day in your first week. Please come back tomorrow.',
  })
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3600)
  expect((await ada.call(listSuggestions)).body).toMatchObject({ left: 0 })
  await app.db`
    update suggestion_votes set created_at = created_at - interval '1 day' where user_id = ${ada.id}`
  expect((await suggest(ada, 100)).status).toBe(200)
})

test('desk-7: a vote is taken back; the suggestion is withdrawn with the last one', async () => {
  const [ada, bob, eve] = [await app.signIn(), await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 1)
  const body = { microgenreId: genre.id, title: 'Taken back', artist: 'Somebody' }
  const { id } = (await ada.call(suggestSong, { body })).body.suggestion
  await bob.call(suggestSong, { body })

  expect((await eve.call(withdrawSuggestion, { params: { id } })).status).toBe(404)
  for (let n = 0; n < 2; n++)
    expect((await ada.call(withdrawSuggestion, { params: { id } })).body).toEqual({ success: true })
  expect((await ada.call(listSuggestions)).body.suggestions).toMatchObject([{ state: 'withdrawn', votes: 1 }])
  expect((await bob.call(listSuggestions)).body.suggestions).toMatchObject([{ state: 'waiting', votes: 1 }])
  await bob.call(withdrawSuggestion, { params: { id } })
  const again = (await ada.call(suggestSong, { body })).body
  expect(again).toMatchObject({ isVote: false, suggestion: { state: 'waiting', votes: 1 } })
  expect(again.suggestion.id).not.toBe(id)
  await app.db`update suggestions set state = 'rejected', reason = 'No' where id = ${again.suggestion.id}`
  expect(await ada.call(withdrawSuggestion, { params: { id: again.suggestion.id } })).toMatchObject(
    refusal(409, 'This suggestion has been decided.'),
  )
})

test('desk-1: a thousand suggestions of spammers never reach a listener', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`
    with spammers as (insert into users (email) select 'spam-' || n || '@example.test' from generate_series(1, 200) n
      returning id),
    made as (
      insert into suggestions (song_key, title, artist, microgenre_id)
      select 'spam ' || n, 'Buy pills ' || n, 'Spam', ${genre.id} from generate_series(1, 1000) n returning id)
    insert into suggestion_votes (suggestion_id, user_id)
    select m.id, s.id from (select id, row_number() over () as n from made) m
    join (select id, row_number() over () as n from spammers) s on s.n = m.n % 200 + 1`
  const { body: genres } = await ada.call(listMicrogenres)
  const { body: searchResult } = await ada.call(searchSongs, { query: { words: 'buy pills' } })

  expect(genres.find(({ id }) => id === genre.id)).toMatchObject({ songCount: 2, unratedCount: 2 })
  expect(searchResult.songs.filter(({ known }) => known)).toEqual([])
  expect((await nextSong(ada, genre.id))?.artist).toMatch(/^Artist/)
  expect(await songsOf(genre.id)).toBe(2)
})

test('desk-19: a deleted account takes its suggestions along, but not those that others ask for', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const alone = { microgenreId: genre.id, title: 'Only mine', artist: 'Somebody' }
  const shared = { microgenreId: genre.id, title: 'Of both', artist: 'Somebody' }
  await ada.call(suggestSong, { body: alone })
  await ada.call(suggestSong, { body: shared })
  await bob.call(suggestSong, { body: shared })
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })

  const remaining = await app.db<
    { title: string }[]
  >`select title from suggestions where microgenre_id = ${genre.id}`
  expect(remaining).toEqual([{ title: 'Of both' }])
  expect((await bob.call(listSuggestions)).body.suggestions).toMatchObject([{ title: 'Of both', votes: 1 }])
})

test('an unknown microgenre is 404, and nothing is suggested', async () => {
  const body = { microgenreId: '999999', title: 'Nowhere', artist: 'Somebody' }

  expect(await ada.call(suggestSong, { body })).toMatchObject(refusal(404, 'There is no such microgenre.'))
  expect((await ada.call(listSuggestions)).body.suggestions).toEqual([])
})

async function songsOf(genre: string): Promise<number> {
  return (await app.db`select from songs where microgenre_id = ${genre}`).length
}
