import { ScrollArea as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Milliseconds that the scrollbar stays after scrolling (screens-10). */
const HIDE_DELAY = 600

/** A scroll area inside a dialog. Its scrollbar shows only while scrolling and takes no space. */
export function ScrollArea({ className, children }: { className: string; children: ReactNode }) {
  return (
    <Radix.Root type="scroll" scrollHideDelay={HIDE_DELAY} className="flex min-h-0 flex-col overflow-hidden">
      {/* Radix lays the content out as a table, which long words would widen. */}
      <Radix.Viewport className="min-h-0 [&>div]:block!">
        <div className={className}>{children}</div>
      </Radix.Viewport>
      <Radix.Scrollbar orientation="vertical" aria-hidden="true" className="w-2 touch-none p-0.5 select-none">
        <Radix.Thumb className="rounded-full bg-line-strong" />
      </Radix.Scrollbar>
    </Radix.Root>
  )
}
