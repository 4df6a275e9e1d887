import type { ReactNode } from 'react'

interface AdminRowProps {
  title: ReactNode
  /** Facts, one after the other; what does not apply is false or null. */
  facts: readonly ReactNode[]
  /** Buttons. */
  children?: ReactNode
}

/** An account, an invitation, a limit or an act, with its buttons. */
export function AdminRow({ title, facts, children }: AdminRowProps) {
  const shownFacts = facts.filter(Boolean)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <b className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">{title}</b>
        <span className="text-xs text-ink-2 wrap-anywhere">
          {shownFacts.map((fact, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a row keep their order
            <span key={n}>
              {n > 0 && ' · '}
              {fact}
            </span>
          ))}
        </span>
      </div>
      {children}
    </li>
  )
}
