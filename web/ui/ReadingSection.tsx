import type { ReactNode } from 'react'

/** A section of a page for reading. */
export function ReadingSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h2>{title}</h2>
      <div className="grid gap-3 text-ink-2">{children}</div>
    </section>
  )
}

export function BulletList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="grid list-disc gap-1.5 pl-5 marker:text-ink-3">
      {children}
    </ul>
  )
}
