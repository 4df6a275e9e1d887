import { ScrollArea as Radix } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** Milliseconds that the scrollbar stays after scrolling (screens-10). */
const HIDE_DELAY = 600

interface ScrollAreaProps {
  /** It scrolls to its top when this changes. */
  page: number | undefined
  className: string
  children: ReactNode
}

/** A scroll area inside a dialog. Its scrollbar shows only while scrolling and takes no space. */
export function ScrollArea({ page, className, children }: ScrollAreaProps) {
  const viewport = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the page that changes
  useLayoutEffect(() => {
    viewport.current?.scrollTo(0, 0)
  }, [page])
  return (
    <Radix.Root type="scroll" scrollHideDelay={HIDE_DELAY} className="flex min-h-0 flex-col overflow-hidden">
      {/* Radix lays the content out as a table, which long words would widen. */}
      <Radix.Viewport ref={viewport} className="min-h-0 [&>div]:block!">
        <div className={className}>{children}</div>
      </Radix.Viewport>
      <Radix.Scrollbar orientation="vertical" aria-hidden="true" className="w-2 touch-none p-0.5 select-none">
        <Radix.Thumb className="rounded-full bg-line-strong" />
      </Radix.Scrollbar>
    </Radix.Root>
  )
}
