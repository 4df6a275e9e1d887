import type { OfferedSong } from '../../../contract/discovery.ts'
import type { Rating, Room } from '../../../contract/shapes.ts'

/** Milliseconds that a rating is shown, while the art leaves (discover-10). */
export const FEEDBACK_TIME = 800
/** Milliseconds in which the art of a deferred song sinks and fades (discover-43). */
export const DEFER_FADE_TIME = 200

/** The length of the queue at which it is refilled (discover-21). */
const MIN_QUEUE_LENGTH = 1

export interface RatedSong {
  song: OfferedSong
  rating: Rating
}

/** A rating, or null for 'Not now' (discover-43). */
export type Verdict = Rating | null

/** The last rating or 'Not now'; its time identifies it for undo. */
export interface LastVerdict {
  song: OfferedSong
  rating: Verdict
  at: string
  canLean: boolean
}

/** The response; `failed` for an error or none. `at` is null if another tab had rated the song. */
export type Outcome =
  | {
      completed: boolean
      nextSong: OfferedSong | null
      at: string | null
      /** Null for 'Not now'. */
      listeners: number | null
      isFirst?: boolean | undefined
      room: Room | null
      /** Missing from a server of the previous version. */
      canLean?: boolean
    }
  | 'failed'

/**
 * A rating or 'Not now' in flight. The next song waits for both: the feedback's 800 ms and the response (discover-10).
 */
export interface Pending {
  song: OfferedSong
  rating: Verdict
  attempt: number
  isFeedbackOver: boolean
  /** The reveal shows as soon as the response is there (discover-40). */
  isRevealDue: boolean
  outcome: Outcome | null
}

export interface Discovery {
  microgenreId: string | null
  /** `choosing`: no microgenre yet. `loading`: a song is being requested. */
  view: 'choosing' | 'loading' | 'song' | 'complete'
  /** Incremented by every switch and restart; responses for an earlier visit are ignored (discover-5). */
  visit: number
  /** The request that the view waits for. Only that of a visit's first song may complete the microgenre (discover-24). */
  fetching: 'first' | 'next' | null
  /** The completion view shows because the first song did not load. */
  hasFetchFailed: boolean
  song: OfferedSong | null
  /** The following songs, in the server's order. */
  queue: readonly OfferedSong[]
  /** The keys of the songs shown in this visit, which do not come again from the queue (discover-19). */
  seen: ReadonlySet<string>
  /** The song at which the last refill was requested. */
  refilledAt: string | null
  /** The queue holds all remaining songs. */
  isExhausted: boolean
  pending: Pending | null
  attempt: number
  /** The latest first. */
  rated: readonly RatedSong[]
  /** Can be undone while `isUndoable`. */
  lastVerdict: LastVerdict | null
  isUndoable: boolean
  /** The id of the song towards which the next ones lean (discover-91). */
  leanId: string | null
  isUndoing: boolean
  /** Whether a sentence such as 'You are the first to rate this' was shown, which appears once a session (discover-40). */
  hasShownPlace: boolean
  /** The reveal of the last rated song, beside Undo (discover-41). */
  sentence: string
  /** The screen reader's announcement. */
  announcement: string
}

export const initialDiscovery: Discovery = {
  microgenreId: null,
  view: 'choosing',
  visit: 0,
  fetching: null,
  hasFetchFailed: false,
  song: null,
  queue: [],
  seen: new Set(),
  refilledAt: null,
  isExhausted: false,
  pending: null,
  attempt: 0,
  rated: [],
  lastVerdict: null,
  isUndoable: false,
  leanId: null,
  isUndoing: false,
  hasShownPlace: false,
  sentence: '',
  announcement: '',
}

/** Only with a song, and while no rating or undo is in flight (discover-8). */
export function canRate({ view, song, pending, isUndoing }: Discovery): boolean {
  return view === 'song' && song !== null && pending === null && !isUndoing
}

export function canUndo({ isUndoable, pending, isUndoing, view }: Discovery): boolean {
  return isUndoable && pending === null && !isUndoing && view !== 'loading'
}

/** The banger that is revealed or can be undone, if the songs after the next one can lean towards it (discover-91). */
export function leanSong(state: Discovery): OfferedSong | null {
  const { pending, lastVerdict, leanId, isExhausted, queue } = state
  if (isExhausted && queue.length === 0) return null
  const isRevealed = revealedRating(state) === 'banger' && pending?.outcome !== 'failed'
  const outcome = isRevealed ? pending?.outcome : null
  const rated =
    outcome && outcome !== 'failed' && !outcome.completed && outcome.canLean
      ? pending?.song
      : canUndo(state) && lastVerdict?.rating === 'banger' && lastVerdict.canLean
        ? lastVerdict.song
        : null
  return rated && rated.id !== leanId ? rated : null
}

/** Whether at most one song is left, and the current one has not requested a refill yet (discover-21). */
export function needsRefill({ view, song, queue, isExhausted, pending, refilledAt }: Discovery): boolean {
  if (view !== 'song' || !song || pending || isExhausted) return false
  return queue.length <= MIN_QUEUE_LENGTH && refilledAt !== song.id
}

/** Whether the feedback is over and the response has arrived: the next song follows after 400 ms. */
export function isReadyToAdvance({ pending }: Discovery): boolean {
  return pending?.isFeedbackOver === true && pending.outcome !== null && pending.outcome !== 'failed'
}

/** Whether a rating has just failed, so that its song is back (discover-13). */
export function hasRatingFailed(before: Discovery, { pending, song, view, visit }: Discovery): boolean {
  const isBack = before.pending !== null && pending === null && view === 'song'
  return isBack && song === before.song && visit === before.visit
}

/** The song after the rated one, if known: the head of the queue, else the server's next (discover-21). */
export function upcomingSong({ pending, queue, seen }: Discovery): OfferedSong | null {
  if (!pending) return null
  const { outcome } = pending
  if (!outcome || outcome === 'failed') return queue[0] ?? null
  const { completed, nextSong } = outcome
  if (completed) return null
  const [head] = skipToSong(queue, nextSong)
  // The response is newer than the queue.
  if (head && head.id !== nextSong?.id) return head
  return nextSong && (head || !seen.has(seenKey(nextSong))) ? nextSong : null
}

/** Whether a song is awaited: between the swipe and the next song, or before the first one. */
export function isLoading({ view, pending }: Discovery): boolean {
  return view === 'choosing' || view === 'loading' || pending?.isFeedbackOver === true
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
export function shownVerdict({ pending }: Discovery): Pending | null {
  return pending && !pending.isFeedbackOver ? pending : null
}

/** The rating whose reveal is on screen, until the next song (discover-40). */
export function revealedRating({ pending }: Discovery): Verdict {
  return pending?.isRevealDue && pending.outcome && pending.outcome !== 'failed' ? pending.rating : null
}

/** How all listeners rated the song, once the response is there. */
export function pendingSplit({ pending }: Discovery): Room | null {
  return pending?.outcome && pending.outcome !== 'failed' ? pending.outcome.room : null
}

const PLACES = [
  { number: '1st', word: 'first' },
  { number: '2nd', word: 'second' },
  { number: '3rd', word: 'third' },
  { number: '4th', word: 'fourth' },
] as const

/**
 * The listener's place among those who rated the song, in a later pass their number; null from five on, where the split
 * shows. `repeated` is what it says after the first time in a session.
 */
export function pendingPlace({ pending }: Discovery) {
  if (!pending?.outcome || pending.outcome === 'failed') return null
  const { listeners, isFirst = true } = pending.outcome
  const place = PLACES[(listeners ?? 0) - 1]
  if (!place) return null
  const { number, word } = place
  if (isFirst)
    return { number, sentence: `You are the ${word} to rate this`, repeated: `${number} to rate this` }
  const sentence = listeners === 1 ? 'Only you have rated this' : `${listeners} listeners have rated this`
  return { number: String(listeners), sentence, repeated: sentence }
}

/** The large number of the reveal. */
export function revealNumber(state: Discovery): string {
  const rating = state.pending?.rating
  const split = pendingSplit(state)
  if (rating && split) return `${ratingPercent(rating, split)} %`
  return pendingPlace(state)?.number ?? ''
}

/** What the reveal says. A place is said once, then its number stands alone. */
export function revealSentence(state: Discovery): string {
  const rating = state.pending?.rating
  const split = pendingSplit(state)
  if (rating && split) return splitSentence(rating, split)
  const place = pendingPlace(state)
  return place && !state.hasShownPlace ? place.sentence : ''
}

/** The percentage of listeners who gave this rating: 100 only if all did, 0 only if none did. Both ratings add up to 100. */
export function ratingPercent(rating: Rating, { listeners, bangers }: Room): number {
  const exact = (100 * bangers) / listeners
  const isUnanimous = bangers % listeners === 0
  const share = isUnanimous ? exact : Math.min(99, Math.max(1, Math.ceil(exact - 0.5)))
  return rating === 'banger' ? share : 100 - share
}

function splitSentence(rating: Rating, split: Room): string {
  const verdict = rating === 'banger' ? 'Banger' : 'Bust'
  return `${verdict} for ${ratingPercent(rating, split)} % of ${split.listeners.toLocaleString()} listeners`
}

/** Skips songs that were rated in another tab: those before the server's next one. */
export function skipToSong(queue: readonly OfferedSong[], song: OfferedSong | null): readonly OfferedSong[] {
  const index = queue.findIndex(({ id }) => id === song?.id)
  return index > 0 ? queue.slice(index) : queue
}

/** A deferred song is shown once more. */
export const seenKey = ({ id, putOff }: OfferedSong) => (putOff ? `${id} again` : id)
