import { describe, expect, it } from 'vitest'
import type { Room } from '../../../contract/shapes.ts'
import { makeSong as song } from '../../../tests/makeSong.ts'
import { coverSong } from '../../playback/coverSong.ts'
import { type DiscoveryEvent, stepDiscovery } from './discoveryMachine.ts'
import {
  canRate,
  canUndo,
  type Discovery,
  initialDiscovery,
  isLoading,
  isReadyToAdvance,
  leanSong,
  needsRefill,
  type Outcome,
  pendingSplit,
  ratingPercent,
  revealedRating,
  revealNumber,
  type Verdict,
} from './discoveryState.ts'

describe('the first song', () => {
  it('is fetched for the chosen microgenre and shown', () => {
    const chosen = stateAfter({ type: 'chosen', microgenreId: '7' })
    expect(chosen).toMatchObject({ microgenreId: '7', view: 'loading', fetching: 'first' })
    expect(isLoading(chosen)).toBe(true)
    const shown = stepDiscovery(chosen, { type: 'fetched', visit: 1, song: song('a') })
    expect(shown).toMatchObject({ view: 'song', song: { id: 'a' }, fetching: null })
    expect(needsRefill(shown)).toBe(true)
  })

  it.each<DiscoveryEvent>([
    { type: 'fetched', visit: 1, song: null },
    { type: 'fetch-failed', visit: 1 },
  ])('shows the completion view when there is none (discover-24): %j', (event) => {
    expect(stateAfter({ type: 'chosen', microgenreId: '7' }, event).view).toBe('complete')
  })

  it('is ignored after switching to another microgenre (discover-5)', () => {
    const state = stateAfter({ type: 'chosen', microgenreId: '7' }, { type: 'chosen', microgenreId: '8' })
    expect(stepDiscovery(state, { type: 'fetched', visit: 1, song: song('a') })).toBe(state)
    expect(stepDiscovery(state, { type: 'fetch-failed', visit: 1 })).toBe(state)
  })
})

describe('a rating', () => {
  it('is rejected without a song', () => {
    for (const state of [initialDiscovery, stateAfter({ type: 'chosen', microgenreId: '7' }), completed()]) {
      expect(stepDiscovery(state, { type: 'rate', rating: 'banger' })).toBe(state)
      expect(canRate(state)).toBe(false)
    }
  })

  it('is rejected while another rating is being sent', () => {
    const rating = step(playing('a'), { type: 'rate', rating: 'banger' })
    expect(step(rating, { type: 'rate', rating: 'bust' })).toBe(rating)
  })

  it('waits for the feedback and the response, in either order (discover-10)', () => {
    const rating = step(playing('a', 'b'), { type: 'rate', rating: 'banger' })
    const over: DiscoveryEvent = { type: 'feedback-over', attempt: 1 }
    const answer: DiscoveryEvent = { type: 'answered', attempt: 1, outcome: outcomeWithNext('b') }
    expect(isReadyToAdvance(step(rating, over))).toBe(false)
    expect(isReadyToAdvance(step(rating, answer))).toBe(false)
    expect(isReadyToAdvance(step(rating, over, answer))).toBe(true)
    expect(isReadyToAdvance(step(rating, answer, over))).toBe(true)
    expect(isLoading(step(rating, answer))).toBe(false)
    expect(isLoading(step(rating, over))).toBe(true)
    expect(step(rating, { type: 'advance', attempt: 1 })).toBe(rating)
  })

  it('shows the first song of the queue, and announces it', () => {
    const state = afterRating(playing('a', 'b', 'c'), outcomeWithNext('b'))
    expect(state).toMatchObject({
      song: { id: 'b' },
      queue: [{ id: 'c' }],
      pending: null,
      announcement: 'Rated banger. You are the first to rate this. Next: Song b by Artist b',
    })
  })

  it('shows the next song of the response when the queue is empty', () => {
    expect(afterRating(playing('a'), outcomeWithNext('b')).song?.id).toBe('b')
  })

  it('skips songs that were rated in another tab', () => {
    expect(afterRating(playing('a', 'b', 'c', 'd'), outcomeWithNext('c'))).toMatchObject({
      song: { id: 'c' },
      queue: [{ id: 'd' }],
    })
  })

  it('fetches a song when queue and response only have songs that were shown already', () => {
    const state = afterRating(playing('a'), outcomeWithNext('a'))
    expect(state).toMatchObject({ view: 'loading', fetching: 'next' })
    expect(stepDiscovery(state, { type: 'fetch-failed', visit: 1 })).toMatchObject({
      view: 'song',
      song: { id: 'a' },
    })
    expect(stepDiscovery(state, { type: 'fetched', visit: 1, song: null }).view).toBe('complete')
  })

  it('of the last song completes the microgenre, even when the queue has songs', () => {
    const state = afterRating(playing('a', 'b'), COMPLETED)
    expect(state).toMatchObject({ view: 'complete', song: null, queue: [] })
    expect(state.announcement).toBe('Rated banger. You are the first to rate this. Microgenre complete.')
  })

  it('discover-40: in a later pass says how many have rated a song, not who was first', () => {
    for (const [listeners, sentence] of [
      [1, 'Only you have rated this'],
      [3, '3 listeners have rated this'],
    ] as const) {
      const outcome = { ...outcomeWithNext('b'), listeners, isFirst: false }
      expect(afterRating(playing('a', 'b'), outcome).announcement).toMatch(`Rated banger. ${sentence}. Next`)
    }
  })

  it('discover-40: says once which place a listener has, in all microgenres, and not beside Undo', () => {
    const first = afterRating(playing('a', 'b'), outcomeWithNext('b'))
    expect(first.sentence).toBe('')
    const elsewhere = step(
      first,
      { type: 'chosen', microgenreId: 'other' },
      { type: 'fetched', visit: 2, song: song('c') },
    )
    const second = afterRating(elsewhere, outcomeWithNext('d'))
    expect(second).toMatchObject({
      sentence: '',
      announcement: 'Rated banger. 1st to rate this. Next: Song d by Artist d',
    })
    const room = { listeners: 8, bangers: 5 }
    expect(afterRating(second, outcomeWithNext('e', room)).sentence).toBe('Banger for 62 % of 8 listeners')
  })

  it('discover-40: is revealed when that is due and the answer is there, until the next song', () => {
    const room = { listeners: 8, bangers: 5 }
    const rating = step(playing('a', 'b'), { type: 'rate', rating: 'bust' })
    const due: DiscoveryEvent = { type: 'reveal-due', attempt: 1 }
    const answer: DiscoveryEvent = { type: 'answered', attempt: 1, outcome: outcomeWithNext('b', room) }
    expect([rating, step(rating, due), step(rating, answer)].map(revealedRating)).toEqual([null, null, null])
    const shown = step(rating, answer, due)
    expect([revealedRating(shown), pendingSplit(shown), revealNumber(shown)]).toEqual(['bust', room, '38 %'])
    expect(revealedRating(step(rating, due, answer))).toBe('bust')
    expect(revealedRating(step(rating, due, { type: 'answered', attempt: 1, outcome: 'failed' }))).toBeNull()

    const over = step(shown, { type: 'feedback-over', attempt: 1 })
    expect(revealedRating(over)).toBe('bust')
    const after = step(over, { type: 'advance', attempt: 1 })
    expect(revealedRating(after)).toBeNull()
    expect(after).toMatchObject({
      sentence: 'Bust for 38 % of 8 listeners',
      announcement: 'Rated bust. Bust for 38 % of 8 listeners. Next: Song b by Artist b',
    })
  })

  it('discover-41: loses its sentence by time, by the next rating, and by undo', () => {
    const after = afterRating(playing('a', 'b', 'c'), outcomeWithNext('b', { listeners: 8, bangers: 5 }))
    expect(after.sentence).not.toBe('')
    const gone = [
      step(after, { type: 'sentence-over', attempt: 1 }),
      step(after, { type: 'rate', rating: 'bust' }),
      step(after, { type: 'undo' }, { type: 'undone', visit: 1, song: song('a') }),
      step(after, { type: 'chosen', microgenreId: '8' }),
    ]
    expect(gone.map(({ sentence }) => sentence)).toEqual(['', '', '', ''])
    const second = afterRating(after, outcomeWithNext('c'))
    expect(step(second, { type: 'sentence-over', attempt: 1 })).toBe(second)
  })

  it('that fails shows its song again (discover-13)', () => {
    const failed = step(
      playing('a', 'b'),
      { type: 'rate', rating: 'bust' },
      { type: 'answered', attempt: 1, outcome: 'failed' },
    )
    expect(failed.pending).not.toBeNull()
    const back = step(failed, { type: 'feedback-over', attempt: 1 })
    expect(back).toMatchObject({ view: 'song', song: { id: 'a' }, pending: null, isUndoable: false })
    expect(canRate(back)).toBe(true)
  })

  it('changes nothing after switching to another microgenre (discover-5)', () => {
    const switched = step(
      playing('a', 'b'),
      { type: 'rate', rating: 'banger' },
      { type: 'chosen', microgenreId: '8' },
      { type: 'fetched', visit: 2, song: song('x') },
    )
    expect(canRate(switched)).toBe(true)
    const late = step(
      switched,
      { type: 'feedback-over', attempt: 1 },
      { type: 'answered', attempt: 1, outcome: COMPLETED },
      { type: 'advance', attempt: 1 },
    )
    expect(late).toBe(switched)
  })
})

describe('the queue', () => {
  it('is refilled when at most one song is left, once per song (discover-21)', () => {
    const second = afterRating(playing('a', 'b', 'c'), outcomeWithNext('b'))
    expect(needsRefill(playing('a', 'b', 'c'))).toBe(false)
    expect(needsRefill(second)).toBe(true)
    expect(needsRefill(step(second, { type: 'refilling' }))).toBe(false)
  })

  it('drops songs that are current, queued or were shown (discover-19)', () => {
    const state = afterRating(playing('a', 'b', 'c'), outcomeWithNext('b'))
    const filled = step(state, {
      type: 'refilled',
      visit: 1,
      songs: ['a', 'b', 'c', 'd', 'e'].map((id) => song(id)),
    })
    expect(filled.queue.map(({ id }) => id)).toEqual(['c', 'd', 'e'])
    expect(filled.isExhausted).toBe(false)
  })

  it('is not refilled once all songs are known', () => {
    const state = step(playing('a'), { type: 'refilled', visit: 1, songs: [song('a'), song('b')] })
    expect(state.isExhausted).toBe(true)
    expect(needsRefill(afterRating(state, outcomeWithNext('b')))).toBe(false)
  })

  it('ignores songs of the previous microgenre', () => {
    const state = step(playing('a'), { type: 'chosen', microgenreId: '8' })
    expect(step(state, { type: 'refilled', visit: 1, songs: [song('b')] })).toBe(state)
  })

  it('never shows a song twice, through a whole microgenre (discover-21)', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    let state = stateAfter(
      { type: 'chosen', microgenreId: '7' },
      { type: 'fetched', visit: 1, song: song('a') },
    )
    const shown: (string | undefined)[] = []
    for (let n = 0; n < all.length; n++) {
      shown.push(state.song?.id)
      if (needsRefill(state)) {
        // The answer overlaps with what is queued, and may be a song behind.
        const songs = all.slice(Math.max(0, n - 1), n + 4).map((id) => song(id))
        state = step(state, { type: 'refilling' }, { type: 'refilled', visit: 1, songs })
      }
      const following = all[n + 1]
      state = afterRating(state, following ? outcomeWithNext(following) : COMPLETED)
    }
    expect(shown).toEqual(all)
    expect(state.view).toBe('complete')
  })
})

describe('undo', () => {
  it('makes the song current again, with the next one behind it', () => {
    const state = afterRating(playing('a', 'b', 'c'), outcomeWithNext('b'))
    expect(canUndo(state)).toBe(true)
    const undoing = step(state, { type: 'undo' })
    expect([canRate(undoing), canUndo(undoing)]).toEqual([false, false])
    const undone = step(undoing, { type: 'undone', visit: 1, song: song('a') })
    expect(undone).toMatchObject({
      view: 'song',
      song: { id: 'a' },
      isUndoable: false,
      isUndoing: false,
      rated: [],
    })
    expect(undone.queue.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(afterRating(undone, outcomeWithNext('b')).song?.id).toBe('b')
  })

  it('restores the song once when the response arrives twice', () => {
    const undone = { type: 'undone', visit: 1, song: song('a') } as const
    const once = step(afterRating(playing('a', 'b'), outcomeWithNext('b')), { type: 'undo' }, undone)
    expect(step(once, undone)).toBe(once)
  })

  it('leaves the completion view', () => {
    expect(step(completed(), { type: 'undo' }, { type: 'undone', visit: 1, song: song('a') })).toMatchObject({
      view: 'song',
      song: { id: 'a' },
      queue: [],
    })
  })

  it('expires after a while, with the next rating and with another microgenre', () => {
    const state = afterRating(playing('a', 'b'), outcomeWithNext('b'))
    expect(canUndo(expireUndo(state))).toBe(false)
    expect(canUndo(step(state, { type: 'rate', rating: 'bust' }))).toBe(false)
    expect(canUndo(step(state, { type: 'chosen', microgenreId: '8' }))).toBe(false)
  })

  it('outlives a rating that fails (discover-13)', () => {
    const back = step(
      afterRating(playing('a', 'b'), outcomeWithNext('b')),
      { type: 'rate', rating: 'bust' },
      { type: 'answered', attempt: 2, outcome: 'failed' },
      { type: 'feedback-over', attempt: 2 },
    )
    expect(canUndo(back)).toBe(true)
    expect(canUndo(expireUndo(back))).toBe(false)
  })

  it('changes nothing when it fails', () => {
    const state = afterRating(playing('a', 'b'), outcomeWithNext('b'))
    expect(step(state, { type: 'undo' }, { type: 'undo-failed', visit: 1 })).toEqual(state)
  })
})

describe('not now', () => {
  const later = (id: string) => song(id, { putOff: true })

  it('discover-43: rates nothing, and lets the song come once more after the others', () => {
    const state = afterDeferral(playing('a', 'b'), outcomeWithNext('b'))
    expect(state).toMatchObject({
      song: { id: 'b' },
      rated: [],
      lastVerdict: { song: { id: 'a' }, rating: null },
      isExhausted: false,
      announcement: 'Not now. Next: Song b by Artist b',
    })
    // A response from before the press still has it as a song to come.
    const stale = step(state, { type: 'refilled', visit: 1, songs: [song('a'), song('b')] })
    expect(stale.queue).toEqual([])
    const refilled = step(state, { type: 'refilled', visit: 1, songs: [song('b'), later('a')] })
    expect(refilled.queue).toEqual([later('a')])
    const again = afterRating(refilled, { ...COMPLETED, completed: false, nextSong: later('a') })
    expect(again.song).toEqual(later('a'))
    const gone = afterDeferral(again, COMPLETED)
    expect(gone).toMatchObject({ view: 'complete', announcement: 'Not now. Microgenre complete.' })
  })

  it('discover-43: of the only song left shows it again at once', () => {
    expect(
      afterDeferral(playing('a'), { ...COMPLETED, completed: false, nextSong: later('a') }).song,
    ).toEqual(later('a'))
  })

  it('discover-44: can be undone, and the song comes only once then', () => {
    const state = afterDeferral(playing('a', 'b'), outcomeWithNext('b'))
    const refilled = step(state, { type: 'refilled', visit: 1, songs: [song('b'), later('a')] })
    const undone = step(refilled, { type: 'undo' }, { type: 'undone', visit: 1, song: song('a') })
    expect(undone).toMatchObject({
      song: { id: 'a' },
      queue: [{ id: 'b' }],
      announcement: 'Now: Song a by Artist a',
    })
  })

  it('discover-44: of a song that another tab has rated cannot be undone', () => {
    expect(
      canUndo(
        afterDeferral(playing('a', 'b'), { ...COMPLETED, completed: false, nextSong: song('b'), at: null }),
      ),
    ).toBe(false)
  })
})

describe('discover-91: more like this', () => {
  const outcome = { ...outcomeWithNext('b'), canLean: true }
  const leaned = (songId: string | null): DiscoveryEvent => ({ type: 'leaned', visit: 1, songId })

  it('is offered in the reveal and while Undo is, and only for a banger with traits', () => {
    const rated = step(playing('a', 'b', 'c'), { type: 'rate', rating: 'banger' })
    expect(leanSong(rated)).toBeNull()
    const { attempt } = rated
    const revealed = step(rated, { type: 'answered', attempt, outcome }, { type: 'reveal-due', attempt })
    expect(leanSong(revealed)?.id).toBe('a')
    expect(step(revealed, leaned('a')).queue).toMatchObject([{ id: 'b' }])

    const next = afterRating(playing('a', 'b', 'c'), outcome)
    expect(leanSong(next)?.id).toBe('a')
    expect(leanSong({ ...next, isUndoable: false })).toBeNull()
    expect(leanSong({ ...next, queue: [], isExhausted: true })).toBeNull()
    expect(leanSong(afterVerdict(playing('a', 'b'), 'bust', outcome))).toBeNull()
    expect(leanSong(afterRating(playing('a', 'b'), outcomeWithNext('b')))).toBeNull()
  })

  it('requests the songs after the next one again, and gives Undo its time again', () => {
    const rated = afterRating(playing('a', 'b', 'c', 'd'), outcome)
    const after = step(rated, { type: 'refilling' }, leaned('a'))
    expect(after).toMatchObject({ song: { id: 'b' }, queue: [] })
    expect([needsRefill(after), canUndo(after), leanSong(after)]).toEqual([true, true, null])
    if (!rated.lastVerdict) throw new Error('Nothing was rated.')
    expect(canUndo(step(after, { type: 'undo-expired', verdict: rated.lastVerdict }))).toBe(true)
    expect(leanSong(step(after, { type: 'undo' }, leaned(null)))?.id).toBe('a')
  })
})

it('discover-92: a rating or Show uncovers the song, Not now does not', () => {
  const covered = coverSong(song('a'))
  const state = { ...playing('a', 'b'), song: covered }
  expect(state.song).toMatchObject({ title: 'Hidden song', artist: 'Hidden artist', youtubeId: null })
  expect(step(state, { type: 'rate', rating: null }).song).toBe(covered)
  for (const event of [{ type: 'show' }, { type: 'rate', rating: 'bust' }] as const)
    expect(step(state, event).song).toEqual(song('a'))
})

it('a restart begins the same microgenre again', () => {
  expect(step(completed(), { type: 'restarted' })).toMatchObject({
    microgenreId: '7',
    view: 'loading',
    fetching: 'first',
    visit: 2,
    rated: [],
  })
})

it.each([
  [{ listeners: 1000, bangers: 999 }, 99, 1],
  [{ listeners: 1000, bangers: 1 }, 1, 99],
  [{ listeners: 7, bangers: 7 }, 100, 0],
  [{ listeners: 50, bangers: 25 }, 50, 50],
])('discover-40: of %j a percentage is 100 or 0 only when all agree', (split, banger, bust) => {
  expect(ratingPercent('banger', split)).toBe(banger)
  expect(ratingPercent('bust', split)).toBe(bust)
})

const RATED_AT = '2026-01-02T03:04:05.678901Z'
const COMPLETED = { completed: true, nextSong: null, at: RATED_AT, listeners: 1, room: null }

function stateAfter(...events: DiscoveryEvent[]): Discovery {
  return step(initialDiscovery, ...events)
}

function step(state: Discovery, ...events: DiscoveryEvent[]): Discovery {
  return events.reduce(stepDiscovery, state)
}

function playing(current: string, ...queue: string[]): Discovery {
  const shown = stateAfter(
    { type: 'chosen', microgenreId: '7' },
    { type: 'fetched', visit: 1, song: song(current) },
  )
  return { ...shown, queue: queue.map((id) => song(id)) }
}

const expireUndo = (state: Discovery) =>
  state.lastVerdict ? step(state, { type: 'undo-expired', verdict: state.lastVerdict }) : state

const afterRating = (state: Discovery, outcome: Outcome) => afterVerdict(state, 'banger', outcome)
const afterDeferral = (state: Discovery, outcome: Outcome) => afterVerdict(state, null, outcome)

function afterVerdict(state: Discovery, verdict: Verdict, outcome: Outcome): Discovery {
  const rating = step(state, { type: 'rate', rating: verdict })
  const { attempt } = rating
  return step(
    rating,
    { type: 'answered', attempt, outcome },
    { type: 'feedback-over', attempt },
    { type: 'advance', attempt },
  )
}

function completed(): Discovery {
  return afterRating(playing('a'), COMPLETED)
}

function outcomeWithNext(id: string, room: Room | null = null): Exclude<Outcome, 'failed'> {
  return { completed: false, nextSong: song(id), at: RATED_AT, listeners: room?.listeners ?? 1, room }
}
