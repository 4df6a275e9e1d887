import { Suspense, useCallback, useEffect, useState } from 'react'
import { DiscoverSection } from '../discovery/DiscoverSection.tsx'
import { usePreloadBangers } from '../library/useBangers.ts'
import { Questionnaire } from '../onboarding/Questionnaire.tsx'
import { MiniPlayer } from '../playback/MiniPlayer.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { usePreloadWhenIdle } from '../ui/usePreloadWhenIdle.ts'
import { BottomNav } from './BottomNav.tsx'
import { HomeHeader } from './HomeHeader.tsx'
import { type Section, sections } from './sections.ts'

const LibrarySection = lazyPart(async () => (await import('../library/LibrarySection.tsx')).LibrarySection)
const CommunitySection = lazyPart(
  async () => (await import('../community/CommunitySection.tsx')).CommunitySection,
)
/** Sections that one key opens. */
const NEXT = [LibrarySection, CommunitySection]
const PeopleDialog = lazyDialog(async () => (await import('../profiles/PeopleDialog.tsx')).PeopleDialog)
const ProfileDialog = lazyDialog(async () => (await import('../profiles/ProfileDialog.tsx')).ProfileDialog)

/** The main screen: three sections, and the current song below them. */
export function HomeScreen({ shown }: { shown: boolean }) {
  const [section, setSection] = useState<Section>('discover')
  const [people, setPeople] = useState(false)
  const [profile, setProfile] = useState(false)
  const showDiscover = useCallback(() => setSection('discover'), [])

  useHotkeys(Object.fromEntries(sections.map(({ id, key }) => [key, () => setSection(id)])), {
    enabled: shown,
  })
  useCatchLostFocus(section)
  usePreloadBangers(section === 'library')

  const discovering = section === 'discover'
  return (
    <div hidden={!shown} className={`min-h-svh ${discovering ? 'bg-accent-wash' : 'bg-paper'}`}>
      {shown && <SectionTitle section={section} />}
      <SkipLink />
      <HomeHeader
        section={section}
        onSection={setSection}
        onPeople={() => setPeople(true)}
        onProfile={() => setProfile(true)}
      />
      <Main shown={shown}>
        {/* Stays mounted while hidden, to keep the song, its queue and the microgenre. */}
        <div hidden={!discovering}>
          <DiscoverSection active={shown && discovering} onSelected={showDiscover} />
        </div>
        <Suspense>
          {section === 'library' && <LibrarySection onDiscover={showDiscover} />}
          {section === 'community' && <CommunitySection />}
        </Suspense>
      </Main>
      {!discovering && (
        <div data-bar="" className="bar-ground">
          <MiniPlayer active={shown} onDiscover={showDiscover} />
        </div>
      )}
      <BottomNav section={section} onSection={setSection} />
      <PeopleDialog open={people} onOpenChange={setPeople} />
      <ProfileDialog userId={null} open={profile} onOpenChange={setProfile} />
      <Questionnaire shown={shown} />
      <PreloadNext />
    </div>
  )
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
    window.scrollTo(0, 0)
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [section])
}
