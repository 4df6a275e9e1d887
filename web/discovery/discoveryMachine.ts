import { type OfferedSong, PREFETCH_SIZE } from '../../contract/discovery.ts'
import { songName } from '../../contract/isolateName.ts'
import {
  canRate,
  canUndo,
  type Discovery,
  isReadyToAdvance,
  keyOf,
  nothingChosen,
  type Outcome,
  type Pending,
  sayReveal,
  skipTo,
  upcoming,
  type Verdict,
} from './discoveryState.ts'

/** Covers on the completion view. */
const MAX_RATED_SONGS = 16

export type DiscoveryEvent =
  | { type: 'chosen'; microgenreId: string }
  | { type: 'restarted' }
  | { type: 'fetched'; visit: number; song: OfferedSong | null }
  | { type: 'fetch-failed'; visit: number }
  | { type: 'rate'; rating: Verdict }
  | { type: 'feedback-over' | 'reveal-due' | 'sentence-over'; attempt: number }
  | { type: 'answered'; attempt: number; outcome: Outcome }
  | { type: 'advance'; attempt: number }
  | { type: 'refilling' }
  | { type: 'refilled'; visit: number; songs: readonly OfferedSong[] }
  | { type: 'undo' }
  | { type: 'undone'; visit: number; song: OfferedSong }
  | { type: 'undo-failed'; visit: number }
  | { type: 'undo-expired'; at: string }

/** Pure: the next state after an event. An event that does not fit the state changes nothing. */
export function stepDiscovery(state: Discovery, event: DiscoveryEvent): Discovery {
  switch (event.type) {
    case 'chosen':
      return visit(state, event.microgenreId)
    case 'restarted':
      return state.microgenreId ? visit(state, state.microgenreId) : state
    case 'fetched':
      return isAwaited(state, event.visit) ? arrive(state, event.song) : state
    case 'fetch-failed':
      return isAwaited(state, event.visit) ? failFetch(state) : state
    case 'rate':
      return canRate(state) ? rate(state, event.rating) : state
    case 'feedback-over':
      return settle(state, event.attempt, { feedbackOver: true })
    case 'reveal-due':
      return settle(state, event.attempt, { revealDue: true })
    case 'sentence-over':
      return event.attempt === state.attempt ? { ...state, sentence: '' } : state
    case 'answered':
      return settle(state, event.attempt, { outcome: event.outcome })
    case 'advance':
      return isReadyToAdvance(state) && state.pending?.attempt === event.attempt ? advance(state) : state
    case 'refilling':
      return { ...state, refilledAt: state.song?.id ?? null }
    case 'refilled':
      return event.visit === state.visit ? refill(state, event.songs) : state
    case 'undo':
      return canUndo(state) ? { ...state, undoing: true } : state
    case 'undone':
      return event.visit === state.visit && state.undoing ? applyUndo(state, event.song) : state
    case 'undo-failed':
      return event.visit === state.visit ? { ...state, undoing: false } : state
    case 'undo-expired':
      return event.at === state.last?.at && !state.undoing ? { ...state, undoable: false } : state
  }
}

function visit(state: Discovery, microgenreId: string): Discovery {
  return {
    ...nothingChosen,
    microgenreId,
    view: 'loading',
    fetching: 'first',
    visit: state.visit + 1,
    attempt: state.attempt,
    hasShownFirst: state.hasShownFirst,
  }
}

function isAwaited(state: Discovery, visitOfAnswer: number): boolean {
  return visitOfAnswer === state.visit && state.fetching !== null
}

function arrive(state: Discovery, song: OfferedSong | null): Discovery {
  return song ? show(state, song, state.queue) : complete(state)
}

function failFetch(state: Discovery): Discovery {
  // The rated song stays; rating it again leads to the next (discover-24, discover-14).
  if (state.fetching === 'next' && state.song) return { ...state, view: 'song', fetching: null }
  return { ...complete(state), fetchFailed: true }
}

function show(state: Discovery, song: OfferedSong, queue: readonly OfferedSong[]): Discovery {
  const seen = new Set(state.seen).add(keyOf(song))
  return {
    ...state,
    view: 'song',
    fetching: null,
    song,
    seen,
    queue: queue.filter((waiting) => !seen.has(keyOf(waiting))),
  }
}

function complete(state: Discovery): Discovery {
  return { ...state, view: 'complete', fetching: null, fetchFailed: false, song: null, queue: [] }
}

function rate(state: Discovery, rating: Verdict): Discovery {
  if (!state.song) return state
  const attempt = state.attempt + 1
  return {
    ...state,
    attempt,
    pending: { song: state.song, rating, attempt, feedbackOver: false, revealDue: false, outcome: null },
    sentence: '',
    announcement: '',
  }
}

function settle(state: Discovery, attempt: number, part: Partial<Pending>): Discovery {
  if (state.pending?.attempt !== attempt) return state
  const pending = { ...state.pending, ...part }
  // The same song returns, to be rated again (discover-13).
  if (pending.feedbackOver && pending.outcome === 'failed') return { ...state, pending: null }
  return { ...state, pending }
}

function advance(state: Discovery): Discovery {
  const { pending } = state
  if (!pending?.outcome || pending.outcome === 'failed') return state
  const { completed, nextSong, at, room } = pending.outcome
  const { song, rating } = pending
  const words = sayReveal(state)
  const said = rating ? [`Rated ${rating}.`, ...(words ? [`${words}.`] : [])].join(' ') : 'Not now.'
  const done: Discovery = {
    ...state,
    pending: null,
    undoable: at !== null,
    last: at === null ? null : { song, rating, at },
    hasShownFirst: state.hasShownFirst || (rating !== null && room === null),
    sentence: room ? words : '',
    // It comes again, after all that the queue may hold.
    exhausted: rating ? state.exhausted : false,
    rated: rating
      ? [{ song, rating }, ...state.rated.filter((earlier) => earlier.song.id !== song.id)].slice(
          0,
          MAX_RATED_SONGS,
        )
      : state.rated,
  }
  if (completed) return { ...complete(done), announcement: `${said} Microgenre complete.` }
  const next = upcoming(state)
  if (!next) return { ...done, view: 'loading', fetching: 'next', announcement: said }
  return {
    ...show(done, next, skipTo(state.queue, nextSong)),
    announcement: `${said} Next: ${songName(next)}`,
  }
}

function refill(state: Discovery, songs: readonly OfferedSong[]): Discovery {
  const known = new Set([...state.seen, ...state.queue.map(keyOf)])
  return {
    ...state,
    queue: [...state.queue, ...songs.filter((song) => !known.has(keyOf(song)))],
    exhausted: songs.length < PREFETCH_SIZE,
  }
}

/** The undone song becomes current, and the one that it replaces follows. */
function applyUndo(state: Discovery, song: OfferedSong): Discovery {
  const waiting = state.queue.filter(({ id }) => id !== song.id)
  const queue = state.song ? [state.song, ...waiting] : waiting
  return {
    ...state,
    view: 'song',
    song,
    queue,
    seen: new Set([...state.seen].filter((key) => queue.every((one) => keyOf(one) !== key))),
    rated: state.rated.filter((earlier) => earlier.song.id !== song.id),
    undoable: false,
    undoing: false,
    sentence: '',
    // A toast says what was undone.
    announcement: `Now: ${songName(song)}`,
  }
}
