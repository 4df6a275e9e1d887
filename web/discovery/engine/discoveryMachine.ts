import { type OfferedSong, PREFETCH_SIZE } from '../../../contract/discovery.ts'
import { songName } from '../../../contract/isolateName.ts'
import { uncoverSong } from '../../playback/coverSong.ts'
import {
  canRate,
  canUndo,
  type Discovery,
  initialDiscovery,
  isReadyToAdvance,
  type LastVerdict,
  type Outcome,
  type Pending,
  pendingPlace,
  revealSentence,
  seenKey,
  skipToSong,
  upcomingSong,
  type Verdict,
} from './discoveryState.ts'

/** How many covers the completion view shows before all ratings have loaded. */
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
  /** The song on screen is uncovered before its verdict (discover-92). */
  | { type: 'show' }
  /** Songs to come are fetched anew. */
  | { type: 'requeue' }
  | { type: 'undo' }
  | { type: 'undone'; visit: number; song: OfferedSong }
  | { type: 'undo-failed'; visit: number }
  | { type: 'undo-expired'; verdict: LastVerdict }
  | { type: 'leaned'; visit: number; songId: string | null }

/** Reduces the state by an event. An event that does not fit the state changes nothing. */
export function stepDiscovery(state: Discovery, event: DiscoveryEvent): Discovery {
  switch (event.type) {
    case 'chosen':
      return startVisit(state, event.microgenreId)
    case 'restarted':
      return state.microgenreId ? startVisit(state, state.microgenreId) : state
    case 'fetched':
      return isAwaited(state, event.visit) ? receiveSong(state, event.song) : state
    case 'fetch-failed':
      return isAwaited(state, event.visit) ? failFetch(state) : state
    case 'rate':
      return canRate(state) ? startVerdict(state, event.rating) : state
    case 'feedback-over':
      return updatePending(state, event.attempt, { isFeedbackOver: true })
    case 'reveal-due':
      return updatePending(state, event.attempt, { isRevealDue: true })
    case 'sentence-over':
      return event.attempt === state.attempt ? { ...state, sentence: '' } : state
    case 'answered':
      return updatePending(state, event.attempt, { outcome: event.outcome })
    case 'advance':
      return isReadyToAdvance(state) && state.pending?.attempt === event.attempt
        ? advanceToNextSong(state)
        : state
    case 'refilling':
      return { ...state, refilledAt: state.song?.id ?? null }
    case 'refilled':
      return event.visit === state.visit ? extendQueue(state, event.songs) : state
    case 'show':
      return state.song ? uncoverShown(state, state.song) : state
    case 'requeue':
      return emptyQueue(state)
    case 'undo':
      return canUndo(state) ? { ...state, isUndoing: true } : state
    case 'undone':
      return event.visit === state.visit && state.isUndoing ? applyUndo(state, event.song) : state
    case 'undo-failed':
      return event.visit === state.visit ? { ...state, isUndoing: false } : state
    case 'undo-expired':
      return event.verdict === state.lastVerdict && !state.isUndoing ? { ...state, isUndoable: false } : state
    case 'leaned':
      return event.visit === state.visit ? leanQueue(state, event.songId) : state
  }
}

function startVisit(state: Discovery, microgenreId: string): Discovery {
  return {
    ...initialDiscovery,
    microgenreId,
    view: 'loading',
    fetching: 'first',
    visit: state.visit + 1,
    attempt: state.attempt,
    hasShownPlace: state.hasShownPlace,
  }
}

function isAwaited(state: Discovery, visitOfAnswer: number): boolean {
  return visitOfAnswer === state.visit && state.fetching !== null
}

function receiveSong(state: Discovery, song: OfferedSong | null): Discovery {
  return song ? showSong(state, song, state.queue) : completeMicrogenre(state)
}

function failFetch(state: Discovery): Discovery {
  // The rated song stays; rating it again requests the next (discover-24, discover-14).
  if (state.fetching === 'next' && state.song) return { ...state, view: 'song', fetching: null }
  return { ...completeMicrogenre(state), hasFetchFailed: true }
}

function showSong(state: Discovery, song: OfferedSong, queue: readonly OfferedSong[]): Discovery {
  const seen = new Set(state.seen).add(seenKey(song))
  return {
    ...state,
    view: 'song',
    fetching: null,
    song,
    seen,
    queue: queue.filter((waiting) => !seen.has(seenKey(waiting))),
  }
}

function completeMicrogenre(state: Discovery): Discovery {
  return { ...state, view: 'complete', fetching: null, hasFetchFailed: false, song: null, queue: [] }
}

function startVerdict(state: Discovery, rating: Verdict): Discovery {
  if (!state.song) return state
  const attempt = state.attempt + 1
  const song = rating ? uncoverSong(state.song) : state.song
  return {
    ...state,
    attempt,
    song,
    pending: { song, rating, attempt, isFeedbackOver: false, isRevealDue: false, outcome: null },
    sentence: '',
    announcement: '',
  }
}

function updatePending(state: Discovery, attempt: number, changes: Partial<Pending>): Discovery {
  if (state.pending?.attempt !== attempt) return state
  const pending = { ...state.pending, ...changes }
  // The song can be rated again (discover-13).
  if (pending.isFeedbackOver && pending.outcome === 'failed') return { ...state, pending: null }
  return { ...state, pending }
}

function advanceToNextSong(state: Discovery): Discovery {
  const { pending } = state
  if (!pending?.outcome || pending.outcome === 'failed') return state
  const { completed, nextSong, at, room, canLean = false } = pending.outcome
  const { song, rating } = pending
  const sentence = revealSentence(state)
  const reveal = sentence || pendingPlace(state)?.repeated
  const verdictText = rating ? `Rated ${rating}.${reveal ? ` ${reveal}.` : ''}` : 'Not now.'
  const settledState: Discovery = {
    ...state,
    pending: null,
    isUndoable: at !== null,
    lastVerdict: at === null ? null : { song, rating, at, canLean },
    hasShownPlace: state.hasShownPlace || (rating !== null && room === null),
    sentence: room ? sentence : '',
    // A deferred song comes again at the end of the queue.
    isExhausted: rating ? state.isExhausted : false,
    rated: rating
      ? [{ song, rating }, ...state.rated.filter((earlier) => earlier.song.id !== song.id)].slice(
          0,
          MAX_RATED_SONGS,
        )
      : state.rated,
  }
  if (completed)
    return { ...completeMicrogenre(settledState), announcement: `${verdictText} Microgenre complete.` }
  const next = upcomingSong(state)
  if (!next) return { ...settledState, view: 'loading', fetching: 'next', announcement: verdictText }
  return {
    ...showSong(settledState, next, skipToSong(state.queue, nextSong)),
    announcement: `${verdictText} Next: ${songName(next)}`,
  }
}

function extendQueue(state: Discovery, songs: readonly OfferedSong[]): Discovery {
  const knownKeys = new Set([...state.seen, ...state.queue.map(seenKey)])
  return {
    ...state,
    queue: [...state.queue, ...songs.filter((song) => !knownKeys.has(seenKey(song)))],
    isExhausted: songs.length < PREFETCH_SIZE,
  }
}

function uncoverShown(state: Discovery, covered: OfferedSong): Discovery {
  const song = uncoverSong(covered)
  return song === covered ? state : { ...state, song, announcement: songName(song) }
}

/** The songs after the next one are fetched anew. */
function emptyQueue(state: Discovery): Discovery {
  const next = upcomingSong(state)
  return { ...state, queue: next ? [next] : [], refilledAt: null, isExhausted: false }
}

/** The songs after the next one are dealt anew. Undo has its time anew, too. */
function leanQueue(state: Discovery, leanId: string | null): Discovery {
  const lastVerdict = state.lastVerdict && { ...state.lastVerdict }
  return { ...emptyQueue(state), lastVerdict, leanId, isUndoing: false }
}

/** The undone song becomes current, and the current one comes next. */
function applyUndo(state: Discovery, song: OfferedSong): Discovery {
  const waiting = state.queue.filter(({ id }) => id !== song.id)
  const queue = state.song ? [state.song, ...waiting] : waiting
  return {
    ...state,
    view: 'song',
    song,
    queue,
    seen: new Set([...state.seen].filter((key) => queue.every((one) => seenKey(one) !== key))),
    rated: state.rated.filter((earlier) => earlier.song.id !== song.id),
    isUndoable: false,
    isUndoing: false,
    sentence: '',
    // The toast announces the undo.
    announcement: `Now: ${songName(song)}`,
  }
}
