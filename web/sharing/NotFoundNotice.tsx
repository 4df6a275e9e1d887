import { ButtonTo } from '../ui/ButtonTo.tsx'
import { Main } from '../ui/Main.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'

/** A share link that is unknown or no longer valid. */
export function NotFoundNotice({ title, text }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <Main className="mx-auto grid min-h-svh max-w-xl content-center justify-items-start gap-4 px-4 py-8 wide:px-6">
      <Wordmark />
      <h1>{title}</h1>
      <p className="text-base text-ink-2">{text}</p>
      <ButtonTo to="/" variant="main" size="big">
        Go Home
      </ButtonTo>
    </Main>
  )
}
