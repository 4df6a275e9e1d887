import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClasses } from './Button.tsx'
import { ArrowLeft } from './icons.ts'
import { Main } from './Main.tsx'
import { SkipLink } from './SkipLink.tsx'
import { usePageTitle } from './usePageTitle.ts'
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
