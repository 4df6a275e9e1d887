import { beforeEach, expect, test } from 'vitest'
import { type DeskCase, decideCase, listCases, listDecisions, undoDecision } from '../../contract/desk.ts'
import { suggestSong } from '../../contract/suggestions.ts'
import { makeJudgedVideo, makeMicrogenre, nextSong } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'

/* Videos that `catalogue videos` found but did not take, at the desk (desk-25). */

const app = setUpApp()
const steward = setUpService(() => app.signIn())
beforeEach(async () => {
  await app.db`truncate video_candidates`
  await app.db`update suggestions set state = 'withdrawn' where state = 'waiting'`
})

test('desk-25: each song without a video is one case, after those of listeners', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 4)
  const [first, second, whole, blocked] = genre.songs as [string, string, string, string]
  await app.db`update songs set youtube_id = 'wholewhole_', duration_ms = 180000 where id = ${whole}`
  await app.db`
    update songs set youtube_id = 'failed_____', blocked_video_id = 'failed_____', duration_ms = 180000
    where id = ${blocked}`
  await makeJudgedVideo(app.db, first, 'searched___', { score: 95, refusal: 'regional' })
  const linkedVideo = await makeJudgedVideo(app.db, first, 'linked_____', { source: 'wikidata' })
  await makeJudgedVideo(app.db, first, 'linkedless_', { source: 'wikidata', score: 63 })
  await makeJudgedVideo(app.db, second, 'othersong__', { refusal: 'other song' })
  await makeJudgedVideo(app.db, second, 'wholewhole_')
  await makeJudgedVideo(app.db, whole, 'notneeded__')
  await makeJudgedVideo(app.db, blocked, 'failed_____', { score: 99 })
  const instead = await makeJudgedVideo(app.db, blocked, 'instead____', { refusal: 'length differs' })
  const { body } = await ada.call(suggestSong, {
    body: { microgenreId: genre.id, title: 'Asked for', artist: 'Somebody' },
  })

  expect((await cases()).map((one) => `${one.subject} ${one.subjectId}`)).toEqual([
    `suggestion ${body.suggestion.id}`,
    `video ${linkedVideo}`,
    `video ${instead}`,
  ])
  expect(await caseOf(instead)).toMatchObject({
    votes: 0,
    reasons: [],
    song: null,
    suggestion: null,
    video: {
      title: 'Song 3',
      artist: 'Artist 3',
      microgenre: genre.name,
      youtubeId: 'instead____',
      videoTitle: 'Video instead____',
      channel: 'A channel',
      videoMs: 185_000,
      songMs: 180_000,
      source: 'youtube',
      score: 64,
      doubt: 'length differs',
    },
  })
  // A song that was retired meanwhile does not wait.
  await app.db`update songs set retired_at = now() where id = ${blocked}`
  expect(await caseOf(instead)).toBeUndefined()
})

test('desk-25, desk-17: an approved video plays for listeners; undo brings back exactly what was before', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  const [song] = genre.songs as [string]
  await app.db`update songs set youtube_id = 'failing____', blocked_video_id = 'failing____' where id = ${song}`
  const id = await makeJudgedVideo(app.db, song, 'approved___', { source: 'musicbrainz' })
  await makeJudgedVideo(app.db, song, 'another____')
  const before = await readRows(song)
  const { status, body } = await decide(steward, id, 'approve')

  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      subject: 'video',
      action: 'approve',
      label: 'Video of Song 0 by Artist 0',
      changes: [{ field: 'youtubeId', before: 'failing____', after: 'approved___' }],
      canUndo: true,
    },
  })
  expect(await nextSong(ada, genre.id)).toMatchObject({ youtubeId: 'approved___', youtubeBlocked: false })
  expect(await cases()).toEqual([])
  // catalogue-17: the approved video counts as found by its source.
  expect(await refusalOf('approved___')).toEqual([{ source: 'musicbrainz', refusal: null }])
  const after = await readRows(song)

  const undone = await undo(body.id)
  expect(undone).toMatchObject({ status: 200, body: { action: 'undo', undoes: body.id } })
  expect(await readRows(song)).toEqual(before)
  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([id])
  await undo(undone.body.id)
  expect(await readRows(song)).toEqual(after)
  const trail = (await steward.call(listDecisions, { query: {} })).body
  expect(trail.slice(0, 3).map(({ action }) => action)).toEqual(['undo', 'undo', 'approve'])
})

test('desk-25: after a rejection the next video of the song follows, and a double press rejects one', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const [song] = genre.songs as [string]
  const best = await makeJudgedVideo(app.db, song, 'best_______', { score: 79, refusal: 'regional' })
  const next = await makeJudgedVideo(app.db, song, 'next_______', { score: 50 })
  const before = await readRows(song)
  const pressed = await Promise.all([decide(steward, best, 'reject'), decide(steward, best, 'reject')])

  expect(pressed.map(({ status }) => status)).toEqual([200, 200])
  const [one, other] = pressed.map(({ body }) => body.id)
  expect(one).toBe(other)
  expect(await refusalOf('best_______')).toEqual([{ source: 'youtube', refusal: 'rejected' }])
  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([next])
  await decide(steward, next, 'reject')
  expect(await cases()).toEqual([])
  expect(await app.db`select from songs where id = ${song} and youtube_id is null`).toHaveLength(1)

  for (const { id } of (await steward.call(listDecisions, { query: {} })).body.slice(0, 2)) await undo(id)
  expect(await readRows(song)).toEqual(before)
  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([best])
})

test('desk-13, desk-25: an outdated decision gets a message, and changes nothing', async () => {
  const second = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const [song, other, retired] = genre.songs as [string, string, string]
  const id = await makeJudgedVideo(app.db, song, 'meanwhile__')
  const ofOther = await makeJudgedVideo(app.db, other, 'ofanother__')
  const ofRetired = await makeJudgedVideo(app.db, retired, 'ofretired__')
  await app.db`update songs set youtube_id = 'ofanother__' where id = ${song}`
  await app.db`update songs set retired_at = now() where id = ${retired}`
  const before = await readRows(song)
  const refusalWith = (message: string) => ({ status: 409, body: { message } })

  expect(await decide(steward, id, 'approve')).toMatchObject(
    refusalWith('This song has got a video meanwhile.'),
  )
  expect(await decide(steward, ofOther, 'approve')).toMatchObject(
    refusalWith('This video or track belongs to Song 0 by Artist 0.'),
  )
  expect(await decide(steward, ofRetired, 'approve')).toMatchObject(
    refusalWith('The song is retired already.'),
  )
  expect(await readRows(song)).toEqual(before)
  expect((await decide(steward, '999999', 'approve')).status).toBe(404)
  const unfit = { subject: 'video', subjectId: id, action: 'merge', songId: other } as const
  expect((await steward.call(decideCase, { body: unfit })).status).toBe(400)

  await app.db`update songs set youtube_id = null where id = ${song}`
  const answers = await Promise.all([decide(steward, id, 'approve'), decide(second, id, 'reject')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject(
    refusalWith('Another steward has decided this case already.'),
  )

  // Others changed the song since.
  await app.db`update video_candidates set refusal = 'weak'`
  await app.db`update songs set youtube_id = null where id = ${other}`
  const { body } = await decide(steward, ofOther, 'approve')
  await app.db`update songs set youtube_id = 'operators__' where id = ${other}`
  expect(await undo(body.id)).toMatchObject(refusalWith('The song was changed meanwhile.'))
})

const decide = (who: Visitor, subjectId: string, action: 'approve' | 'reject') =>
  who.call(decideCase, { body: { subject: 'video', subjectId, action } })

const undo = (id: string) => steward.call(undoDecision, { params: { id } })

const cases = async (): Promise<DeskCase[]> => (await steward.call(listCases, { query: {} })).body.cases

const caseOf = async (id: string) => (await cases()).find(({ subjectId }) => subjectId === id)

const refusalOf = (video: string) => app.db<{ source: string; refusal: string | null }[]>`
  select source, refusal from video_candidates where video_id = ${video}`

/** A song and its judged videos. */
async function readRows(song: string) {
  return [
    await app.db`select * from songs where id = ${song}`.values(),
    await app.db`select * from video_candidates where song_id = ${song} order by id`.values(),
  ]
}
