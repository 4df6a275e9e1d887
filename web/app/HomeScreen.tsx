import { Suspense, useEffect } from 'react'
import { useSearch } from 'wouter'
import { DiscoverSection, GenrePicker } from '../discovery/DiscoverSection.tsx'
import { usePreloadBangers } from '../library/useBangers.ts'
import { Questionnaire } from '../onboarding/Questionnaire.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Main } from '../ui/Main.tsx'
import { correctPlace, goTo, type Section, useDialog, usePlacePart } from '../ui/place.ts'
import { SkipLink } from '../ui/SkipLink.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { usePreloadWhenIdle } from '../ui/usePreloadWhenIdle.ts'
import { BottomNav } from './BottomNav.tsx'
import { HomeHeader } from './HomeHeader.tsx'
import { sections } from './sections.ts'
import { useSectionScroll } from './useSectionScroll.ts'

const LibrarySection = lazyPart(async () => (await import('../library/LibrarySection.tsx')).LibrarySection)
const CommunitySection = lazyPart(
  async () => (await import('../community/CommunitySection.tsx')).CommunitySection,
)
const MiniPlayer = lazyPart(async () => (await import('../playback/MiniPlayer.tsx')).MiniPlayer)
/** What one press shows. */
const NEXT = [LibrarySection, CommunitySection, MiniPlayer, GenrePicker]
const FeedbackDialog = lazyDialog(async () => (await import('../feedback/FeedbackDialog.tsx')).FeedbackDialog)
const PeopleDialog = lazyDialog(async () => (await import('../profiles/PeopleDialog.tsx')).PeopleDialog)

/** The main screen: three sections, and the current song below them. */
export function HomeScreen({ shown }: { shown: boolean }) {
  const section = usePlacePart('section')
  useHotkeys(Object.fromEntries(sections.map(({ id, key }) => [key, () => goTo({ section: id })])), {
    enabled: shown,
  })
  useSectionScroll(section, shown)
  useCatchLostFocus(section)
  usePreloadBangers(section === 'library')

  const discovering = section === 'discover'
  return (
    <div hidden={!shown} className={`min-h-svh ${discovering ? 'bg-accent-wash' : 'bg-paper'}`}>
      {shown && !discovering && <SectionTitle section={section} />}
      <SkipLink />
      <HomeHeader section={section} />
      <Main shown={shown}>
        {/* Stays mounted while hidden, to keep the song, its queue and the microgenre. */}
        <div hidden={!discovering}>
          <DiscoverSection active={shown && discovering} />
        </div>
        <Suspense>
          {section === 'library' && <LibrarySection onDiscover={showDiscover} />}
          {section === 'community' && <CommunitySection />}
        </Suspense>
      </Main>
      {!discovering && (
        <div data-bar="" className="bar-ground">
          <Suspense>
            <MiniPlayer active={shown} onDiscover={showDiscover} />
          </Suspense>
        </div>
      )}
      <BottomNav section={section} />
      {shown && <CleanAddress />}
      {shown && <Dialogs />}
      <Questionnaire shown={shown} />
      <PreloadNext />
    </div>
  )
}

/** The dialogs of all sections. */
function Dialogs() {
  return (
    <>
      <FeedbackDialog {...useDialog('feedback')} />
      <PeopleDialog {...useDialog('people', 'profile')} />
    </>
  )
}

const showDiscover = () => goTo({ section: 'discover' })

/** Removes unknown and misspelt parameters (screens-12). A component of its own, because it renders at each change. */
function CleanAddress() {
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the address that may need it
  useEffect(() => correctPlace(), [search])
  return null
}

/** A component of its own, because it renders whenever a request starts or ends. */
function PreloadNext() {
  usePreloadWhenIdle(NEXT)
  return null
}

function SectionTitle({ section }: { section: Section }) {
  usePageTitle(sections.find(({ id }) => id === section)?.name ?? '')
  return null
}

/** When the hidden section had the focus, the new section gets it. A header button that was pressed keeps it. */
function useCatchLostFocus(section: Section) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the switch that may lose the focus
  useEffect(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [section])
}
