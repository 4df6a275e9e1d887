import { useEffect, useRef } from 'react'
import { Button, buttonLook } from './Button.tsx'
import { focusPage } from './focusPage.ts'
import { Check, CircleAlert, X } from './icons.ts'
import { isDialogOpen } from './openDialogs.ts'
import { useStore } from './store.ts'
import { endToast, toasts } from './toast.ts'
import type { ToastState } from './toastQueue.ts'

/**
 * The place of toasts: over the desk, on a phone over the header, never over the video. The region always exists, so
 * that screen readers announce what appears in it.
 */
export function Toaster() {
  const shown = useStore(toasts, (state) => state.shown)
  return (
    <section
      role="status"
      // Announced also while a dialog hides the rest of the page.
      aria-live="polite"
      aria-label="Notifications"
      className="toaster"
    >
      {shown && <ToastCard key={shown.id} toast={shown} />}
    </section>
  )
}

function ToastCard({ toast }: { toast: NonNullable<ToastState['shown']> }) {
  const { title, description, tone = 'plain', duration = 3500, action, id: turn } = toast
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const stops = [
      countDown(element, duration, () => endToast(turn)),
      hearEscape(tone === 'error', () => dismiss(element, turn)),
      followSwipe(element, () => dismiss(element, turn)),
      clearFocus(element),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [duration, tone, turn])
  return (
    <div ref={card} data-toast={tone} className="toast">
      {tone === 'success' && <Check className="mt-px size-5 text-success" />}
      {tone === 'error' && <CircleAlert className="mt-px size-5 text-danger" />}
      <div className="toast-words">
        <p className="font-semibold">{title}</p>
        {description && <p className="text-ink-2">{description}</p>}
      </div>
      {action && (
        <Button
          size="tight"
          className="-my-2 -mr-4 ml-auto flex-none self-center"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            action.run()
            if (card.current) dismiss(card.current, turn)
          }}
        >
          {action.label}
        </Button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        // A click keeps the focus where it is, such as in a form.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => card.current && dismiss(card.current, turn)}
        className={buttonLook({
          variant: 'bare',
          size: 'square',
          className: '-my-2.5 -mr-3 ml-auto flex-none',
        })}
      >
        <X />
      </button>
    </div>
  )
}

/** Moves the toast to the other end of the screen while it would hide what the keyboard has reached (WCAG 2.4.11). */
function clearFocus(card: HTMLElement): () => void {
  const look = () => {
    const target = document.querySelector(':focus-visible:not([tabindex="-1"])')
    if (!target || card.contains(target)) return
    const { x, y, width, height } = target.getBoundingClientRect()
    if (card.contains(document.elementFromPoint(x + width / 2, y + height / 2))) card.dataset.aside = ''
  }
  look()
  window.addEventListener('focusin', look)
  return () => window.removeEventListener('focusin', look)
}

/** When the toast's button disappears, the focus moves to the page. */
function dismiss(element: HTMLElement, turn: number): void {
  if (element.contains(document.activeElement)) focusPage()
  endToast(turn)
}

/**
 * Calls `end` on Escape. An open dialog handles Escape first, unless the toast is an error that appeared over it:
 * then the dialog stays open, with what was typed.
 */
function hearEscape(isError: boolean, end: () => void): () => void {
  const goesFirst = isError && isDialogOpen()
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || (isDialogOpen() && !goesFirst)) return
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  window.addEventListener('keydown', hear, true)
  return () => window.removeEventListener('keydown', hear, true)
}

/** Px that a finger moves a toast sideways to dismiss it. */
const MIN_SWIPE = 80

/** The toast follows a finger sideways. Calls `end` when the finger is lifted after more than `SWIPE` px. */
function followSwipe(element: HTMLElement, end: () => void): () => void {
  let start: number | null = null
  const leaving = new AbortController()
  const { signal } = leaving
  const springBack = () => {
    start = null
    element.style.translate = ''
  }
  element.addEventListener(
    'pointerdown',
    ({ pointerType, clientX }) => {
      if (pointerType !== 'mouse') start = clientX
    },
    { signal },
  )
  element.addEventListener(
    'pointermove',
    ({ clientX }) => {
      if (start !== null) element.style.translate = `${clientX - start}px`
    },
    { signal },
  )
  element.addEventListener(
    'pointerup',
    ({ clientX }) => {
      const isFar = start !== null && Math.abs(clientX - start) > MIN_SWIPE
      springBack()
      if (isFar) end()
    },
    { signal },
  )
  element.addEventListener('pointercancel', springBack, { signal })
  return () => leaving.abort()
}

/** Calls `end` after `duration` ms, not counting the time that the pointer or the focus is on the element. */
function countDown(element: HTMLElement, duration: number, end: () => void): () => void {
  let left = duration
  let since = Date.now()
  let timer = setTimeout(end, left)
  let holders = 0
  const hold = () => {
    holders += 1
    if (holders > 1) return
    clearTimeout(timer)
    left -= Date.now() - since
  }
  const letGo = () => {
    holders -= 1
    if (holders > 0) return
    since = Date.now()
    timer = setTimeout(end, Math.max(left, 1000))
  }
  const leaving = new AbortController()
  const { signal } = leaving
  for (const event of ['pointerenter', 'focusin']) element.addEventListener(event, hold, { signal })
  for (const event of ['pointerleave', 'focusout']) element.addEventListener(event, letGo, { signal })
  return () => {
    clearTimeout(timer)
    leaving.abort()
  }
}
