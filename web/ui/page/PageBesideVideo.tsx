import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { ArrowLeft } from '../icons.tsx'
import { goTo } from '../screenParams.ts'
import { Page, stickyHeader } from './Page.tsx'

interface PageBesideVideoProps {
  id: string
  /** After the way back. */
  header?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A page with a way back to Discovery and room for the docked video, which moves nothing when it comes or goes
 * (people-28): beside it the page always leaves room, below it there is room to scroll.
 */
export function PageBesideVideo({ header, className = besideVideo, ...rest }: PageBesideVideoProps) {
  return (
    <Page
      className={className}
      headerClassName={`${stickyHeader} tiny:static`}
      header={
        <div className="ml-auto flex flex-none items-center">
          <Button variant="bare" size="tight" onClick={() => goTo({ section: 'discover' })}>
            <ArrowLeft />
            <span>
              <span className="max-[26rem]:sr-only">Back to </span>Discovery
            </span>
          </Button>
          {header}
        </div>
      }
      {...rest}
    />
  )
}

const besideVideo = 'pb-[calc(var(--clear-bottom)+1rem)] low:pr-[calc(var(--dock-w)+2.25rem)]'
