import { Check, CircleAlert } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { endToast, readToasts, watchToasts } from './toast.ts'
import type { ToastState } from './toastQueue.ts'

/**
 * Where toasts appear: bottom left, on a phone under the header and the video frame, never over it. The region
 * is always there, so that screen readers say what comes into it.
 */
export function Toaster() {
  const { shown } = useSyncExternalStore(watchToasts, readToasts)
  return (
    <section
      role="status"
      // Said also while a dialog hides the rest of the page.
      aria-live="polite"
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-2 top-[calc(var(--size-header-phone)+var(--frame-h)+0.375rem)] z-(--z-toast) wide:inset-x-auto wide:top-auto wide:bottom-[calc(1.5rem+var(--bar-h))] wide:left-6 wide:w-[min(24rem,100vw-var(--frame-w)-1.5rem)]"
    >
      {shown && <ToastCard key={shown.turn} toast={shown} />}
    </section>
  )
}

function ToastCard({ toast }: { toast: NonNullable<ToastState['shown']> }) {
  const { title, description, tone = 'plain', duration = 3500, turn } = toast
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = card.current
    return element ? countDown(element, duration, () => endToast(turn)) : undefined
  }, [duration, turn])
  return (
    <div
      ref={card}
      data-toast={tone}
      className="pointer-events-auto flex items-start gap-3 rounded-pad border border-line-strong bg-raised px-4 py-3 shadow-high wide:px-4.5 wide:py-4"
    >
      {tone === 'success' && (
        <Check className="mt-px size-5 text-success" strokeWidth={1.75} aria-hidden="true" />
      )}
      {tone === 'error' && (
        <CircleAlert className="mt-px size-5 text-danger" strokeWidth={1.75} aria-hidden="true" />
      )}
      <div className="grid min-w-0 gap-0.5 wrap-anywhere">
        <p className="font-semibold">{title}</p>
        {description && <p className="text-ink-2">{description}</p>}
      </div>
    </div>
  )
}

/** Calls `end` after `duration` ms, not counting the time that the pointer rests on the element. */
function countDown(element: HTMLElement, duration: number, end: () => void): () => void {
  let left = duration
  let since = Date.now()
  let timer = setTimeout(end, left)
  const hold = () => {
    clearTimeout(timer)
    left -= Date.now() - since
  }
  const goOn = () => {
    since = Date.now()
    timer = setTimeout(end, Math.max(left, 1000))
  }
  element.addEventListener('pointerenter', hold)
  element.addEventListener('pointerleave', goOn)
  return () => {
    clearTimeout(timer)
    element.removeEventListener('pointerenter', hold)
    element.removeEventListener('pointerleave', goOn)
  }
}
