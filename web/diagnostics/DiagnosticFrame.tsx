import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import './layouts.css'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'

interface DiagnosticFrameProps {
  title: string
  /** The purpose of the page in a sentence. */
  words: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** Layout of the pages for operators: navigation, heading and buttons. */
export function DiagnosticFrame({ title, words, actions, children }: DiagnosticFrameProps) {
  usePageTitle(title)
  const [path] = useLocation()
  return (
    <>
      <SkipLink to="diagnostics" />
      <header className="flex flex-wrap items-center gap-x-8 px-4 pt-1 wide:min-h-(--size-header) wide:px-6 wide:pt-0">
        <Link
          href="/"
          aria-label="Banger or Bust: back to Discover"
          className="flex min-h-(--size-touch) items-center"
        >
          <Wordmark />
        </Link>
        <nav aria-label="Diagnostics" className="-mx-2 flex flex-wrap">
          {pages.map(({ to, name }) => (
            <Link
              key={to}
              href={to}
              aria-current={path === to ? 'page' : undefined}
              className="diagnostic-page"
            >
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <Main id="diagnostics" className="mx-auto max-w-480 px-4 pt-4 pb-16 wide:px-6">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <div className="grid gap-2">
            <h1>{title}</h1>
            <p className="max-w-[65ch] text-ink-2">{words}</p>
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </Main>
    </>
  )
}

const pages = [
  { to: '/verification', name: 'Verification' },
  { to: '/auth-test', name: 'Sign-in' },
  { to: '/youtube-optimization', name: 'Playback' },
  { to: '/coverage', name: 'Coverage' },
  { to: '/feedback', name: 'Feedback' },
  { to: '/admin', name: 'Accounts' },
]
