import { expect, test } from 'vitest'
import { actOnAccount, listAuditLog } from '../../contract/admin.ts'
import { getCurrentUser } from '../../contract/auth.ts'
import {
  createCollection,
  deleteCollection,
  shareCollection,
  updateCollection,
} from '../../contract/collections.ts'
import {
  approveTrusted,
  type DeskCase,
  decideCase,
  listCases,
  listDecisions,
  undoBatch,
  undoDecision,
} from '../../contract/desk.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { deleteAccount, getProfile, updateProfile } from '../../contract/profiles.ts'
import { reportSubject, withdrawReport } from '../../contract/reports.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { listSuggestions, suggestSong, withdrawSuggestion } from '../../contract/suggestions.ts'
import { appointSteward, dismissSteward, suspendAccount } from '../../server/auth/accountRights.ts'
import { sweepDesk } from '../../server/desk/sweepDesk.ts'
import { findDeskState, proposeSong } from '../../server/suggestions/suggestions.ts'
import { makeMicrogenre, nextSong, rate } from '../factories.ts'
import { PLAIN_PRODUCTION, setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

type Listener = Visitor & { id: string; email: string }
type Decision = BodyOf<typeof decideCase>

const app = setUpApp()
const ada = setUpListener(app)
const steward = setUpService(() => app.signIn('steward@example.test'))

test('desk-10: only stewards see the desk, from when they are named until they are dismissed', async () => {
  const strict = await app.another(PLAIN_PRODUCTION)
  const statusAt = async ({ url }: { url: string }) => (await ada.at(url).call(listCases)).status

  expect(await ada.at(strict.url).call(listCases)).toMatchObject(refusal(403, 'The desk is for stewards.'))
  expect(await appointSteward(app.db, ada.id)).toBe(true)
  expect(await appointSteward(app.db, ada.id)).toBe(false)
  // Servers cache a session for five seconds; a new one does not.
  const newServer = await app.another(PLAIN_PRODUCTION)
  expect(await statusAt(newServer)).toBe(200)
  expect((await ada.at(newServer.url).call(getCurrentUser)).body).toMatchObject({
    isSteward: true,
    maySeeDiagnostics: false,
  })
  expect(await dismissSteward(app.db, ada.id)).toBe(true)
  for (const server of [strict, newServer]) await expect.poll(() => statusAt(server)).toBe(403)
})

test('desk-14, desk-17: an approved suggestion is rated by another listener in the middle of a pass; every step is undone', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  await rate(bob, genre.id, (await nextSong(bob, genre.id))?.id ?? '')
  const id = await suggest(ada, genre.id, 'Alison', 'Slowdive')
  const approved = await decide(steward, { subject: 'suggestion', subjectId: id, action: 'approve' })

  expect(approved).toMatchObject({
    status: 200,
    body: { label: 'Alison by Slowdive', action: 'approve', canUndo: true, steward: 'Music Explorer' },
  })
  await rate(bob, genre.id, (await nextSong(bob, genre.id))?.id ?? '')
  const last = await nextSong(bob, genre.id)
  expect(last).toMatchObject({ title: 'Alison', artist: 'Slowdive' })
  await rate(bob, genre.id, last?.id ?? '')
  expect((await ada.call(listSuggestions)).body.suggestions[0]).toMatchObject({
    state: 'approved',
    song: { id: last?.id, microgenre: genre.name },
  })

  const undone = (await steward.call(undoDecision, { params: { id: approved.body.id } })).body
  expect(undone).toMatchObject({ action: 'undo', undoes: approved.body.id, canUndo: true })
  const eve = await app.signIn()
  expect(await titlesOf(eve, genre.id)).not.toContain('Alison')
  expect((await bob.call(listRatings, {})).body.map(({ song }) => song.title)).toContain('Alison')
  expect((await ada.call(listSuggestions)).body.suggestions[0]).toMatchObject({
    state: 'waiting',
    song: null,
  })
  // A second time changes nothing.
  expect((await steward.call(undoDecision, { params: { id: approved.body.id } })).body.id).toBe(undone.id)

  await steward.call(undoDecision, { params: { id: undone.id } })
  expect(await steward.call(undoDecision, { params: { id: approved.body.id } })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Undo its last row') },
  })
  const iris = await app.signIn()
  expect(await titlesOf(iris, genre.id)).toContain('Alison')
  expect((await ada.call(listSuggestions)).body.suggestions[0]).toMatchObject({ state: 'approved' })
})

test('desk-13: a correction changes a suggestion and its ids, and the trail has the values (desk-18)', async () => {
  const [genre, other] = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  const id = await suggest(ada, genre.id, 'Machin Gun', 'Slow Dive')
  const { status, body } = await decide(steward, {
    subject: 'suggestion',
    subjectId: id,
    action: 'correct',
    changes: {
      title: 'Machine Gun!',
      artist: 'Slowdive',
      year: 1993,
      microgenreId: other.id,
      youtubeId: 'ddddddddddd',
    },
  })

  expect({ status, body }).toMatchObject({ status: 200, body: { label: 'Machine Gun! by Slowdive' } })
  expect(body.changes).toEqual(
    expect.arrayContaining([
      { field: 'title', before: 'Machin Gun', after: 'Machine Gun!' },
      { field: 'year', before: null, after: '1993' },
      { field: 'microgenreId', before: genre.id, after: other.id },
    ]),
  )
  expect(await songsOf(other.id)).toEqual(['Song 0', 'Machine Gun!'])
  expect((await steward.call(listDecisions, { query: {} })).body[0]).toEqual(body)
  await steward.call(undoDecision, { params: { id: body.id } })
  expect(await songsOf(other.id)).toEqual(['Song 0'])

  // The video is free again for another microgenre.
  const again = await decide(steward, {
    subject: 'suggestion',
    subjectId: id,
    action: 'correct',
    changes: { youtubeId: 'ddddddddddd' },
  })
  expect(again.status).toBe(200)
  expect(await songsOf(genre.id)).toEqual(['Song 0', 'Machin Gun'])
  expect(await videosOf('ddddddddddd')).toEqual([genre.id])
})

test('desk-13: a suggestion is merged with a song, or rejected with a reason, and both are undone', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const [merged, rejected] = [
    await suggest(ada, genre.id, 'Merge me', 'A'),
    await suggest(ada, genre.id, 'Reject me', 'A'),
  ]
  const songId = genre.songs[0] ?? ''
  const merge = await decide(steward, { subject: 'suggestion', subjectId: merged, action: 'merge', songId })
  const reject = await decide(steward, {
    subject: 'suggestion',
    subjectId: rejected,
    action: 'reject',
    reason: 'A live recording',
  })

  const states = async () =>
    (await ada.call(listSuggestions)).body.suggestions.map(({ state, reason, song }) => [
      state,
      reason,
      song?.id ?? null,
    ])
  expect(await states()).toEqual([
    ['rejected', 'A live recording', null],
    ['merged', null, songId],
  ])
  for (const { body } of [merge, reject]) await steward.call(undoDecision, { params: { id: body.id } })
  expect(await states()).toEqual([
    ['waiting', null, null],
    ['waiting', null, null],
  ])
  expect(await songsOf(genre.id)).toEqual(['Song 0'])
})

test.each([
  ['a rejection without a reason', { action: 'reject' }, 'reason: is missing'],
  ['a merge without a song', { action: 'merge' }, 'songId: is missing'],
  ['a correction without values', { action: 'correct' }, 'changes: is missing'],
  ['a decision of another subject', { action: 'retire' }, 'This decision does not fit the case.'],
] as const)('%s is 400, and the suggestion waits', async (_, decision, message) => {
  const genre = await makeMicrogenre(app.db, 1)
  const id = await suggest(ada, genre.id, `Wrong ${decision.action}`, 'A')

  expect(await decide(steward, { subject: 'suggestion', subjectId: id, ...decision })).toMatchObject(
    refusal(400, message),
  )
  expect(await waits('suggestion', id)).toBe(true)
})

test('desk-13: of two stewards who decide at once one is first, and a double press is one decision', async () => {
  const second = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  for (let n = 0; n < 5; n++) {
    const id = await suggest(await app.signIn(), genre.id, `Contested ${n}`, 'A')
    const decision = { subject: 'suggestion', subjectId: id, action: 'approve' } as const
    const [one, other] = await Promise.all([decide(steward, decision), decide(second, decision)])
    expect([one?.status, other?.status].sort()).toEqual([200, 409])
    expect([one, other].find((answer) => answer?.status === 409)?.body).toEqual({
      message: 'Another steward has decided this case already.',
    })
  }
  expect(await songsOf(genre.id)).toHaveLength(6)

  const id = await suggest(ada, genre.id, 'Pressed twice', 'A')
  const decision = { subject: 'suggestion', subjectId: id, action: 'approve' } as const
  const [one, other] = await Promise.all([decide(steward, decision), decide(steward, decision)])
  expect([one?.status, other?.status]).toEqual([200, 200])
  expect(one?.body.id).toBe(other?.body.id)
  expect(await songsOf(genre.id)).toHaveLength(7)
})

test('desk-14: of two suggestions with one video that are approved at once one becomes a song', async () => {
  const second = await app.signIn()
  const genre = await makeMicrogenre(app.db, 0)
  for (let n = 0; n < 5; n++) {
    const suggester = await app.signIn()
    const ids = await Promise.all(
      ['One', 'Other'].map((name) => suggest(suggester, genre.id, `${name} video ${n}`, `Artist ${name}`)),
    )
    const [one, other] = await Promise.all(
      [steward, second].map((who, k) =>
        decide(who, {
          subject: 'suggestion',
          subjectId: ids[k] ?? '',
          action: 'correct',
          changes: { youtubeId: `samevideo0${n}` },
        }),
      ),
    )
    expect([one?.status, other?.status].sort()).toEqual([200, 409])
  }
  expect(await songsOf(genre.id)).toHaveLength(5)
})

test('a suggestion whose suggester leaves while the desk decides is approved once, or gone', async () => {
  const genre = await makeMicrogenre(app.db, 0)
  for (let n = 0; n < 5; n++) {
    const ada = await app.signIn()
    const id = await suggest(ada, genre.id, `Leaving ${n}`, 'A')
    const [decided, leaveResult] = await Promise.all([
      decide(steward, { subject: 'suggestion', subjectId: id, action: 'approve' }),
      ada.call(deleteAccount, { body: { confirmation: ada.email } }),
    ])
    expect(leaveResult?.status).toBe(200)
    expect([200, 404]).toContain(decided?.status)
    const approvedRows = await app.db`select from suggestions where id = ${id} and state = 'approved'`
    expect(approvedRows).toHaveLength(decided?.status === 200 ? 1 : 0)
    expect((await songsOf(genre.id)).includes(`Leaving ${n}`)).toBe(decided?.status === 200)
  }
})

test('a song that came into the catalogue meanwhile cannot be approved again', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const id = await suggest(ada, genre.id, 'Two ways', 'A')
  await app.db`update songs set title = 'TWO WAYS', artist = 'The A' where id = ${genre.songs[0] ?? ''}`

  expect(await decide(steward, { subject: 'suggestion', subjectId: id, action: 'approve' })).toMatchObject(
    refusal(409, `TWO WAYS by The A is in the catalogue already, in ${genre.name}. Merge with it instead.`),
  )
})

test('desk-8, desk-9: a listener reports once, with one press, and can withdraw the report', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const body = { subject: 'song', subjectId: genre.songs[0] ?? '', reason: 'does-not-play' } as const
  const answers = await Promise.all([1, 2, 3].map(() => ada.call(reportSubject, { body })))
  await bob.call(reportSubject, { body: { ...body, reason: 'wrong-song' } })

  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  const openCase = await findCase('song', body.subjectId)
  expect(openCase).toMatchObject({ votes: 2, song: { title: 'Song 0', microgenre: genre.name } })
  expect(openCase?.reasons).toHaveLength(2)
  const text = JSON.stringify(openCase)
  for (const who of [ada, bob]) expect(text).not.toContain(who.email)
  const id = answers[0]?.body.id ?? ''
  expect((await bob.call(withdrawReport, { params: { id } })).status).toBe(404)
  expect((await ada.call(withdrawReport, { params: { id } })).body).toEqual({ success: true })
  expect(await findCase('song', body.subjectId)).toMatchObject({ votes: 1 })
})

test('desk-8: a listener cannot report what they cannot see', async () => {
  const bob = await app.signIn()
  const reports = [
    { subject: 'song', subjectId: '999999', reason: 'wrong-song' },
    { subject: 'song', subjectId: 'x', reason: 'wrong-song' },
    { subject: 'person', subjectId: bob.id, reason: 'spam' },
    { subject: 'person', subjectId: ada.id, reason: 'spam' },
    { subject: 'collection', subjectId: '1', reason: 'spam' },
  ] as const
  for (const body of reports) expect((await ada.call(reportSubject, { body })).status).toBe(404)
  expect(
    await ada.call(reportSubject, { body: { subject: 'person', subjectId: bob.id, reason: 'wrong-song' } }),
  ).toMatchObject(refusal(400, 'This reason does not fit what is reported.'))
})

test('desk-12: cases are ordered by votes, then by age, and those without their song do not wait', async () => {
  await clearDesk()
  const people = await Promise.all([1, 2, 3].map(() => app.signIn()))
  const [ada, bob, eve] = people as [Listener, Listener, Listener]
  const genre = await makeMicrogenre(app.db, 2)
  const [first, second] = genre.songs as [string, string]
  const once = await suggest(ada, genre.id, 'Asked once', 'A')
  const twice = await suggest(ada, genre.id, 'Asked twice', 'A')
  await suggest(bob, genre.id, 'Asked twice', 'A')
  for (const who of [ada, bob, eve]) await reportSong(who, first)
  await reportSong(ada, second)
  const order = async () => (await cases()).map((one) => `${one.subject} ${one.subjectId}`)

  expect(await order()).toEqual([
    `song ${first}`,
    `suggestion ${twice}`,
    `suggestion ${once}`,
    `song ${second}`,
  ])
  expect((await steward.call(listCases, { query: { offset: 3 } })).body).toMatchObject({
    waiting: 4,
    cases: [{ subjectId: second }],
  })
  await decide(steward, { subject: 'song', subjectId: first, action: 'retire' })
  expect(await order()).not.toContain(`song ${first}`)
})

test('desk-15: a correction of the microgenre retires the song there and adds it to the right one; undo reverts it', async () => {
  const bob = await app.signIn()
  const [wrong, right] = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  const songId = wrong.songs[0] ?? ''
  await app.db`update songs set title = 'Moved', youtube_id = 'eeeeeeeeeee' where id = ${songId}`
  await rate(bob, wrong.id, songId)
  await reportSong(ada, songId, 'wrong-microgenre')
  const { body } = await decide(steward, {
    subject: 'song',
    subjectId: songId,
    action: 'correct',
    changes: { microgenreId: right.id },
  })

  expect(await songsOf(wrong.id)).toEqual([])
  expect(await songsOf(right.id)).toEqual(['Song 0', 'Moved'])
  expect(await videosOf('eeeeeeeeeee')).toEqual([right.id])
  expect((await bob.call(listRatings, {})).body).toMatchObject([{ song: { title: 'Moved' } }])

  const undone = (await steward.call(undoDecision, { params: { id: body.id } })).body
  expect(await songsOf(wrong.id)).toEqual(['Moved'])
  expect(await songsOf(right.id)).toEqual(['Song 0'])
  expect(await videosOf('eeeeeeeeeee')).toEqual([wrong.id])
  expect(await waits('song', songId)).toBe(true)

  await steward.call(undoDecision, { params: { id: undone.id } })
  expect(await songsOf(right.id)).toEqual(['Song 0', 'Moved'])
  expect(await videosOf('eeeeeeeeeee')).toEqual([right.id])
  expect(await waits('song', songId)).toBe(false)
})

test('desk-17: corrections, retirements and dismissals can be undone, unless a later decision follows', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const songId = genre.songs[0] ?? ''
  const decideSong = async (decision: Partial<Decision>) => {
    await reportSong(ada, songId)
    return (await decide(steward, { subject: 'song', subjectId: songId, action: 'dismiss', ...decision }))
      .body
  }
  const undo = (id: string) => steward.call(undoDecision, { params: { id } })
  const corrected = await decideSong({ action: 'correct', changes: { title: 'Better', year: 1999 } })
  const dismissed = await decideSong({})
  const retired = await decideSong({ action: 'retire' })

  expect(await songsOf(genre.id)).toEqual([])
  expect(await undo(corrected.id)).toMatchObject(
    refusal(409, 'A later decision on this stands. Undo that one first.'),
  )
  expect((await undo(retired.id)).status).toBe(200)
  expect(await songsOf(genre.id)).toEqual(['Better'])
  expect((await undo(dismissed.id)).status).toBe(200)
  expect((await undo(corrected.id)).status).toBe(200)
  expect(await songsOf(genre.id)).toEqual(['Song 0'])
  expect(await waits('song', songId)).toBe(true)
  const trail = (await steward.call(listDecisions, { query: {} })).body
  expect(trail.slice(0, 6).map(({ action }) => action)).toEqual([
    'undo',
    'undo',
    'undo',
    'retire',
    'dismiss',
    'correct',
  ])
})

test('desk-16: a person, bio, photo and collection are blocked, and undo shows them again', async () => {
  const bob = await app.signIn()
  await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Bob', bio: 'Buy pills' } })
  await app.db`update users set profile_image_url = '/photos/x-192.webp' where id = ${bob.id}`
  const { id } = (await bob.call(createCollection, { body: { name: 'Pills', isPublic: true } })).body
  const { shareToken } = (await bob.call(shareCollection, { params: { id } })).body
  for (const [subject, subjectId] of [
    ['person', bob.id],
    ['bio', bob.id],
    ['photo', bob.id],
    ['collection', shareToken],
  ] as const)
    expect((await ada.call(reportSubject, { body: { subject, subjectId, reason: 'spam' } })).status).toBe(200)
  const block = async (subject: Decision['subject'], subjectId: string) =>
    (await decide(steward, { subject, subjectId, action: 'block' })).body
  const profile = async () => await ada.call(getProfile, { params: { id: bob.id } })
  const shared = async () => (await ada.call(getSharedCollection, { params: { shareToken } })).status
  const undo = async (decision: { id: string }) =>
    (await steward.call(undoDecision, { params: { id: decision.id } })).status

  expect(await findCase('collection', id)).toMatchObject({
    collection: { name: 'Pills', owner: { name: 'Bob' } },
  })
  const hidden = await block('collection', id)
  expect(await shared()).toBe(404)
  expect(await undo(hidden)).toBe(200)
  expect(await shared()).toBe(200)

  const bio = await block('bio', bob.id)
  const photo = await block('photo', bob.id)
  expect((await profile()).body).toMatchObject({ bio: null, profileImageUrl: null })
  expect(await undo(bio)).toBe(200)
  expect((await profile()).body).toMatchObject({ bio: 'Buy pills', profileImageUrl: null })
  // There is no file of this photo.
  expect([200, 409]).toContain(await undo(photo))

  const blocked = await block('person', bob.id)
  expect(blocked).toMatchObject({ label: 'Bob', action: 'block' })
  expect((await profile()).status).toBe(404)
  expect(await undo(blocked)).toBe(200)
  expect((await profile()).status).toBe(200)
})

test('desk-29: what concerns a steward is neither shown to them nor decided by them', async () => {
  const [bob, other] = [await app.signIn(), await app.signIn()]
  await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Bob', bio: 'Buy pills' } })
  await app.db`update users set profile_image_url = '/photos/x-192.webp' where id = ${bob.id}`
  const { id } = (await bob.call(createCollection, { body: { name: 'Pills', isPublic: true } })).body
  const { shareToken } = (await bob.call(shareCollection, { params: { id } })).body
  const subjects = ['person', 'bio', 'photo', 'collection'] as const
  const idOf = (subject: (typeof subjects)[number]) => (subject === 'collection' ? id : bob.id)
  const report = async (subject: (typeof subjects)[number]) =>
    ada.call(reportSubject, {
      body: { subject, subjectId: subject === 'collection' ? shareToken : bob.id, reason: 'spam' },
    })
  for (const subject of subjects) expect((await report(subject)).status).toBe(200)
  const seen = async (who: Visitor) => (await who.call(listCases, { query: {} })).body

  const [own, all] = [await seen(bob), await seen(other)]
  expect(all.waiting - own.waiting).toBe(4)
  expect(all.cases.filter(({ subjectId }) => subjectId === bob.id)).toHaveLength(3)
  expect(own.cases.filter((one) => one.person?.id === bob.id)).toEqual([])
  expect(own.cases.filter((one) => one.collection?.id === id)).toEqual([])
  const refused = refusal(403, 'This is about you, so somebody else decides it.')
  for (const subject of subjects) {
    for (const action of ['dismiss', 'block'] as const)
      expect(await decide(bob, { subject, subjectId: idOf(subject), action })).toMatchObject(refused)
  }

  const decided: string[] = []
  for (const subject of ['bio', 'collection'] as const)
    decided.push((await decide(other, { subject, subjectId: idOf(subject), action: 'block' })).body.id)
  const trail = async (who: Visitor) =>
    (await who.call(listDecisions, { query: {} })).body.map((one) => one.id)
  expect(await trail(other)).toEqual(expect.arrayContaining(decided))
  expect((await trail(bob)).filter((one) => decided.includes(one))).toEqual([])
  for (const one of decided)
    expect(await bob.call(undoDecision, { params: { id: one } })).toMatchObject(refused)

  // Of a batch only these rows are refused.
  const genre = await makeMicrogenre(app.db, 1)
  await reportSong(ada, genre.songs[0] ?? '')
  const song = await decide(other, { subject: 'song', subjectId: genre.songs[0] ?? '', action: 'retire' })
  await app.db`update decisions set batch = ${song.body.id} where id = any(${[song.body.id, ...decided]}::bigint[])`
  expect((await bob.call(undoBatch, { params: { id: song.body.id } })).body).toMatchObject({
    decided: 1,
    left: 2,
  })
  // An own suggestion is decided by oneself.
  const suggestion = await suggest(bob, genre.id, 'My own', 'A')
  expect(
    (await decide(bob, { subject: 'suggestion', subjectId: suggestion, action: 'approve' })).status,
  ).toBe(200)
})

test("desk-16: a steward lifts only stewards' suspensions, and an operator takes one over", async () => {
  const { operator: chief, named: steward } = await appoint()
  const bob = await app.signIn()
  await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Bob' } })
  const act = async (action: 'suspend' | 'restore') =>
    (await chief.call(actOnAccount, { params: { id: bob.id }, body: { action } })).body
  const block = async (who: Visitor) => {
    await ada.call(reportSubject, { body: { subject: 'person', subjectId: bob.id, reason: 'spam' } })
    return (await decide(who, { subject: 'person', subjectId: bob.id, action: 'block' })).body.id
  }
  const undo = async (who: Visitor, id: string) => {
    const { status, body } = await who.call(undoDecision, { params: { id } })
    return { status, id: body.id }
  }
  const entries = async () =>
    (await chief.call(listAuditLog, { query: {} })).body.filter(({ label }) => label === 'Bob').length

  const first = await block(steward)
  const undone = await undo(steward, first)
  expect(undone.status).toBe(200)
  expect((await undo(steward, undone.id)).status).toBe(200)
  const before = await entries()
  expect(await act('suspend')).toMatchObject({ isSuspendedBySteward: false })
  expect(await entries()).toBe(before + 1)
  await act('suspend')
  expect(await entries()).toBe(before + 1)
  const [last] = (await steward.call(listDecisions, { query: {} })).body
  expect(await steward.call(undoDecision, { params: { id: last?.id ?? '' } })).toMatchObject(
    refusal(409, 'This person is not suspended any more, or an operator has suspended them.'),
  )
  expect(await act('restore')).toMatchObject({ suspendedAt: null })

  // An operator's decision at the desk is undone by an operator.
  const second = await block(chief)
  expect((await undo(steward, second)).status).toBe(409)
  expect((await undo(chief, second)).status).toBe(200)
})

test('desk-12: votes and reports of suspended listeners do not count, until they are restored', async () => {
  await clearDesk()
  const [bob, eve] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 2)
  const [both, only] = genre.songs as [string, string]
  for (const who of [bob, eve]) await reportSong(who, both)
  await reportSong(eve, both, 'wrong-microgenre')
  await reportSong(eve, only)
  const suggested = await suggest(eve, genre.id, 'Of both', 'A')
  await suggest(bob, genre.id, 'Of both', 'A')
  await suggest(eve, genre.id, 'Of a suspended one', 'A')
  const counts = async () =>
    (await cases()).map(({ subjectId, votes, reasons, suggestion }) => [
      subjectId,
      votes,
      reasons.length,
      suggestion?.suggester?.id,
    ])
  const before = await counts()
  expect(before).toHaveLength(4)
  await app.db`update users set suspended_at = now() where id = ${eve.id}`

  expect(await counts()).toEqual([
    [both, 1, 1, undefined],
    [suggested, 1, 0, bob.id],
  ])
  expect((await steward.call(listCases, { query: {} })).body.waiting).toBe(2)
  await app.db`update users set suspended_at = null where id = ${eve.id}`
  expect(await counts()).toEqual(before)
})

test('limits-2: a listener reports sixty times a day; a steward changes a hundred things an hour', async () => {
  const { operator, named } = await appoint()
  const { id: stewardId } = (await named.call(getCurrentUser)).body
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 4)
  const [first, second, third, fourth] = genre.songs as [string, string, string, string]
  await reportSong(bob, first)
  await app.db`update limit_counters set count = 60 where key = ${`reports:${bob.id}`}`
  const refused = await reportSong(bob, second)
  expect(refused).toMatchObject(refusal(429, 'You have reported a lot today. Please come back tomorrow.'))
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)

  const { id } = (await decide(named, { subject: 'song', subjectId: first, action: 'retire' })).body
  for (const song of [second, third, fourth]) await reportSong(ada, song)
  const batch: string[] = []
  for (const subjectId of [third, fourth])
    batch.push((await decide(named, { subject: 'song', subjectId, action: 'retire' })).body.id)
  await app.db`update decisions set batch = ${batch[0] ?? ''} where id = any(${batch}::bigint[])`
  await app.db`update limit_counters set count = 99 where key = ${`desk-changes:${stewardId}`}`
  // A batch counts as many as it has.
  const undoThem = () => named.call(undoBatch, { params: { id: batch[0] ?? '' } })
  expect((await undoThem()).body).toMatchObject({ decided: 1, left: 1 })
  const tooMany = refusal(429, 'You have changed a lot within an hour. Please wait a while.')
  expect(await named.call(undoDecision, { params: { id } })).toMatchObject(tooMany)
  expect(await undoThem()).toMatchObject(tooMany)
  const song = { subject: 'song', subjectId: second } as const
  expect(await decide(named, { ...song, action: 'retire' })).toMatchObject(tooMany)
  expect((await decide(named, { ...song, action: 'dismiss' })).status).toBe(200)
  // Not an operator, who may have to undo what a steward did.
  await app.db`
    insert into limit_counters (key, count, expires_at)
    values (${`desk-changes:${(await operator.call(getCurrentUser)).body.id}`}, 100, now() + interval '1 hour')`
  expect((await operator.call(undoDecision, { params: { id } })).status).toBe(200)
})

test('desk-29: what only the steward has reported another steward decides, if there is one, or an operator', async () => {
  const { operator, named } = await appoint()
  const genre = await makeMicrogenre(app.db, 3)
  const retire = async (who: Visitor, n: number) =>
    decide(who, { subject: 'song', subjectId: genre.songs[n] ?? '', action: 'retire' })
  const report = (who: Visitor, n: number) => reportSong(who, genre.songs[n] ?? '')
  await report(named, 0)
  expect((await retire(named, 0)).status).toBe(200)

  const other = await app.signIn()
  await appointSteward(app.db, other.id)
  // Whom it is about cannot decide it.
  await other.call(updateProfile, { body: { isPublic: true, bio: 'Buy pills' } })
  await named.call(reportSubject, { body: { subject: 'bio', subjectId: other.id, reason: 'spam' } })
  expect((await decide(named, { subject: 'bio', subjectId: other.id, action: 'block' })).status).toBe(200)
  await report(named, 1)
  const suspended = await app.signIn()
  await report(suspended, 1)
  await suspendAccount(app.db, suspended.id, 'operator')
  expect(await retire(named, 1)).toMatchObject(
    refusal(403, 'Only you reported this, so another steward decides it.'),
  )
  await report(ada, 1)
  expect((await retire(named, 1)).status).toBe(200)
  await report(named, 2)
  const dismissal = { subject: 'song', subjectId: genre.songs[2] ?? '', action: 'dismiss' } as const
  expect((await decide(named, dismissal)).status).toBe(200)
  await report(operator, 2)
  expect((await retire(operator, 2)).status).toBe(200)
})

test("desk-17: only an operator undoes an operator's decision, or an operator's undo", async () => {
  const { operator, named } = await appoint()
  const bob = await app.signIn()
  await bob.call(updateProfile, { body: { isPublic: true, bio: 'Buy pills' } })
  const { id } = (await bob.call(createCollection, { body: { name: 'Pills', isPublic: true } })).body
  const { shareToken } = (await bob.call(shareCollection, { params: { id } })).body
  const block = async (who: Visitor, subject: 'bio' | 'collection') => {
    const reported = { subject, subjectId: subject === 'bio' ? bob.id : shareToken, reason: 'spam' } as const
    await ada.call(reportSubject, { body: reported })
    const body = { subject, subjectId: subject === 'bio' ? bob.id : id, action: 'block' } as const
    return (await decide(who, body)).body.id
  }
  const undo = (who: Visitor, id: string) => who.call(undoDecision, { params: { id } })
  const refused = refusal(409, 'An operator has decided this. Only an operator undoes it.')
  const lastOf = async (who: Visitor) => (await who.call(listDecisions, { query: {} })).body[0]

  for (const subject of ['bio', 'collection'] as const) {
    const blocked = await block(operator, subject)
    expect(await lastOf(named)).toMatchObject({ id: blocked, canUndo: false })
    expect(await lastOf(operator)).toMatchObject({ id: blocked, canUndo: true })
    expect(await undo(named, blocked)).toMatchObject(refused)
    expect((await undo(operator, blocked)).status).toBe(200)
  }
  const own = await block(named, 'bio')
  const undone = (await undo(operator, own)).body
  expect(await undo(named, undone.id)).toMatchObject(refused)
  expect((await ada.call(getProfile, { params: { id: bob.id } })).body.bio).toBe('Buy pills')
})

test('desk-11: the trail shows names and words that are public today, and no others', async () => {
  const bob = await app.signIn()
  await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Robert', bio: 'Old words' } })
  const { id } = (await bob.call(createCollection, { body: { name: 'Open now', isPublic: true } })).body
  const { shareToken } = (await bob.call(shareCollection, { params: { id } })).body
  const decisions: string[] = []
  for (const [subject, subjectId, shared, action] of [
    ['person', bob.id, bob.id, 'dismiss'],
    ['bio', bob.id, bob.id, 'block'],
    ['collection', id, shareToken, 'dismiss'],
  ] as const) {
    await ada.call(reportSubject, { body: { subject, subjectId: shared, reason: 'spam' } })
    decisions.push((await decide(steward, { subject, subjectId, action })).body.id)
  }
  const trail = async () => {
    const { body } = await steward.call(listDecisions, { query: {} })
    return decisions.map((one) => body.find((row) => row.id === one)?.label)
  }
  const text = async () => (await steward.raw(listDecisions.path)).text
  expect(await trail()).toEqual(['Robert', 'Bio of Robert', 'Open now'])
  expect(await text()).toContain('Old words')

  await steward.call(undoDecision, { params: { id: decisions[1] ?? '' } })
  await bob.call(updateProfile, { body: { firstName: 'Rob', bio: '' } })
  expect(await trail()).toEqual(['Rob', 'Bio of Rob', 'Open now'])
  expect(await text()).not.toMatch(/Robert|Old words/)
  await bob.call(updateProfile, { body: { isPublic: false } })
  await bob.call(updateCollection, { params: { id }, body: { isPublic: false } })
  expect(await trail()).toEqual([
    'A private listener',
    'Bio of a private listener',
    'A private or deleted collection',
  ])
  expect(await text()).not.toMatch(/Rob|Open now/)
})

test('desk-11: the trail shows a blocked collection by the name that was public', async () => {
  const bob = await app.signIn()
  const { id } = (await bob.call(createCollection, { body: { name: 'Rude name', isPublic: true } })).body
  const { shareToken } = (await bob.call(shareCollection, { params: { id } })).body
  await ada.call(reportSubject, { body: { subject: 'collection', subjectId: shareToken, reason: 'spam' } })
  const { body } = await decide(steward, { subject: 'collection', subjectId: id, action: 'block' })
  const rename = async (name: string, isPublic: boolean) =>
    bob.call(updateCollection, { params: { id }, body: { name, isPublic } })
  const label = async () =>
    (await steward.call(listDecisions, { query: {} })).body.find((row) => row.id === body.id)?.label

  await rename('Private name', false)
  expect(await label()).toBe('Rude name')
  await rename('Public name', true)
  expect(await label()).toBe('Public name')
  await bob.call(deleteCollection, { params: { id } })
  expect(await label()).toBe('A private or deleted collection')
})

test('desk-17: an undo restores no song that somebody else has retired meanwhile', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [reported] = genre.songs as [string]
  await reportSong(ada, reported)
  const retired = await decide(steward, { subject: 'song', subjectId: reported, action: 'retire' })
  const id = await suggest(ada, genre.id, 'Retired twice', 'A')
  const approved = await decide(steward, { subject: 'suggestion', subjectId: id, action: 'approve' })
  const taken = await steward.call(undoDecision, { params: { id: approved.body.id } })
  // As an import restores and retires them.
  await app.db`
    update songs set retired_at = now() where retired_at is not null and microgenre_id = ${genre.id}`

  for (const one of [retired.body.id, taken.body.id]) {
    expect(await steward.call(undoDecision, { params: { id: one } })).toMatchObject(
      refusal(409, 'The song is in the catalogue again already, or somebody else has retired it.'),
    )
  }
  expect(await songsOf(genre.id)).toEqual(['Song 1'])
})

test('desk-16: the words of a bio are in the trail for 30 days', async () => {
  const bob = await app.signIn()
  await bob.call(updateProfile, { body: { isPublic: true, bio: 'Words of a month' } })
  await ada.call(reportSubject, { body: { subject: 'bio', subjectId: bob.id, reason: 'spam' } })
  const { id } = (await decide(steward, { subject: 'bio', subjectId: bob.id, action: 'block' })).body
  const trail = async () => (await steward.raw(listDecisions.path)).text
  const age = (days: number) =>
    app.db`update decisions set created_at = now() - ${days} * interval '1 day' where id = ${id}`

  await age(29)
  await sweepDesk(app.db)
  expect(await trail()).toContain('Words of a month')
  await age(31)
  await sweepDesk(app.db)
  expect(await trail()).not.toContain('Words of a month')
  expect(await steward.call(undoDecision, { params: { id } })).toMatchObject(
    refusal(409, 'Its owner has written another bio, or its words are deleted.'),
  )
})

test('desk-19: closed reports are deleted after two years, withdrawn suggestions and votes for rejected ones after one', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const reports: string[] = []
  for (const song of genre.songs) reports.push((await reportSong(bob, song)).body.id)
  const { id } = (
    await decide(steward, { subject: 'song', subjectId: genre.songs[0] ?? '', action: 'retire' })
  ).body
  await bob.call(withdrawReport, { params: { id: reports[1] ?? '' } })
  const [rejected, withdrawn, waiting] = [
    await suggest(bob, genre.id, 'Rejected', 'A'),
    await suggest(bob, genre.id, 'Withdrawn', 'A'),
    await suggest(bob, genre.id, 'Waiting', 'A'),
  ]
  const mbid = '8f3471b5-7e6a-48da-86a9-c1c07a0f47af'
  const song = { title: 'Never again', artist: 'A', year: null, recordingMbid: mbid, score: 70 }
  const found = (await proposeSong(app.db, genre.id, song)) ?? ''
  await suggest(bob, genre.id, song.title, song.artist)
  for (const subjectId of [rejected, found])
    await decide(steward, { subject: 'suggestion', subjectId, action: 'reject', reason: 'A live recording' })
  // Not from when it was made.
  await app.db`update suggestions set created_at = now() - interval '10 years' where id = ${withdrawn}`
  await bob.call(withdrawSuggestion, { params: { id: withdrawn } })
  const left = async () => {
    const rows = await app.db<{ id: string }[]>`
      select id from reports where id = any(${reports}::bigint[])
      union all select id from suggestions where id = any(${[rejected, withdrawn, waiting, found]}::bigint[])`
    return rows.length
  }
  const age = async (days: number) => {
    const by = app.db`${days} * interval '1 day'`
    await app.db`
      update reports set withdrawn_at = withdrawn_at - ${by}, created_at = created_at - ${by} where user_id = ${bob.id}`
    await app.db`update decisions set created_at = created_at - ${by} where id = ${id}`
    await app.db`
      update suggestions set decided_at = decided_at - ${by}, created_at = created_at - ${by}
      where microgenre_id = ${genre.id}`
    await app.db`update suggestion_votes set withdrawn_at = withdrawn_at - ${by} where user_id = ${bob.id}`
    await sweepDesk(app.db)
  }

  await age(364)
  expect(await left()).toBe(7)
  await age(365)
  expect((await bob.call(listSuggestions)).body.suggestions.map((one) => one.id)).toEqual([waiting])
  expect(await left()).toBe(6)
  await age(2)
  expect(await left()).toBe(4)
  // The catalogue does not propose them again.
  for (const title of [song.title, 'Rejected'])
    expect(await findDeskState(app.db, { ...song, title, recordingMbid: '' })).toBe('rejected')
})

test('desk-16: stewards cannot block each other', async () => {
  const bob = await app.signIn()
  await appointSteward(app.db, bob.id)
  await bob.call(updateProfile, { body: { isPublic: true } })
  await ada.call(reportSubject, { body: { subject: 'person', subjectId: bob.id, reason: 'other' } })

  expect(await decide(steward, { subject: 'person', subjectId: bob.id, action: 'block' })).toMatchObject(
    refusal(409, 'This person is a steward too. Only an operator can suspend them.'),
  )
})

test('desk-11: the desk shows no e-mail, and no name of a private listener', async () => {
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  await ada.call(updateProfile, { body: { isPublic: true, showEmail: true, firstName: 'Ada' } })
  await bob.call(updateProfile, { body: { isPublic: false, firstName: 'Robert' } })
  const publicSuggestion = await suggest(ada, genre.id, 'Of a public one', 'A')
  const hidden = await suggest(bob, genre.id, 'Of a private one', 'A')
  const { text } = await steward.raw(listCases.path)

  expect((await findCase('suggestion', publicSuggestion))?.suggestion?.suggester).toMatchObject({
    name: 'Ada',
  })
  expect((await findCase('suggestion', hidden))?.suggestion?.suggester).toMatchObject({ name: null })
  for (const secret of [ada.email, bob.email, 'Robert']) expect(text).not.toContain(secret)
})

test('desk-18, desk-19: the trail forgets a deleted person, and a deleted steward, but not the decision', async () => {
  const [ada, bob, other] = [await app.signIn(), await app.signIn(), await app.signIn()]
  await bob.call(updateProfile, { body: { isPublic: true, firstName: 'Bobby', bio: 'A rude bio' } })
  await ada.call(reportSubject, { body: { subject: 'bio', subjectId: bob.id, reason: 'hateful' } })
  const { body } = await decide(other, { subject: 'bio', subjectId: bob.id, action: 'block' })
  for (const who of [bob, other]) await who.call(deleteAccount, { body: { confirmation: who.email } })
  const { text } = await steward.raw(listDecisions.path)

  expect((JSON.parse(text) as { id: string }[]).find(({ id }) => id === body.id)).toMatchObject({
    steward: null,
    subjectId: null,
    label: 'A deleted account',
    changes: [],
    canUndo: false,
  })
  for (const forgottenText of ['Bobby', 'A rude bio']) expect(text).not.toContain(forgottenText)
  expect((await steward.call(undoDecision, { params: { id: body.id } })).status).toBe(409)
})

test('desk-20: one press approves all suggestions of a trusted listener, and one undoes that', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`update users set created_at = now() - interval '1 year' where id = ${ada.id}`
  const approve = () => steward.call(approveTrusted, { params: { id: ada.id } })
  for (let n = 0; n < 10; n++) {
    expect((await approve()).status).toBe(409)
    const id = await suggest(ada, genre.id, `Good ${n}`, 'A')
    await decide(steward, { subject: 'suggestion', subjectId: id, action: 'approve' })
  }
  const ids = await Promise.all([1, 2, 3].map((n) => suggest(ada, genre.id, `Batch ${n}`, 'A')))
  expect((await findCase('suggestion', ids[0] ?? ''))?.suggestion?.suggester).toMatchObject({
    isTrusted: true,
    waiting: 3,
  })
  // This song has come into the catalogue.
  await app.db`update songs set title = 'Batch 3', artist = 'A' where id = ${genre.songs[0] ?? ''}`
  const { status, body } = await approve()

  expect({ status, body }).toEqual({
    status: 200,
    body: { batch: expect.any(String), decided: 2, left: 1 },
  })
  expect(await songsOf(genre.id)).toHaveLength(13)
  const trail = (await steward.call(listDecisions, { query: {} })).body
  expect(trail.filter(({ batch }) => batch === body.batch)).toHaveLength(2)
  const undone = (await steward.call(undoBatch, { params: { id: body.batch ?? '' } })).body
  expect(undone).toMatchObject({ decided: 2, left: 0 })
  expect(await songsOf(genre.id)).toHaveLength(11)
  expect((await steward.call(undoBatch, { params: { id: body.batch ?? '' } })).body).toMatchObject({
    decided: 0,
  })
})

test('desk-21: a song found by the catalogue comes after those of listeners, without a vote', async () => {
  await clearDesk()
  const bob = await app.signIn()
  const genre = await makeMicrogenre(app.db, 0)
  const mbid = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'
  const openCase = { title: 'Found', artist: 'Nobody Asked', year: 1994, recordingMbid: mbid, score: 70 }
  const id = (await proposeSong(app.db, genre.id, openCase)) ?? ''
  expect(await proposeSong(app.db, genre.id, openCase)).toBeNull()
  const requests = await suggest(bob, genre.id, 'Asked For', 'Somebody')

  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([requests, id])
  expect((await cases())[0]?.suggestion).toMatchObject({ foundScore: null })
  expect((await cases())[1]).toMatchObject({
    votes: 0,
    suggestion: {
      title: 'Found',
      year: 1994,
      recordingMbid: mbid,
      address: `https://musicbrainz.org/recording/${mbid}`,
      foundScore: 70,
      suggester: null,
    },
  })

  // A listener votes for it and takes the vote back; another one leaves.
  expect(await suggest(ada, genre.id, 'FOUND', 'Nobody asked')).toBe(id)
  expect(await findCase('suggestion', id)).toMatchObject({ votes: 1 })
  await ada.call(withdrawSuggestion, { params: { id } })
  expect(await findCase('suggestion', id)).toMatchObject({ votes: 0, suggestion: { state: 'waiting' } })
  expect(await suggest(bob, genre.id, 'Found', 'Nobody Asked')).toBe(id)
  await bob.call(deleteAccount, { body: { confirmation: bob.email } })
  expect(await findCase('suggestion', id)).toMatchObject({ votes: 0 })

  const body = { subject: 'suggestion', subjectId: id, action: 'approve' } as const
  expect(await steward.call(decideCase, { body })).toMatchObject({ status: 200 })
  expect(await nextSong(ada, genre.id)).toMatchObject({ title: 'Found', artist: 'Nobody Asked' })
})

/** A server in production with an operator and one steward. */
async function appoint() {
  const [operator, named] = [await app.signIn(), await app.signIn()]
  await app.db`update users set is_steward = id = ${named.id}`
  const strict = await app.another({ ...PLAIN_PRODUCTION, DIAGNOSTIC_EMAILS: operator.email })
  return { strict, operator: operator.at(strict.url), named: named.at(strict.url) }
}

/** Decides the cases of other tests. */
async function clearDesk(): Promise<void> {
  await app.db`update suggestions set state = 'withdrawn' where state = 'waiting'`
  await app.db`update reports set withdrawn_at = now() where closed_by is null`
}

async function suggest(who: Visitor, microgenreId: string, title: string, artist: string): Promise<string> {
  const { status, body } = await who.call(suggestSong, { body: { microgenreId, title, artist } })
  if (status !== 200) throw new Error(`No suggestion: ${status} ${JSON.stringify(body)}`)
  return body.suggestion.id
}

const decide = (who: Visitor, body: Decision) => who.call(decideCase, { body })

const reportSong = (
  who: Visitor,
  subjectId: string,
  reason: 'wrong-song' | 'wrong-microgenre' = 'wrong-song',
) => who.call(reportSubject, { body: { subject: 'song', subjectId, reason } })

async function findCase(subject: Decision['subject'], subjectId: string): Promise<DeskCase | undefined> {
  return (await cases()).find((one) => one.subject === subject && one.subjectId === subjectId)
}

const cases = async (): Promise<DeskCase[]> => (await steward.call(listCases, { query: {} })).body.cases

const waits = async (subject: Decision['subject'], subjectId: string) =>
  (await findCase(subject, subjectId)) !== undefined

/** Titles that can be rated, in the order they were added. */
async function songsOf(genre: string): Promise<string[]> {
  const rows = await app.db<{ title: string }[]>`
    select title from songs where microgenre_id = ${genre} and retired_at is null order by seq`
  const [counts] = await app.db<{ live: number }[]>`
    select live_song_count as live from microgenres where id = ${genre}`
  expect(counts?.live).toBe(rows.length)
  return rows.map(({ title }) => title)
}

async function videosOf(video: string): Promise<string[]> {
  const rows = await app.db<{ id: string }[]>`
    select microgenre_id as id from songs where youtube_id = ${video} and retired_at is null`
  return rows.map(({ id }) => id)
}

/** All titles of a listener's first pass. */
async function titlesOf(who: Visitor, genre: string): Promise<string[]> {
  const titles: string[] = []
  for (let song = await nextSong(who, genre); song; song = await nextSong(who, genre)) {
    titles.push(song.title)
    await rate(who, genre, song.id)
  }
  return titles
}
