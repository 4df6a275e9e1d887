import type { ReactNode } from 'react'
import { ButtonTo } from '../controls/Button.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import { Main } from './Main.tsx'
import { HomeLink, PageHeader, PageHeading } from './Page.tsx'

/** The page of an address that leads nowhere. */
export function DeadEnd({ title, text }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <DeadEndLayout
      title={title}
      text={text}
      home={<HomeLink />}
      wayOut={
        <ButtonTo to="/" variant="main" size="big">
          Go Home
        </ButtonTo>
      }
    />
  )
}

interface DeadEndLayoutProps {
  title: string
  text: string
  home: ReactNode
  wayOut: ReactNode
}

/** Also rendered for the server's document of a dead link, with links that need no code. */
export function DeadEndLayout({ title, text, home, wayOut }: DeadEndLayoutProps) {
  return (
    <div className="flex min-h-svh flex-col bg-paper">
      <PageHeader home={home} />
      <Main className="flex flex-1 flex-col items-start px-4 pt-4 pb-6 wide:px-6">
        <PageHeading title={title} note={text} />
        {wayOut}
        <p
          aria-hidden="true"
          className="my-auto flex w-full items-baseline justify-between pt-10 font-display text-[min(41vw,50svh,41rem)] leading-[0.74] select-none"
        >
          <b className="font-black font-stretch-150%">4</b>
          <span className="font-semibold text-ink-2">0</span>
          <i className="font-light text-ink-3 not-italic font-stretch-50%">4</i>
        </p>
      </Main>
    </div>
  )
}

export function NotFoundPage() {
  return (
    <DeadEnd
      title="Page Not Found"
      text="There is no page at this address. If there should be one, check that the router has it."
    />
  )
}
