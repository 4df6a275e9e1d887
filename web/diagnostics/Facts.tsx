import type { ReactNode } from 'react'

/** Names and values in rows. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid border-t border-line">{children}</dl>
}

/** One row of `Facts`; a null value is unknown. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9rem_minmax(0,1fr)] items-baseline gap-4 border-b border-line py-2.5">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="wrap-anywhere">{children ?? <span className="text-ink-3">–</span>}</dd>
    </div>
  )
}
