import type { ReactNode } from 'react'
import { ButtonTo } from '../controls/Button.tsx'
import { ArrowLeft } from '../icons.tsx'
import { Main, SkipLink } from './Main.tsx'

interface PageBesideVideoProps {
  id: string
  headerClassName?: string
  /** After the way back. */
  header: ReactNode
  children: ReactNode
}

/**
 * A page with a way back to Discovery and room for the docked video, which moves nothing when it comes or goes
 * (people-28): beside it the page always leaves room, below it there is room to scroll. On a phone it is above the page.
 */
export function PageBesideVideo({ id, headerClassName = '', header, children }: PageBesideVideoProps) {
  return (
    <>
      <SkipLink to={id} />
      <header
        className={`sticky top-0 z-(--z-nav) flex h-(--size-header-phone) items-center gap-2 bg-paper px-1 wide:h-(--size-header) wide:px-6 ${headerClassName}`}
      >
        <ButtonTo to="/" variant="bare" size="tight">
          <ArrowLeft />
          Back to Discovery
        </ButtonTo>
        {header}
      </header>
      <Main
        id={id}
        className="mx-auto max-w-304 px-4 pt-[calc(var(--frame-h)+0.75rem)] pb-8 wide:px-6 wide:pt-4 wide:pb-[calc(var(--frame-clear)+3rem)] low:pr-[calc(var(--dock-w)+2.25rem)] low:pb-8"
      >
        {children}
      </Main>
    </>
  )
}
