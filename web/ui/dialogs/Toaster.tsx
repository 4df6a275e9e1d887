import { useEffect, useRef } from 'react'
import { Button, buttonClasses } from '../controls/Button.tsx'
import { Check, CircleAlert, X } from '../icons.tsx'
import { focusPage, isDialogOpen } from '../keyboard/openDialogs.ts'
import { dismissToast, type ToastState, useToasts } from '../toast.ts'

/**
 * The place of toasts: over the desk, on a phone over the header, never over the video. The region always exists, so
 * that screen readers announce what appears in it.
 */
export function Toaster() {
  const shown = useToasts((state) => state.shown)
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
  const { title, description, tone = 'plain', duration = 3500, action, id } = toast
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const cleanups = [
      startTimer(element, duration, () => dismissToast(id)),
      listenForEscape(tone === 'error', () => dismiss(element, id)),
      followSwipe(element, () => dismiss(element, id)),
      uncoverFocus(element),
    ]
    return () => {
      for (const cleanUp of cleanups) cleanUp()
    }
  }, [duration, tone, id])
  return (
    <div
      ref={card}
      data-toast={tone}
      className="pointer-events-auto flex touch-pan-y touch-pinch-zoom items-start gap-3 rounded-pad border border-line-strong bg-raised px-4 py-3 text-sm/5 shadow-high wide:items-center wide:py-1.5 wide:text-xs/4 phone:h-(--size-header-phone) phone:items-center phone:py-0 phone:text-2xs/3 low:h-(--size-header-phone) low:items-center low:py-0 low:text-2xs/3"
    >
      {tone === 'success' && <Check className="mt-px size-5 text-success" />}
      {tone === 'error' && <CircleAlert className="mt-px size-5 text-danger" />}
      <div className="toast-text min-w-0 wrap-anywhere *:inline phone:line-clamp-3 phone:pb-0.5 low:line-clamp-3 low:pb-0.5">
        <p className="font-semibold">{title}</p>
        {description && <p className="text-ink-2 before:content-['_']">{description}</p>}
      </div>
      {action && (
        <Button
          size="tight"
          className="-my-2 -mr-4 ml-auto flex-none self-center"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            action.run()
            if (card.current) dismiss(card.current, id)
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
        onClick={() => card.current && dismiss(card.current, id)}
        className={buttonClasses({
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

/**
 * Moves the toast to the other end of the screen whenever it would hide a part of what the keyboard has reached
 * (WCAG 2.4.11), unless it would there, too, or a video. The browser scrolls to what has the focus after the event.
 */
function uncoverFocus(card: HTMLElement): () => void {
  const giveWay = () => {
    const target = document.querySelector(':focus-visible:not([tabindex="-1"])')
    if (!target || card.contains(target) || !isOver(card, target)) return
    card.toggleAttribute('data-aside')
    const video = document.querySelector('[data-frame]')
    if ([target, video].some((part) => part && isOver(card, part))) card.toggleAttribute('data-aside')
  }
  giveWay()
  const abortController = new AbortController()
  for (const event of ['focusin', 'scroll'])
    window.addEventListener(event, giveWay, { capture: true, passive: true, signal: abortController.signal })
  return () => abortController.abort()
}

function isOver(card: Element, target: Element): boolean {
  const [a, b] = [card.getBoundingClientRect(), target.getBoundingClientRect()]
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** When the toast's button disappears, the focus moves to the page. */
function dismiss(element: HTMLElement, id: number): void {
  if (element.contains(document.activeElement)) focusPage()
  dismissToast(id)
}

/**
 * Calls `end` on Escape. An open dialog handles Escape first, unless the toast is an error that appeared over it:
 * then the dialog stays open, with what was typed.
 */
function listenForEscape(isError: boolean, end: () => void): () => void {
  const takesPrecedence = isError && isDialogOpen()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || (isDialogOpen() && !takesPrecedence)) return
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  window.addEventListener('keydown', onKeyDown, true)
  return () => window.removeEventListener('keydown', onKeyDown, true)
}

/** Px that a finger moves a toast sideways to dismiss it. */
const MIN_SWIPE = 80

/** The toast follows a finger sideways. Calls `end` when the finger is lifted after more than `MIN_SWIPE` px. */
function followSwipe(element: HTMLElement, end: () => void): () => void {
  let start: number | null = null
  const abortController = new AbortController()
  const { signal } = abortController
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
  return () => abortController.abort()
}

/** Calls `end` after `duration` ms, not counting the time that the pointer or the focus is on the element. */
function startTimer(element: HTMLElement, duration: number, end: () => void): () => void {
  let remaining = duration
  let startedAt = Date.now()
  let timer = setTimeout(end, remaining)
  let holdCount = 0
  const pause = () => {
    holdCount += 1
    if (holdCount > 1) return
    clearTimeout(timer)
    remaining -= Date.now() - startedAt
  }
  const resume = () => {
    holdCount -= 1
    if (holdCount > 0) return
    startedAt = Date.now()
    timer = setTimeout(end, Math.max(remaining, 1000))
  }
  const abortController = new AbortController()
  const { signal } = abortController
  for (const event of ['pointerenter', 'focusin']) element.addEventListener(event, pause, { signal })
  for (const event of ['pointerleave', 'focusout']) element.addEventListener(event, resume, { signal })
  return () => {
    clearTimeout(timer)
    abortController.abort()
  }
}
