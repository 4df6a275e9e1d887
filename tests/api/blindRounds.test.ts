import { expect, test } from 'vitest'
import * as contract from '../../contract/blindRounds.ts'
import { removeRating } from '../../contract/library.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { getSharePreview } from '../../contract/sharing.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { revokeBlindRound } from '../../server/sharing/blindRounds.ts'
import { describeSharePage } from '../../server/sharing/sharePage.ts'
import { makeMicrogenre, writeRatings } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { pathOf, refusal } from '../harness/visitor.ts'

const app = setUpApp()

test('sharing-31: ten songs that play, at least three of each verdict, or a reason', async () => {
  const bob = await makeRater(12, (index) => index < 10)
  const { status, body } = await bob.call(contract.shareBlindRound)
  const reason =
    'A round needs 10 rated songs that play, at least 3 bangers and 3 busts. Rate a few more first.'
  expect({ status, body }).toEqual(refusal(409, reason))

  const { ada, params, songs } = await shareRound(30, (index) => index > 2)
  const ids = songs.map(({ id }) => id)
  expect(new Set(ids).size).toBe(10)
  expect(ids).toEqual(expect.arrayContaining(ada.songs.slice(0, 3)))
  expect(ids).not.toContain(ada.songs[30])
  expect((await ada.call(contract.shareBlindRound)).body).toEqual({ ...params, results: [] })
})

test('sharing-32: before the verdicts of the visitor, no answer has those of the maker, who is a name and a photo', async () => {
  const { ada, params, guesses } = await shareRound()
  await ada.call(updateProfile, { body: { firstName: '<b>Ada', lastName: null } })
  const { headers, text, body } = await app.visitor().raw(pathOf(contract.getSharedBlindRound, { params }))
  const page = await documentOf(params.shareToken)
  const tooFew = { params, body: { verdicts: guesses.slice(1) } }
  const refused = await app.visitor().call(contract.compareVerdicts, tooFew)

  expect(headers['x-robots-tag']).toBe('noindex')
  expect(Object.keys(body as object).sort()).toEqual(['createdAt', 'songs', 'user'])
  expect(body).toMatchObject({ user: { firstName: '<b>Ada', lastName: null, profileImageUrl: null } })
  expect(page).toMatchObject({ status: 200, title: '10 songs that <b>Ada rated · Banger or Bust' })
  expect(page?.body).not.toContain('<b>Ada')
  expect(refused.status).toBe(409)
  expect(text + JSON.stringify([page, refused.body])).not.toMatch(/"rating"|"banger"|"bust"|@example/)
})

test('sharing-31, sharing-32: the verdicts are those of today, and a song without one is left out', async () => {
  const { ada, params, songs, guesses } = await shareRound(10)
  const [removed = '', changed = '', ...others] = songs.map(({ id }) => id)
  await ada.call(removeRating, { params: { songId: removed } })
  await app.db`update ratings set banger = not banger where user_id = ${ada.id} and song_id = ${changed}`
  const { body } = await app.visitor().call(contract.compareVerdicts, { params, body: { verdicts: guesses } })

  const isBanger = (id: string) => ada.songs.indexOf(id) % 2 === 0
  expect(body.verdicts.map(({ songId, rating }) => [songId, rating === 'banger'])).toEqual([
    [changed, !isBanger(changed)],
    ...others.map((id) => [id, isBanger(id)]),
  ])
  expect((await ada.call(contract.getBlindRound)).body?.results).toEqual([])
})

test('sharing-33: the maker sees what visitors show, as plain text, at most a hundred times', async () => {
  const { ada, params, guesses } = await shareRound(10)
  const send = async (name: string | null) => {
    const body = { verdicts: guesses, result: { name } }
    return (await app.visitor().call(contract.compareVerdicts, { params, body })).status
  }
  for (const name of ['  <b>B\u202Eob</b>\n ', null]) expect(await send(name)).toBe(200)
  for (const name of ['x'.repeat(41), ' \u200B']) expect(await send(name)).toBe(400)
  expect((await ada.call(contract.getBlindRound)).body?.results).toEqual(
    [null, '<b>Bob</b>'].map((name) => ({ name, agreed: 5, songs: 10, createdAt: expect.any(String) })),
  )

  await app.db`update blind_rounds set results = ${app.db.json(Array(99).fill({}))} where user_id = ${ada.id}`
  expect((await Promise.all([send('Eve'), send('Mallory')])).sort()).toEqual([200, 409])
  await app.db`update limit_counters set count = 20 where key like 'round-results:%'`
  expect(await send('Bob')).toBe(429)
})

test('sharing-31, visitors-1: stopped, suspended, without account, ratings or visitors, it is gone at once', async () => {
  const closed = (await app.another({ VISITORS: 'off' })).visitor()
  for (const end of [
    ({ ada }: Round) => ada.call(contract.unshareBlindRound),
    ({ ada }: Round) => ada.call(deleteAccount, { body: { confirmation: ada.email } }),
    ({ ada }: Round) => app.db`update users set suspended_at = now() where id = ${ada.id}`,
    ({ ada }: Round) => app.db`delete from ratings where user_id = ${ada.id}`,
    ({ params }: Round) => revokeBlindRound(app.db, params.shareToken),
  ]) {
    const round = await shareRound()
    const { params, guesses } = round
    const path = pathOf(contract.getSharedBlindRound, { params })
    await (await app.signIn()).call(contract.unshareBlindRound)
    expect((await app.visitor().raw(path)).status, 'another listener stops nothing').toBe(200)
    const picture = pathOf(getSharePreview, { params: { kind: 'blind', ...params } })
    expect((await app.visitor().raw(picture)).status).toBe(200)
    for (const each of [path, picture]) expect((await closed.raw(each)).status).toBe(404)
    expect((await documentOf(params.shareToken, { VISITORS: 'off' }))?.status).toBe(404)
    await end(round)

    for (const each of [path, picture])
      expect(await app.visitor().raw(each)).toMatchObject(refusal(404, 'Nothing is shared at this address.'))
    const comparison = { params, body: { verdicts: guesses } }
    expect((await app.visitor().call(contract.compareVerdicts, comparison)).status).toBe(404)
    const title = 'Round Not Found · Banger or Bust'
    expect(await documentOf(params.shareToken)).toMatchObject({ status: 404, title })
  }

  const { ada, songs } = await shareRound()
  await app.db`update microgenres set retired_at = now() where key = ${songs[0]?.microgenre.key ?? ''}`
  expect((await ada.call(contract.getBlindRound)).body).toBeNull()
  expect((await ada.call(contract.shareBlindRound)).status).toBe(409)
})

const documentOf = (shareToken: string, settings = {}) =>
  describeSharePage(app.db, readEnv(settings), `/share/blind/${shareToken}`, NO_FRAMES)

type Round = Awaited<ReturnType<typeof shareRound>>

/** Ada's round, and a visitor's ten bangers. */
async function shareRound(count = 12, isBanger = (index: number) => index % 2 === 0) {
  const ada = await makeRater(count, isBanger)
  const params = { shareToken: (await ada.call(contract.shareBlindRound)).body.shareToken }
  const { songs } = (await app.visitor().call(contract.getSharedBlindRound, { params })).body
  const guesses = songs.map(({ id }) => ({ songId: id, rating: 'banger' as const }))
  return { ada, params, songs, guesses }
}

/** A listener who has rated `count` songs that play, and one that does not. */
async function makeRater(count: number, isBanger: (index: number) => boolean) {
  const listener = await app.signIn()
  const { songs } = await makeMicrogenre(app.db, count + 1)
  await app.db`update songs set deezer_track_id = id where id = any(${songs.slice(0, count)})`
  await writeRatings(app.db, listener.id, songs, isBanger)
  return { ...listener, songs }
}
