import { type OfferedSong, PREFETCH_SIZE } from '../../contract/discovery.ts'
import type { Rating, Room } from '../../contract/shapes.ts'
import { sayRoom } from './room.ts'

/** Milliseconds that a rating is shown, while the art leaves (discover-10). */
export const FEEDBACK_TIME = 800
/** Milliseconds in which the art of a song that is put off sinks and fades (discover-43). */
export const FADE_TIME = 200

/** The length of the queue at which it is refilled (discover-21). */
const REFILL_AT = 1

/** Covers on the completion view. */
const RATED_KEPT = 16

export interface Rated {
  song: OfferedSong
  rating: Rating
}

/** A rating, or null for 'Not now' (discover-43). */
export type Verdict = Rating | null

/** What was said last about a song; its time identifies it for undo. */
export interface Said {
  song: OfferedSong
  rating: Verdict
  at: string
}

/** The response; `failed` when there was none or an error. `at` is null for what another tab has made void. */
export type Outcome =
  | { completed: boolean; nextSong: OfferedSong | null; at: string | null; room: Room | null }
  | 'failed'

/**
 * A rating or 'Not now' in flight. The next song waits for both: the feedback's 800 ms and the response (discover-10).
 */
export interface Pending {
  song: OfferedSong
  rating: Verdict
  attempt: number
  feedbackOver: boolean
  /** What the others think may show once it is known (discover-40). */
  revealDue: boolean
  outcome: Outcome | null
}

export interface Discovery {
  microgenreId: string | null
  /** `choosing`: no microgenre yet. `loading`: a song is being requested. */
  view: 'choosing' | 'loading' | 'song' | 'complete'
  /** Incremented by every switch and restart; responses for an earlier visit are ignored (discover-5). */
  visit: number
  /** The request that the view waits for: only the first song of a visit may lead to completion (discover-24). */
  fetching: 'first' | 'next' | null
  /** The completion view shows because the first song did not load. */
  fetchFailed: boolean
  song: OfferedSong | null
  /** The following songs, in the server's order. */
  queue: readonly OfferedSong[]
  /** The keys of those shown in this visit, which are never taken from the queue again (discover-19). */
  seen: ReadonlySet<string>
  /** The song at which the last refill was requested, and whether the queue holds all that are left. */
  refilledAt: string | null
  exhausted: boolean
  pending: Pending | null
  attempt: number
  /** The latest first. */
  rated: readonly Rated[]
  /** It can be undone while `undoable`. */
  last: Said | null
  undoable: boolean
  undoing: boolean
  /** What the others think of the last rated song, beside Undo (discover-41). */
  sentence: string
  /** The screen reader's announcement. */
  announcement: string
}

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
  | { type: 'undo-expired'; attempt: number }

export const nothingChosen: Discovery = {
  microgenreId: null,
  view: 'choosing',
  visit: 0,
  fetching: null,
  fetchFailed: false,
  song: null,
  queue: [],
  seen: new Set(),
  refilledAt: null,
  exhausted: false,
  pending: null,
  attempt: 0,
  rated: [],
  last: null,
  undoable: false,
  undoing: false,
  sentence: '',
  announcement: '',
}

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
      return event.attempt === state.attempt && !state.undoing ? { ...state, undoable: false } : state
  }
}

/** Not without a song, nor while a rating or an undo is in flight (discover-8). */
export function canRate({ view, song, pending, undoing }: Discovery): boolean {
  return view === 'song' && song !== null && pending === null && !undoing
}

export function canUndo({ undoable, pending, undoing, view }: Discovery): boolean {
  return undoable && pending === null && !undoing && view !== 'loading'
}

/** At most one song left, and no refill requested at this one yet (discover-21). */
export function needsRefill({ view, song, queue, exhausted, pending, refilledAt }: Discovery): boolean {
  if (view !== 'song' || !song || pending || exhausted) return false
  return queue.length <= REFILL_AT && refilledAt !== song.id
}

/** The feedback is over and the response has arrived: the next song follows after 400 ms. */
export function isReadyToAdvance({ pending }: Discovery): boolean {
  return pending?.feedbackOver === true && pending.outcome !== null && pending.outcome !== 'failed'
}

/**
 * The song after the rated one, as far as it is known: the head of the queue, else the server's next (discover-21).
 */
export function upcoming({ pending, queue, seen }: Discovery): OfferedSong | null {
  if (!pending) return null
  const { outcome } = pending
  if (!outcome || outcome === 'failed') return queue[0] ?? null
  const { completed, nextSong } = outcome
  if (completed) return null
  return skipTo(queue, nextSong)[0] ?? (nextSong && !seen.has(keyOf(nextSong)) ? nextSong : null)
}

/** Between the swipe and the next song, or before the first one. */
export function isLoading({ view, pending }: Discovery): boolean {
  return view === 'choosing' || view === 'loading' || pending?.feedbackOver === true
}

/** The song on screen, to be rated. */
export function shownSong(state: Discovery): OfferedSong | null {
  return isLoading(state) ? null : state.song
}

/** The song to rate, or the last rated one. */
export function latestSong({ song, rated }: Discovery): OfferedSong | null {
  return song ?? rated[0]?.song ?? null
}

/** The rating or 'Not now' whose feedback is on screen (discover-10). */
export function verdict({ pending }: Discovery): Pending | null {
  return pending && !pending.feedbackOver ? pending : null
}

/** The rating whose reveal is on screen: what the others think of its song, until the next one (discover-40). */
export function reveal({ pending }: Discovery): Verdict {
  return pending?.revealDue && pending.outcome && pending.outcome !== 'failed' ? pending.rating : null
}

/** What the others think of the rated song, once known. */
export function roomOf({ pending }: Discovery): Room | null {
  return pending?.outcome && pending.outcome !== 'failed' ? pending.outcome.room : null
}

function visit(state: Discovery, microgenreId: string): Discovery {
  return {
    ...nothingChosen,
    microgenreId,
    view: 'loading',
    fetching: 'first',
    visit: state.visit + 1,
    attempt: state.attempt,
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

/** A song that was put off is shown once more. */
const keyOf = ({ id, putOff }: OfferedSong) => (putOff ? `${id} again` : id)

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
    undoable: false,
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
  const sentence = rating ? sayRoom(rating, room) : ''
  const said = rating ? `Rated ${rating}. ${sentence}.` : 'Not now.'
  const done: Discovery = {
    ...state,
    pending: null,
    undoable: at !== null,
    last: at === null ? null : { song, rating, at },
    sentence,
    // It comes again, after all that the queue may hold.
    exhausted: rating ? state.exhausted : false,
    rated: rating
      ? [{ song, rating }, ...state.rated.filter((earlier) => earlier.song.id !== song.id)].slice(
          0,
          RATED_KEPT,
        )
      : state.rated,
  }
  if (completed) return { ...complete(done), announcement: `${said} Microgenre complete.` }
  const next = upcoming(state)
  if (!next) return { ...done, view: 'loading', fetching: 'next', announcement: said }
  return {
    ...show(done, next, skipTo(state.queue, nextSong)),
    announcement: `${said} Next: ${next.title} by ${next.artist}`,
  }
}

/** Songs before the server's next one were rated in another tab. */
function skipTo(queue: readonly OfferedSong[], song: OfferedSong | null): readonly OfferedSong[] {
  const at = queue.findIndex(({ id }) => id === song?.id)
  return at > 0 ? queue.slice(at) : queue
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
    announcement: `${state.last?.rating ? 'Rating' : 'Not now'} undone. Now: ${song.title} by ${song.artist}`,
  }
}
