import type { ReactNode } from 'react'
import { Page, PageHeading } from '../ui/page/Page.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'

/** A page with a heading, a sentence or two and an action. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <Page>
      <PageHeading title={title} />
      <div className="grid justify-items-start gap-4">{children}</div>
    </Page>
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
