import { useEffect, useRef } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { focusedByPointer } from '../ui/focusOrigin.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { canRate, reveal, roomOf, verdict } from './discoveryState.ts'
import { percentOf } from './room.ts'

/** One of the two pads: cold BUST on the left, hot BANGER on the right. */
export function Pad({ rating, discovery }: { rating: Rating; discovery: DiscoveryEngine }) {
  /** It was just pressed. Its light then falls to the share of the listeners who pressed it, too. */
  const lit = useStore(discovery, (state) => (reveal(state) ?? verdict(state)?.rating) === rating, true)
  const share = useStore(
    discovery,
    (state) => {
      const room = roomOf(state)
      return room && reveal(state) === rating ? percentOf(rating, room) : 100
    },
    true,
  )
  const disabled = !useStore(discovery, canRate, true)
  const { word, key, place, rest, struck, dim, lamp, tide, text, cap } = looks[rating]
  const button = useFocusKept(disabled)
  return (
    <button
      ref={button}
      type="button"
      disabled={disabled}
      aria-label={word}
      aria-keyshortcuts={rating === 'bust' ? 'ArrowLeft' : 'ArrowRight'}
      onClick={() => discovery.rate(rating)}
      className={`pad ${place} ${lit ? (share < 100 ? dim : struck) : disabled ? off : rest}`}
    >
      <span className={`pad-tide ${tide}`} />
      <span
        className={`absolute top-4 bottom-4 w-[3px] rounded-[2px] opacity-85 wide:top-5 wide:bottom-5 ${lamp} ${lit ? 'opacity-0' : disabled ? 'bg-line' : 'bg-current'}`}
      />
      <span
        aria-hidden="true"
        className={`absolute top-5 hidden wide:block low:hidden ${cap} ${disabled && !lit ? 'opacity-0' : ''}`}
      >
        <Kbd className="size-9! text-base!">{key}</Kbd>
      </span>
      <span aria-hidden="true" className={`absolute whitespace-nowrap ${text}`}>
        {word}
      </span>
      {share < 100 && (
        <span aria-hidden="true" className={`pad-light ${struck}`} style={{ '--dark': `${100 - share}%` }}>
          <span className={`absolute whitespace-nowrap ${text}`}>{word}</span>
        </span>
      )}
    </button>
  )
}

/** A disabled button loses the focus, so it is returned afterwards if it came by keyboard. */
function useFocusKept(disabled: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const focused = useRef(false)
  useEffect(() => {
    const element = button.current
    if (disabled || !element) return
    if (focused.current && document.activeElement === document.body) element.focus({ preventScroll: true })
    focused.current = false
    const remember = () => {
      focused.current = document.activeElement === element && !focusedByPointer()
    }
    element.addEventListener('click', remember)
    return () => element.removeEventListener('click', remember)
  }, [disabled])
  return button
}

const off = 'bg-[color-mix(in_oklab,var(--ink)_3.5%,var(--accent-wash))] text-ink-3'

const looks = {
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
