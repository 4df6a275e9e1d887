import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Main, SkipLink } from './Main.tsx'
import { Wordmark } from './Wordmark.tsx'

interface PageHeaderProps {
  /** The wordmark; a link home unless the page is there already. */
  home?: ReactNode
  className?: string
  children?: ReactNode
}

/** The top of every page: the wordmark at the left edge, then what leads elsewhere. */
export function PageHeader({ home = <HomeLink />, className = '', children }: PageHeaderProps) {
  return (
    <header
      className={`flex min-h-(--header) flex-none flex-wrap items-center gap-x-1 pr-2 pl-4 wide:gap-x-4 wide:px-6 large:gap-x-10 ${className}`}
    >
      {home}
      {children}
    </header>
  )
}

export const HomeLink = () => (
  <Link href="/" className="flex min-h-(--size-touch) items-center">
    <Wordmark />
  </Link>
)

/** For pages whose player plays on while they scroll. */
export const stickyHeader = 'sticky top-0 z-(--z-nav) bg-inherit'

interface PageProps {
  /** The target of the skip link. */
  id?: string
  /** After the wordmark. */
  header?: ReactNode
  headerClassName?: string
  /** Of the main landmark. */
  className?: string
  children: ReactNode
}

/** The frame of all pages but the main screen, which has the same measures. */
export function Page({ id = 'main', header, headerClassName, className = 'pb-16', children }: PageProps) {
  return (
    <div className="flex min-h-svh flex-col bg-paper">
      <SkipLink to={id} />
      <PageHeader className={headerClassName}>{header}</PageHeader>
      <Main id={id} className={`flex-1 px-4 pt-4 wide:px-6 low:pt-2 ${className}`}>
        {children}
      </Main>
    </div>
  )
}

interface PageHeadingProps {
  title: string
  /** Below the title. */
  note?: ReactNode
  /** At the end of its line. */
  children?: ReactNode
}

export function PageHeading({ title, note, children }: PageHeadingProps) {
  return (
    <div className={`@container mb-4 grid w-full ${children ? 'gap-2' : 'gap-1'} wide:mb-6 low:mb-2`}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h1 className="flex min-h-(--size-touch) items-center">{title}</h1>
        {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
      </div>
      {note && <p className="max-w-[65ch] text-pretty text-ink-2">{note}</p>}
    </div>
  )
}
