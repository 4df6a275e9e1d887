import type { Rating } from '../../../contract/shapes.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { pendingSplit, revealedRating, revealSentence } from '../engine/discoveryState.ts'
import { ratingPercent } from '../engine/ratingSplit.ts'

/** What the others think of the rated song, where its record stood (discover-40). */
export function Reveal({ discovery }: { discovery: DiscoveryEngine }) {
  const rating = useDeferredStore(discovery, revealedRating)
  const split = useDeferredStore(discovery, pendingSplit)
  const sentence = useDeferredStore(discovery, revealSentence)
  if (!rating || !sentence) return null
  return (
    <p className="reveal absolute inset-0 grid content-center gap-3 text-center text-ink-2">
      {split && (
        <b aria-hidden="true" className={`reveal-number font-display ${numberStyles[rating]}`}>
          {ratingPercent(rating, split)}
          <small> %</small>
        </b>
      )}
      <span className="px-2">{sentence}</span>
    </p>
  )
}

const numberStyles = {
  banger: 'font-black text-hot font-stretch-125%',
  bust: 'text-cold font-stretch-75%',
} satisfies Record<Rating, string>

/**
 * The same words beside Undo, for a while after the next song has come (discover-41). Before the first rating a phone
 * without room for more says there how to rate (discover-29).
 */
export function RevealLine({ discovery }: { discovery: DiscoveryEngine }) {
  const sentence = useDeferredStore(discovery, (state) => state.sentence)
  const isNew = useDeferredStore(discovery, (state) => state.attempt === 0)
  if (sentence) return <span className="reveal-line">{sentence}</span>
  return isNew && <span className="reveal-line first-hint">Swipe the art to rate</span>
}
