import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { notFoundTexts } from '../../contract/sharing.ts'
import {
  AGREED_BANGERS,
  type MicrogenrePage as Microgenre,
  type MicrogenrePageData,
  microgenrePath,
  PAGE_DATA_ID,
  RELATED_MICROGENRES,
} from '../../contract/visitors.ts'
import { withBasePath } from '../api/paths.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { Cover } from '../ui/art/Cover.tsx'
import { ButtonTo, buttonClasses } from '../ui/controls/Button.tsx'
import { ArrowLeft } from '../ui/icons.tsx'
import { DeadEnd } from '../ui/page/DeadEnd.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useAccentColor } from '../ui/useAccentColor.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { PlayButton, VisitorPlayer } from '../visitors/PlayButton.tsx'
import { PictureAndText, SharedTitle, Tag } from './SharedContent.tsx'

/**
 * A microgenre for everybody, signed in or not (visitors-4). The server writes what it shows into the HTML, so links to it
 * load it anew.
 */
export function MicrogenrePage({ microgenreKey }: { microgenreKey: string }) {
  const page = pageData?.key === microgenreKey ? pageData.page : undefined
  if (page === null) return <DeadEnd {...notFoundTexts('Microgenre')} />
  return (
    <Page header={<WayOut />}>
      {page ? (
        <Content {...page} />
      ) : (
        <LoadFailure isMain onRetry={() => location.reload()}>
          This microgenre did not load.
        </LoadFailure>
      )}
    </Page>
  )
}

const pageData: MicrogenrePageData | null = JSON.parse(
  document.getElementById(PAGE_DATA_ID)?.textContent ?? 'null',
)

const WayOut = () =>
  wasSignedIn() ? (
    <Link href="/" className={buttonClasses({ variant: 'bare', size: 'tight', className: 'ml-auto' })}>
      <ArrowLeft />
      Back to home
    </Link>
  ) : (
    <ButtonTo to="/auth" variant="main" className="ml-auto">
      Get Started
    </ButtonTo>
  )

function Content({ id, name, color, description, songs, bangers, near }: Microgenre) {
  usePageTitle(name)
  useAccentColor(color)
  return (
    <>
      <PictureAndText
        picture={
          <div aria-hidden="true" className="aspect-square w-50 shadow-high wide:w-full">
            <Cover title={name} color={color} />
          </div>
        }
      >
        <Tag>Microgenre</Tag>
        <SharedTitle>{name}</SharedTitle>
        <p dir="auto" className="max-w-[46ch] text-base text-pretty wrap-anywhere text-ink-2">
          {description}
        </p>
        {songs.length > 0 ? (
          <div className="flex flex-wrap gap-3">
            <PlayButton big name={name} songs={songs} />
            <ButtonTo
              to={wasSignedIn() ? `/?microgenre=${id}` : `/try/${songs[0]?.microgenre.key}`}
              size="big"
            >
              {wasSignedIn() ? 'Discover it' : 'Rate these'}
            </ButtonTo>
          </div>
        ) : (
          <p className="text-ink-2">There are no songs here yet.</p>
        )}
      </PictureAndText>
      <div className="grid gap-x-12 wide:grid-cols-2">
        {bangers.length > 0 && (
          <Section title={AGREED_BANGERS}>
            <ol aria-label={AGREED_BANGERS} className="grid">
              {bangers.map(({ title, artist }) => (
                <li key={`${title} ${artist}`} className="border-t border-line py-3">
                  <b dir="auto" className="block text-left font-semibold wrap-anywhere">
                    {title}
                  </b>
                  <span dir="auto" className="block text-left text-xs text-ink-2 wrap-anywhere">
                    {artist}
                  </span>
                </li>
              ))}
            </ol>
          </Section>
        )}
        {near.length > 0 && (
          <Section title={RELATED_MICROGENRES}>
            <ul aria-label={RELATED_MICROGENRES} className="grid">
              {near.map((other) => (
                <li key={other.key} data-genre="" style={{ '--genre': other.color }}>
                  <a
                    href={withBasePath(microgenrePath(other.key))}
                    className="flex min-h-(--size-touch) items-center gap-3 border-t border-line py-2 font-semibold text-accent hover:underline"
                  >
                    <span
                      aria-hidden="true"
                      className="size-3 flex-none rounded-full"
                      style={{ backgroundColor: other.color }}
                    />
                    <bdi className="min-w-0 wrap-anywhere">{other.name}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
      <VisitorPlayer />
    </>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid content-start gap-2 py-4">
    <h2>{title}</h2>
    {children}
  </section>
)
