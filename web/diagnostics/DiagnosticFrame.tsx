import { type ReactNode, useId } from 'react'
import { Link, useLocation } from 'wouter'
import { matchLevel } from '../../contract/diagnostics.ts'
import { Page, PageHeading } from '../ui/page/Page.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'

interface DiagnosticFrameProps {
  title: string
  /** The purpose of the page in a sentence. */
  description: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** Layout of the pages for operators: navigation, heading and buttons. */
export function DiagnosticFrame({ title, description, actions, children }: DiagnosticFrameProps) {
  usePageTitle(title)
  const [path] = useLocation()
  return (
    <Page
      header={
        <nav aria-label="Diagnostics" className="flex flex-wrap max-wide:-ml-2 max-wide:basis-full">
          {pages.map(({ to, name }) => (
            <Link
              key={to}
              href={to}
              aria-current={path === to ? 'page' : undefined}
              className="relative flex min-h-(--size-touch) items-center px-2 font-[550] whitespace-nowrap text-ink-2 after:absolute after:inset-x-2 after:bottom-1.5 after:h-0.5 hover:text-ink focus-visible:-outline-offset-2 aria-[current]:text-ink aria-[current]:after:bg-ink"
            >
              {name}
            </Link>
          ))}
        </nav>
      }
    >
      <PageHeading title={title} note={description}>
        {actions}
      </PageHeading>
      {children}
    </Page>
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

interface DiagnosticSectionProps {
  title: string
  /** The purpose of the tool in a sentence. */
  description?: ReactNode
  children: ReactNode
  className?: string
}

/** One tool of a diagnostic page. */
export function DiagnosticSection({ title, description, children, className = '' }: DiagnosticSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line pt-5 ${className}`}
    >
      <div className="grid gap-1">
        <h2 id={id}>{title}</h2>
        {description && <p className="max-w-[65ch] text-ink-2">{description}</p>}
      </div>
      {children}
    </section>
  )
}

/** Names and values in rows. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid border-t border-line">{children}</dl>
}

/** One row of `Facts`; a null value is unknown. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9rem_minmax(0,1fr)] items-baseline gap-4 border-b border-line py-2">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="wrap-anywhere">{children ?? <span className="text-ink-3">–</span>}</dd>
    </div>
  )
}

interface DiagnosticRowProps {
  title: ReactNode
  /** One after the other, without those that are false or null. */
  facts: readonly ReactNode[]
  /** Buttons. */
  children?: ReactNode
}

/** A row of a list: title, facts and buttons. */
export function DiagnosticRow({ title, facts, children }: DiagnosticRowProps) {
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

/** The text colour of each tone. */
export const toneClasses = {
  plain: 'text-ink',
  good: 'text-success',
  fair: 'text-warning',
  poor: 'text-danger',
} satisfies Record<string, string>

export type Tone = keyof typeof toneClasses

/** A short coloured label, which says the same without its colour. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-[4px] bg-raised px-2 py-0.5 text-2xs font-semibold whitespace-nowrap ${toneClasses[tone]}`}
    >
      {children}
    </span>
  )
}

/** A match score from 0 to 100. */
export function MatchBadge({ score }: { score: number }) {
  return <Tag tone={matchLevel(score)}>{score}% match</Tag>
}
