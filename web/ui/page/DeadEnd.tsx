import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ButtonTo } from '../controls/Button.tsx'
import { usePageTitle } from '../usePageTitle.ts'
import { Main } from './Main.tsx'
import { Wordmark } from './Wordmark.tsx'

/** The page of an address that leads nowhere. */
export function DeadEnd({ title, text }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <DeadEndLayout
      title={title}
      text={text}
      home={
        <Link href="/">
          <Wordmark />
        </Link>
      }
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
    <div className="mx-auto flex min-h-svh max-w-360 flex-col px-4 pb-6 wide:px-6 wide:pb-12">
      <header className="flex h-(--size-header-phone) flex-none items-center wide:h-(--size-header) *:flex *:min-h-(--size-touch) *:items-center">
        {home}
      </header>
      <Main className="flex flex-1 flex-col">
        <p
          aria-hidden="true"
          className="my-auto flex items-baseline justify-between py-6 font-display text-[min(41vw,50svh,41rem)] leading-[0.74] select-none"
        >
          <b className="font-black font-stretch-150%">4</b>
          <span className="font-semibold text-ink-2">0</span>
          <i className="font-light text-ink-3 not-italic font-stretch-50%">4</i>
        </p>
        <div className="grid justify-items-start gap-4 border-t border-line pt-6 wide:grid-cols-[minmax(0,1fr)_auto] wide:gap-x-12 wide:*:last:col-start-2 wide:*:last:row-span-2 wide:*:last:row-start-1 wide:*:last:self-end">
          <h1>{title}</h1>
          <p className="max-w-[48ch] text-base text-ink-2">{text}</p>
          {wayOut}
        </div>
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
