import { beforeAll, expect, test } from 'vitest'
import { type DeskCase, decideCase, listCases } from '../../contract/desk.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { suggestSong, withdrawSuggestion } from '../../contract/suggestions.ts'
import { propose } from '../../server/suggestions/proposals.ts'
import { makeMicrogenre, nextSong } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

/* Songs that the catalogue found itself, at the desk. */

const MBID = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'

const app = setUpApp()
let steward: Visitor
beforeAll(async () => {
  steward = await app.signIn()
})

test('desk-21: a song that the catalogue found waits behind those of listeners, without a vote', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, 0)
  const found = { title: 'Found', artist: 'Nobody Asked', year: 1994, recordingMbid: MBID, score: 70 }
  const id = (await propose(app.db, genre.id, found)) ?? ''
  expect(await propose(app.db, genre.id, found)).toBeNull()
  const asked = await suggest(bob, genre.id, 'Asked For', 'Somebody')

  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([asked, id])
  expect((await cases())[0]?.suggestion).toMatchObject({ foundScore: null })
  expect((await cases())[1]).toMatchObject({
    votes: 0,
    suggestion: {
      title: 'Found',
      year: 1994,
      recordingMbid: MBID,
      address: `https://musicbrainz.org/recording/${MBID}`,
      foundScore: 70,
      suggester: null,
    },
  })

  // A listener votes for it and takes the vote back; another one leaves.
  expect(await suggest(ada, genre.id, 'FOUND', 'Nobody asked')).toBe(id)
  expect(await caseOf(id)).toMatchObject({ votes: 1 })
  await ada.call(withdrawSuggestion, { params: { id } })
  expect(await caseOf(id)).toMatchObject({ votes: 0, suggestion: { state: 'waiting' } })
  expect(await suggest(bob, genre.id, 'Found', 'Nobody Asked')).toBe(id)
  await bob.call(deleteAccount, { body: { confirmation: bob.email } })
  expect(await caseOf(id)).toMatchObject({ votes: 0 })

  const body = { subject: 'suggestion', subjectId: id, action: 'approve' } as const
  expect(await steward.call(decideCase, { body })).toMatchObject({ status: 200 })
  expect(await nextSong(ada, genre.id)).toMatchObject({ title: 'Found', artist: 'Nobody Asked' })
})

async function suggest(who: Visitor, microgenreId: string, title: string, artist: string): Promise<string> {
  return (await who.call(suggestSong, { body: { microgenreId, title, artist } })).body.suggestion.id
}

const cases = async (): Promise<DeskCase[]> => (await steward.call(listCases, { query: {} })).body.cases

const caseOf = async (id: string) => (await cases()).find(({ subjectId }) => subjectId === id)
