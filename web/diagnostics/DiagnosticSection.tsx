import { type ReactNode, useId } from 'react'

interface DiagnosticSectionProps {
  title: string
  /** The purpose of the tool in a sentence. */
  words?: ReactNode
  children: ReactNode
  className?: string
}

/** One tool of a diagnostic page. */
export function DiagnosticSection({ title, words, children, className = '' }: DiagnosticSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line pt-5 ${className}`}
    >
      <div className="grid gap-1">
        <h2 id={id}>{title}</h2>
        {words && <p className="max-w-[65ch] text-ink-2">{words}</p>}
      </div>
      {children}
    </section>
  )
}
