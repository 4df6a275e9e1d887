import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClasses } from '../controls/Button.tsx'
import { ArrowLeft } from '../icons.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import { Page, PageHeading } from './Page.tsx'

interface ReadingPageProps {
  title: string
  /** Below the title. */
  note: ReactNode
  /** Of the column. */
  className?: string
  children: ReactNode
}

/** A page for reading, the same for everybody, with a way home. */
export function ReadingPage({ title, note, className = 'max-w-[65ch]', children }: ReadingPageProps) {
  usePageTitle(title)
  return (
    <Page
      header={
        <Link href="/" className={buttonClasses({ variant: 'bare', size: 'tight', className: 'ml-auto' })}>
          <ArrowLeft />
          Back to home
        </Link>
      }
    >
      <PageHeading title={title} note={note} />
      <div className={`grid gap-8 text-base ${className}`}>{children}</div>
    </Page>
  )
}

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
