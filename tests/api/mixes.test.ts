import { beforeAll, expect, test } from 'vitest'
import { removeRating } from '../../contract/library.ts'
import { createMix, deleteMix, listMixes, MAX_MIX_SONGS, MAX_MIXES, updateMix } from '../../contract/mixes.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { exportSharedMix, getSharedMix, getSharePreview, getShareStory } from '../../contract/sharing.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { describeSharePage } from '../../server/sharing/sharePage.ts'
import { type MadeMicrogenre, makeMicrogenre, rate } from '../factories.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { pathOf, refusal } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)

let genre: MadeMicrogenre
beforeAll(async () => {
  genre = await makeMicrogenre(app.db, 6)
  await warmUpPictures(await app.signIn())
})
/** Newest last. */
const bangers = () => genre.songs.slice(0, 4)

async function makeMix({ songIds = bangers(), isPublic = true } = {}) {
  for (const song of bangers()) await rate(ada, genre.id, song)
  return (await ada.call(createMix, { body: { name: 'Night buses', songIds, isPublic } })).body
}

test('a mix has bangers in the order of its owner, and a link unless it is private (sharing-22)', async () => {
  const [one = '', two = '', three = ''] = bangers()
  const first = await makeMix({ songIds: [three, one] })
  const second = await makeMix({ isPublic: false })

  expect(first).toEqual({
    id: expect.any(String),
    name: 'Night buses',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    songIds: [three, one],
    shareToken: expect.stringMatching(/^[\w-]{32}$/),
  })
  expect(second.shareToken).toBeNull()
  const body = { name: '  Last tram ', songIds: [two, three, one] }
  const changed = (await ada.call(updateMix, { params: { id: first.id }, body })).body
  expect(changed).toEqual({ ...first, name: 'Last tram', songIds: body.songIds })
  expect((await ada.call(listMixes)).body).toEqual([second, changed])
})

test('what is no banger of the owner cannot be added, and leaves a mix (sharing-23)', async () => {
  const mix = await makeMix()
  const [one = '', two = '', three = '', four = '', bust = '', unrated = ''] = genre.songs
  await rate(ada, genre.id, bust, 'bust')
  for (const song of [bust, unrated, '999999999']) {
    const songIds = [one, song]
    const answer = await ada.call(updateMix, {
      params: { id: mix.id },
      body: { name: 'Not stored', songIds },
    })
    expect(answer).toMatchObject(refusal(404, 'A mix has only your own bangers.'))
    expect((await ada.call(createMix, { body: { name: 'No', songIds, isPublic: true } })).status).toBe(404)
  }
  expect((await ada.call(listMixes)).body).toEqual([mix])

  await ada.call(removeRating, { params: { songId: two }, query: {} })
  expect((await ada.call(listMixes)).body).toEqual([{ ...mix, songIds: [one, three, four] }])

  const params = { id: mix.id }
  const changes = { songIds: [four, two, one], isPublic: false }
  const { status, body } = await ada.call(updateMix, { params, body: changes })
  expect({ status, body }).toMatchObject({ status: 200, body: { songIds: [four, one], shareToken: null } })
  await ada.call(updateMix, { params, body: { name: 'Renamed', songIds: [four, one] } })
  await rate(ada, genre.id, two)
  expect((await ada.call(listMixes)).body).toMatchObject([{ name: 'Renamed', songIds: [four, one, two] }])
})

test('a mix that becomes private loses its link; its next one is new (sharing-24)', async () => {
  const { id, shareToken } = await makeMix()
  const update = async (isPublic: boolean) =>
    (await ada.call(updateMix, { params: { id }, body: { isPublic } })).body.shareToken

  expect(await update(true)).toBe(shareToken)
  expect(await update(false)).toBeNull()
  const next = await update(true)
  expect(next).toMatch(/^[\w-]{32}$/)
  expect(next).not.toBe(shareToken)
  expect((await ada.call(deleteMix, { params: { id } })).body).toEqual({ success: true })
  expect(await app.db`select from share_tokens where user_id = ${ada.id}`).toHaveLength(0)
})

test.each([
  ['an empty name', { name: ' ', songIds: [] }],
  ['a name of 101 characters', { name: 'x'.repeat(101), songIds: [] }],
  ['a song twice', { name: 'Fine', songIds: ['1', '1'] }],
  ['51 songs', { name: 'Fine', songIds: Array.from({ length: MAX_MIX_SONGS + 1 }, (_, i) => String(i + 1)) }],
])('%s answers 400, and makes nothing', async (_, json) => {
  const { status, body } = await ada.raw(createMix.path, { method: 'POST', json })

  expect({ status, body }).toEqual(refusal(400, expect.stringMatching(/./)))
  expect((await ada.call(listMixes)).body).toEqual([])
})

test('a listener has at most 200 mixes (sharing-22)', async () => {
  await app.db`
    insert into mixes (user_id, name, song_ids) select ${ada.id}, 'Mix', '{}' from generate_series(1, ${MAX_MIXES}::int)`
  const answer = await ada.call(createMix, { body: { name: 'More', songIds: [], isPublic: true } })

  expect(answer).toMatchObject(refusal(409, 'You have 200 mixes. Delete one first.'))
})

test('anybody reads a shared mix, in its order, and takes its songs along (sharing-25)', async () => {
  const [one = '', two = '', three = '', four = ''] = bangers()
  const { shareToken } = await makeMix({ songIds: [three, one, four, two] })
  await ada.call(updateProfile, { body: { firstName: 'Ada', lastName: 'L' } })
  await rate(ada, genre.id, one, 'bust')
  await app.db`update songs set retired_at = now() where id = ${four}`
  const params = { shareToken: shareToken ?? '' }
  const { headers, body } = await app.visitor().call(getSharedMix, { params })

  expect(body).toEqual({
    name: 'Night buses',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    user: { firstName: 'Ada', lastName: 'L', profileImageUrl: null },
    songs: [expect.objectContaining({ id: three, title: 'Song 2' }), expect.objectContaining({ id: two })],
  })
  expect(headers['x-robots-tag']).toBe('noindex')
  for (const [form, text] of [
    ['text', 'Artist 2 - Song 2\nArtist 1 - Song 1\n'],
    ['xspf', /<title>Night buses<\/title>.*<title>Song 2<\/title>/s],
  ] as const) {
    const file = await app.visitor().raw(pathOf(exportSharedMix, { params, query: { form } }))
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="mix-night-buses\./)
    expect(file.headers['x-robots-tag']).toBe('noindex')
    expect(file.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  }
  const page = await describeSharePage(app.db, readEnv({}), `/share/mix/${shareToken}`, NO_FRAMES)
  expect(page?.head).toContain(`/share/mix/${shareToken}/preview.png`)
  expect(page?.head).toContain('name="robots" content="noindex"')
  expect(page?.body).toContain('Shared Mix')
})

test('a mix that is private, deleted or of an account that is gone answers 404 at once everywhere (sharing-24)', async () => {
  for (const end of [
    (id: string) => ada.call(updateMix, { params: { id }, body: { isPublic: false } }),
    (id: string) => ada.call(deleteMix, { params: { id } }),
    () => ada.call(deleteAccount, { body: { confirmation: ada.email } }),
  ]) {
    const { id, shareToken } = await makeMix()
    const params = { shareToken: shareToken ?? '' }
    const paths = [
      ...[getSharedMix, getSharePreview, getShareStory].map((endpoint) =>
        pathOf(endpoint, { params: { kind: 'mix', ...params } }),
      ),
      pathOf(exportSharedMix, { params, query: { form: 'csv' } }),
    ]
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await app.visitor().raw(path)).status))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await end(id)
    expect(await statuses()).toEqual([404, 404, 404, 404])
    const page = await describeSharePage(app.db, readEnv({}), `/share/mix/${shareToken}`, NO_FRAMES)
    expect(page).toMatchObject({ status: 404, title: 'Mix Not Found · Banger or Bust' })
  }
})
