import { useEffect, useRef } from 'react'
import type { Rating } from '../../../contract/shapes.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { isFocusByPointer } from '../../ui/keyboard/focusOrigin.ts'
import { Kbd } from '../../ui/keyboard/Kbd.tsx'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import {
  canRate,
  pendingSplit,
  ratingPercent,
  revealedRating,
  shownVerdict,
} from '../engine/discoveryState.ts'

/** BUST on the left, cold, or BANGER on the right, hot. */
export function Pad({ rating, discovery }: { rating: Rating; discovery: DiscoveryEngine }) {
  /** Just pressed. At the reveal its light falls to the share of listeners who rated alike. */
  const isLit = useDeferredStore(
    discovery,
    (state) => (revealedRating(state) ?? shownVerdict(state)?.rating) === rating,
    true,
  )
  const share = useDeferredStore(
    discovery,
    (state) => {
      const split = pendingSplit(state)
      return split && revealedRating(state) === rating ? ratingPercent(rating, split) : 100
    },
    true,
  )
  const disabled = !useDeferredStore(discovery, canRate, true)
  const { word, key, place, rest, struck, dim, lamp, tide, text, cap } = padStyles[rating]
  const button = useRestoredFocus(disabled)
  return (
    <button
      ref={button}
      type="button"
      disabled={disabled}
      aria-label={word}
      aria-keyshortcuts={rating === 'bust' ? 'ArrowLeft' : 'ArrowRight'}
      onClick={() => discovery.rate(rating)}
      className={`${padClasses} ${place} ${isLit ? (share < 100 ? dim : struck) : disabled ? disabledStyle : rest}`}
    >
      <span className={`pad-tide absolute inset-y-0 ${tide}`} />
      <span
        className={`absolute top-4 bottom-4 w-[3px] rounded-[2px] opacity-85 wide:top-5 wide:bottom-5 ${lamp} ${isLit ? 'opacity-0' : disabled ? 'bg-line' : 'bg-current'}`}
      />
      <span
        aria-hidden="true"
        className={`absolute top-5 hidden wide:block low:hidden ${cap} ${disabled && !isLit ? 'opacity-0' : ''}`}
      >
        <Kbd className="size-9! border-current text-base!">{key}</Kbd>
      </span>
      <span aria-hidden="true" className={`absolute whitespace-nowrap ${text}`}>
        {word}
      </span>
      {share < 100 && (
        <span
          aria-hidden="true"
          className={`pad-light absolute inset-0 ${struck}`}
          style={{ '--dark': `${100 - share}%` }}
        >
          <span className={`absolute whitespace-nowrap ${text}`}>{word}</span>
        </span>
      )}
    </button>
  )
}

/** A pad in the frame that the server sends: it cannot be pressed yet. */
export function PadPlaceholder({ rating }: { rating: Rating }) {
  const { word, place, text } = padStyles[rating]
  return (
    <div aria-hidden="true" className={`${padClasses} ${place} ${disabledStyle}`}>
      <span className={`absolute whitespace-nowrap ${text}`}>{word}</span>
    </div>
  )
}

/** Disabling the button takes the focus from it. A focus that came by keyboard returns afterwards. */
function useRestoredFocus(disabled: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useEffect(() => {
    const element = button.current
    if (disabled || !element) return
    if (hadFocus.current && document.activeElement === document.body) element.focus({ preventScroll: true })
    hadFocus.current = false
    const rememberFocus = () => {
      hadFocus.current = document.activeElement === element && !isFocusByPointer()
    }
    element.addEventListener('click', rememberFocus)
    return () => element.removeEventListener('click', rememberFocus)
  }, [disabled])
  return button
}

const padClasses =
  'pad relative block size-full overflow-hidden rounded-pad text-left transition-[background-color,scale] duration-(--duration-quick) ease-(--ease-press) active:scale-[0.99] [--above:6.5rem] standing:[--above:2.75rem] tablet:[--above:6.5rem] low:[--above:2.75rem]'

const disabledStyle = 'bg-[color-mix(in_oklab,var(--ink)_3.5%,var(--accent-wash))] text-ink-3'

const padStyles = {
  bust: {
    word: 'BUST',
    key: '←',
    place: 'standing:rounded-l-none low:rounded-l-none',
    rest: 'bg-cold-pad text-cold',
    struck: 'bg-cold-fill text-on-cold',
    dim: 'bg-[color-mix(in_oklab,var(--cold-fill)_40%,var(--cold-pad))] text-cold',
    lamp: 'right-0',
    tide: 'pad-tide-bust',
    cap: 'left-6',
    text: 'pad-bust',
  },
  banger: {
    word: 'BANGER',
    key: '→',
    place: 'standing:rounded-r-none low:rounded-r-none',
    rest: 'bg-hot-pad text-hot',
    struck: 'bg-hot-fill text-on-hot',
    dim: 'bg-[color-mix(in_oklab,var(--hot-fill)_26%,var(--hot-pad))] text-hot',
    lamp: 'left-0',
    tide: 'pad-tide-banger',
    cap: 'right-6',
    text: 'pad-banger',
  },
} satisfies Record<Rating, Record<string, string>>
