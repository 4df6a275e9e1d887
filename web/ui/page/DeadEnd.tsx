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
    <div className="dead-end">
      <header>{home}</header>
      <Main>
        <p aria-hidden="true" className="dead-end-sign">
          <b>4</b>
          <span>0</span>
          <i>4</i>
        </p>
        <div className="dead-end-text">
          <h1>{title}</h1>
          <p>{text}</p>
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
