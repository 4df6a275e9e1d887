import type { ReactNode } from 'react'
import { Main } from '../ui/page/Main.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'

/** A page with a heading, a sentence or two and an action. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <Main className="mx-auto grid min-h-svh max-w-xl content-center justify-items-start gap-4 px-4 py-8 wide:px-6">
      <Wordmark />
      <h1>{title}</h1>
      {children}
    </Main>
  )
}

/** While authentication or a page is loading (screens-1). */
export function LoadingScreen() {
  return (
    <main className="grid min-h-svh place-content-center">
      <p
        role="status"
        className="font-display text-lg font-semibold text-ink-2 font-stretch-(--width-heading)"
      >
        Loading...
      </p>
    </main>
  )
}
