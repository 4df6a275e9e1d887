import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClasses } from '../controls/Button.tsx'
import { ArrowLeft } from '../icons.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import { Main, SkipLink } from './Main.tsx'
import { Wordmark } from './Wordmark.tsx'

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
    <>
      <SkipLink />
      <header className="flex h-(--size-header-phone) items-center gap-2 px-1 wide:h-(--size-header) wide:px-6">
        <Link href="/" className={buttonClasses({ variant: 'bare', size: 'tight' })}>
          <ArrowLeft />
          Back to home
        </Link>
        <Wordmark className="ml-auto pr-3 text-[1.05rem] max-[21rem]:hidden" />
      </header>
      <Main className={`mx-auto grid gap-8 px-4 pt-6 pb-16 text-base wide:pt-12 ${className}`}>
        <div className="grid gap-2">
          <h1>{title}</h1>
          <p className="text-sm text-ink-2">{note}</p>
        </div>
        {children}
      </Main>
    </>
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
