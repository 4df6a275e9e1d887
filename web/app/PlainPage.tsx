import type { ReactNode } from 'react'
import { Main } from '../ui/Main.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'

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
