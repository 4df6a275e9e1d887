import { useEffect, useRef } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { focusedByPointer } from '../ui/focusOrigin.ts'
import { Kbd } from '../ui/Kbd.tsx'

interface PadProps {
  rating: Rating
  /** It was just struck. */
  lit: boolean
  disabled: boolean
  onPress: () => void
}

/** One of the two keys of the instrument: cold BUST on the left, hot BANGER on the right. */
export function Pad({ rating, lit, disabled, onPress }: PadProps) {
  const { word, key, place, rest, struck, lamp, text, cap } = looks[rating]
  const button = useFocusKept(disabled)
  return (
    <button
      ref={button}
      type="button"
      disabled={disabled}
      aria-label={word}
      aria-keyshortcuts={rating === 'bust' ? 'ArrowLeft' : 'ArrowRight'}
      onClick={onPress}
      className={`relative block size-full overflow-hidden rounded-pad text-left transition-[background-color,scale] duration-(--duration-quick) ease-(--ease-press) [container-type:size] active:scale-[0.99] ${place} ${lit ? struck : disabled ? off : rest}`}
    >
      <span
        className={`absolute top-4 bottom-4 w-[3px] rounded-[2px] opacity-85 wide:top-5 wide:bottom-5 ${lamp} ${lit ? 'opacity-0' : disabled ? 'bg-line' : 'bg-current'}`}
      />
      <span
        aria-hidden="true"
        className={`absolute top-5 hidden wide:block ${cap} ${disabled && !lit ? 'opacity-0' : ''}`}
      >
        <Kbd className="size-9! text-base!">{key}</Kbd>
      </span>
      <span aria-hidden="true" className={`absolute font-display whitespace-nowrap ${text}`}>
        {word}
      </span>
    </button>
  )
}

/** A button that is disabled loses the focus; who reached it with the keyboard has it back afterwards. */
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
    place: 'max-wide:rounded-l-none',
    rest: 'bg-cold-pad text-cold',
    struck: 'bg-cold-fill text-on-cold',
    lamp: 'right-0',
    cap: 'left-6',
    text: 'bottom-5 left-1/2 -translate-x-1/2 text-[92cqw] leading-[0.74] font-normal tracking-[0.01em] [font-stretch:50%] wide:bottom-6 wide:left-6 wide:translate-x-0 wide:translate-y-[0.053em] wide:text-[min(58cqw,52cqh)]',
  },
  banger: {
    word: 'BANGER',
    key: '→',
    place: 'max-wide:rounded-r-none',
    rest: 'bg-hot-pad text-hot',
    struck: 'bg-hot-fill text-on-hot',
    lamp: 'left-0',
    cap: 'right-6',
    text: 'font-black [font-stretch:150%] max-wide:bottom-5 max-wide:left-1/2 max-wide:-translate-x-1/2 max-wide:rotate-180 max-wide:text-[calc((100cqh-2.75rem)/6.62)] max-wide:leading-none max-wide:[writing-mode:vertical-rl] wide:right-6 wide:bottom-7 wide:text-[calc((100cqw-3rem)/6.62)] wide:leading-[0.74]',
  },
} satisfies Record<Rating, Record<string, string>>
