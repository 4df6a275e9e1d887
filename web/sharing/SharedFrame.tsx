import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SharedPage } from '../../contract/sharedPage.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { Wordmark } from '../ui/Wordmark.tsx'
import type { SharedItem } from './useSharedItem.ts'

/** Layout of the shared pages, with their loading and error states. */
export function SharedFrame<T>({
  sharedItem,
  loading,
  missing,
  children,
}: {
  sharedItem: SharedItem<T>
  /** The loading text. */
  loading: string
  missing: ReactNode
  children: (value: T) => ReactNode
}) {
  if (sharedItem.state === 'missing') return missing
  return (
    <>
      <SkipLink />
      <header className="flex h-(--size-header-phone) items-center px-4 wide:h-(--size-header) wide:px-6">
        <Link href="/" className="flex min-h-(--size-touch) items-center">
          <Wordmark />
        </Link>
      </header>
      <Main className="mx-auto max-w-6xl px-4 wide:px-6">
        {sharedItem.state === 'loading' && (
          <p role="status" className="pt-8 text-base text-ink-2">
            {loading}
          </p>
        )}
        {sharedItem.state === 'failed' && (
          <div className="pt-8">
            <LoadFailure onRetry={sharedItem.retry}>
              This page did not load. Check your connection and try again.
            </LoadFailure>
          </div>
        )}
        {sharedItem.state === 'shown' && children(sharedItem.value)}
      </Main>
    </>
  )
}

/** Picture on the left, text on the right; stacked on a phone. */
export function PictureAndText({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-end gap-6 py-4 wide:grid-cols-[minmax(12rem,22rem)_minmax(0,1fr)] wide:gap-12 wide:py-10">
      {picture}
      <div className="grid min-w-0 justify-items-start gap-4">{children}</div>
    </div>
  )
}

export function Tag({ children }: { children: string }) {
  return (
    <span className="rounded-[4px] border border-accent-line px-2 py-0.5 text-2xs font-semibold text-accent">
      {children}
    </span>
  )
}

/** The name, in a size that fits its length. */
export function SharedTitle({ children }: { children: string }) {
  const size =
    children.length <= 24
      ? 'text-[clamp(2rem,6vw,5rem)]/[1.02]'
      : children.length <= 60
        ? 'text-[clamp(1.75rem,4vw,3.25rem)]/[1.08]'
        : 'text-[clamp(1.5rem,2.6vw,2.25rem)]/[1.12]'
  return (
    <h1 dir="auto" className={`w-full font-extrabold font-stretch-128% wrap-anywhere ${size}`}>
      {children}
    </h1>
  )
}

export function Creator({ name, photo, children }: SharedPage['creator'] & { children: ReactNode }) {
  const [initial = 'M'] = name
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar image={photo} letter={initial.toLocaleUpperCase()} />
      <div className="grid min-w-0">
        <b dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
          {name}
        </b>
        <p className="text-xs text-ink-2 tabular-nums">{children}</p>
      </div>
    </div>
  )
}
