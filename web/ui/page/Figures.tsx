import type { ReactNode } from 'react'

/** Figures side by side; four become two rows of two where space is short. */
export function Figures({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className="@container">
      <dl className={`grid grid-cols-2 border-y border-line @2xl:grid-cols-4 ${className}`}>{children}</dl>
    </div>
  )
}

/** One of four `Figures`. */
export function Figure({ name, children, tone = '' }: { name: string; children: ReactNode; tone?: string }) {
  return (
    <div className="flex flex-col-reverse border-line px-4 py-3 nth-[n+3]:border-t odd:pl-0 even:border-l @2xl:border-l @2xl:px-5 @2xl:pt-4 @2xl:pb-4.5 @2xl:first:border-l-0 @2xl:first:pl-0! @2xl:nth-[n+3]:border-t-0 @2xl:odd:pl-5">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd
        className={`font-display text-[1.75rem]/8 font-extrabold tracking-[-0.02em] tabular-nums font-stretch-115% @2xl:text-[2.25rem]/10 ${tone}`}
      >
        {children}
      </dd>
    </div>
  )
}
