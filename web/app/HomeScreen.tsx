import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
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
import { HomeHeader } from './HomeHeader.tsx'
import { sections } from './sections.ts'

const LibrarySection = lazyPart(async () => (await import('../library/LibrarySection.tsx')).LibrarySection)
const CommunitySection = lazyPart(
  async () => (await import('../community/CommunitySection.tsx')).CommunitySection,
)
const MiniPlayer = lazyPart(async () => (await import('../playback/MiniPlayer.tsx')).MiniPlayer)
/** What one press shows. */
const PRELOADED_PARTS = [LibrarySection, CommunitySection, MiniPlayer, GenrePicker]
const FeedbackDialog = lazyDialog(async () => (await import('../feedback/FeedbackDialog.tsx')).FeedbackDialog)
const PeopleDialog = lazyDialog(async () => (await import('../profiles/PeopleDialog.tsx')).PeopleDialog)

/** The main screen: three sections, and the current song below them. */
export function HomeScreen({ isShown: shown }: { isShown: boolean }) {
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
      <Main isShown={shown}>
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
      {shown && <CorrectAddress />}
      {shown && <Dialogs />}
      <Questionnaire shown={shown} />
      <PreloadWhenIdle />
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
function CorrectAddress() {
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the address that may need it
  useEffect(() => correctPlace(), [search])
  return null
}

/** A component of its own, because it renders whenever a request starts or ends. */
function PreloadWhenIdle() {
  usePreloadWhenIdle(PRELOADED_PARTS)
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

/** The sections on a phone, in reach of the thumbs. */
function BottomNav({ section }: { section: Section }) {
  return (
    <nav
      aria-label="Sections"
      className={`bottom-nav ${section === 'discover' ? 'bg-[color-mix(in_oklab,var(--ink)_3%,var(--accent-wash))]' : 'bg-surface'}`}
    >
      {sections.map(({ id, short, icon: Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={section === id ? 'page' : undefined}
          onClick={() => goTo({ section: id })}
          className="bottom-nav-section"
        >
          <Icon />
          {short}
        </button>
      ))}
    </nav>
  )
}

/** Brings a section back to where the listener left it (screens-15). Discover begins at its top. */
function useSectionScroll(section: Section, shown: boolean): void {
  const left = useRef<Partial<Record<Section, number>>>({})
  useLayoutEffect(() => {
    // For this entry of the history: the browser would scroll before the section is there.
    history.scrollRestoration = shown ? 'manual' : 'auto'
  }, [shown])
  // Its cleanup runs before the browser reports that the next, shorter section moved the page.
  useLayoutEffect(() => {
    if (!shown) return
    const remember = () => {
      left.current[section] = window.scrollY
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [section, shown])
  useEffect(() => {
    if (shown) return scrollOnceThere(section === 'discover' ? 0 : (left.current[section] ?? 0))
  }, [section, shown])
}

/** Scrolls now, and again while the section grows, until it is long enough or the listener does something. */
function scrollOnceThere(top: number): () => void {
  const over = new AbortController()
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= Math.floor(top)) over.abort()
  })
  over.signal.addEventListener('abort', () => observer.disconnect())
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(act, () => over.abort(), { passive: true, signal: over.signal })
  window.scrollTo(0, top)
  if (window.scrollY < Math.floor(top)) observer.observe(document.body)
  else over.abort()
  return () => over.abort()
}

/** Milliseconds after the last answer and the last press, so that visible content comes first. */
const PRELOAD_DELAY = 2000

/**
 * Preloads code that may be needed next, once the page has finished its requests and the listener is idle. Not in
 * data-saving mode. Code that fails to load is requested again when it is needed.
 */
function usePreloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): void {
  const isWaiting = useIsFetching() > 0
  useEffect(() => {
    if (isWaiting || savesData()) return
    const over = new AbortController()
    const preload = () => {
      over.abort()
      for (const part of parts) void part.preload()
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(preload, PRELOAD_DELAY)
    }
    for (const press of ['keydown', 'pointerdown']) {
      window.addEventListener(press, wait, { capture: true, passive: true, signal: over.signal })
    }
    wait()
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [isWaiting, parts])
}

/** https://wicg.github.io/savedata/; not every browser has it. */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
