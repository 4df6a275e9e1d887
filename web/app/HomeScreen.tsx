import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { DiscoverSection, GenrePicker } from '../discovery/DiscoverSection.tsx'
import { usePrefetchBangers } from '../library/ratingsQuery.ts'
import { Questionnaire } from '../onboarding/Questionnaire.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { lazyComponent, lazyDialog } from '../ui/page/lazyComponent.tsx'
import { Main, PlayerBar, SkipLink } from '../ui/page/Main.tsx'
import { correctScreenParams, goTo, type Section, useDialog, useScreenParam } from '../ui/screenParams.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { HomeHeader, sections } from './HomeHeader.tsx'
import { MiniPlayer } from './lazyPages.ts'

const LibrarySection = lazyComponent(
  async () => (await import('../library/LibrarySection.tsx')).LibrarySection,
)
const CommunitySection = lazyComponent(
  async () => (await import('../community/CommunitySection.tsx')).CommunitySection,
)
/** What one press shows. */
const PRELOADED_PARTS = [LibrarySection, CommunitySection, MiniPlayer, GenrePicker]
const PeopleDialog = lazyDialog(async () => (await import('../profiles/PeopleDialog.tsx')).PeopleDialog)

/** The main screen: three sections, and the current song below them. */
export function HomeScreen({ isShown }: { isShown: boolean }) {
  const section = useScreenParam('section')
  useHotkeys(Object.fromEntries(sections.map(({ id, key }) => [key, () => goTo({ section: id })])), {
    enabled: isShown,
  })
  useSectionChange(section, isShown)
  usePrefetchBangers(section === 'library')

  const isDiscover = section === 'discover'
  return (
    <div hidden={!isShown} className={`min-h-svh ${isDiscover ? 'bg-accent-wash' : 'bg-paper'}`}>
      {isShown && !isDiscover && <SectionTitle section={section} />}
      <SkipLink />
      <HomeHeader section={section} />
      <Main isShown={isShown}>
        {/* Stays mounted while hidden, to keep the song, its queue and the microgenre. */}
        <div hidden={!isDiscover}>
          <DiscoverSection active={isShown && isDiscover} />
        </div>
        <Suspense>
          {section === 'library' && <LibrarySection onDiscover={showDiscover} />}
          {section === 'community' && <CommunitySection />}
        </Suspense>
      </Main>
      {!isDiscover && (
        <PlayerBar>
          <Suspense>
            <MiniPlayer active={isShown} onDiscover={showDiscover} />
          </Suspense>
        </PlayerBar>
      )}
      <BottomNav section={section} />
      {isShown && <CorrectAddress />}
      {isShown && <People />}
      <Questionnaire shown={isShown} />
      <PreloadWhenIdle />
    </div>
  )
}

const People = () => <PeopleDialog {...useDialog('people', 'profile')} />

const showDiscover = () => goTo({ section: 'discover' })

/** Removes unknown and misspelt parameters (screens-12). A component of its own, because it renders at each change. */
function CorrectAddress() {
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the address that may need it
  useEffect(() => correctScreenParams(), [search])
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

/** The sections on a phone, in reach of the thumbs. */
function BottomNav({ section }: { section: Section }) {
  return (
    <nav
      aria-label="Sections"
      className={`fixed inset-x-0 bottom-0 z-(--z-nav) grid h-(--nav-h) grid-cols-3 border-t border-line pb-[env(safe-area-inset-bottom)] wide:hidden tiny:relative low:hidden ${section === 'discover' ? 'bg-[color-mix(in_oklab,var(--ink)_3%,var(--accent-wash))]' : 'bg-surface'}`}
    >
      {sections.map(({ id, short, icon: Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={section === id ? 'page' : undefined}
          onClick={() => goTo({ section: id })}
          className="relative grid place-content-center justify-items-center gap-0.5 text-2xs font-[550] text-ink-2 before:absolute before:inset-x-[28%] before:-top-px before:h-0.5 focus-visible:-outline-offset-2 aria-[current]:text-ink aria-[current]:before:bg-ink forced-colors:before:forced-color-adjust-none forced-colors:aria-[current]:before:bg-[Highlight]"
        >
          <Icon />
          {short}
        </button>
      ))}
    </nav>
  )
}

/** Brings a section back to where the listener left it (screens-15). Discover begins at its top. */
function useSectionChange(section: Section, isShown: boolean): void {
  const scrollTops = useRef<Partial<Record<Section, number>>>({})
  // Its cleanup runs before the browser reports that the next, shorter section moved the page.
  useLayoutEffect(() => {
    // For this entry of the history: the browser would scroll before the section is there.
    history.scrollRestoration = isShown ? 'manual' : 'auto'
    if (!isShown) return
    const saveScrollTop = () => {
      scrollTops.current[section] = window.scrollY
    }
    window.addEventListener('scroll', saveScrollTop, { passive: true })
    return () => window.removeEventListener('scroll', saveScrollTop)
  }, [section, isShown])
  useEffect(() => {
    // The hidden section had the focus. A header button that was pressed keeps it.
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    if (isShown) return scrollWhenLongEnough(section === 'discover' ? 0 : (scrollTops.current[section] ?? 0))
  }, [section, isShown])
}

/** Scrolls now, and again while the section grows, until it is long enough or the listener does something. */
function scrollWhenLongEnough(top: number): () => void {
  const abortController = new AbortController()
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= Math.floor(top)) abortController.abort()
  })
  abortController.signal.addEventListener('abort', () => observer.disconnect())
  for (const eventName of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(eventName, () => abortController.abort(), {
      passive: true,
      signal: abortController.signal,
    })
  window.scrollTo(0, top)
  if (window.scrollY < Math.floor(top)) observer.observe(document.body)
  else abortController.abort()
  return () => abortController.abort()
}

/** Milliseconds after the last answer and the last press, so that visible content comes first. */
const PRELOAD_DELAY = 2000

/**
 * Preloads code that may be needed next, once the page has finished its requests and the listener is idle. Not in
 * data-saving mode. Code that fails to load is requested again when it is needed.
 */
function usePreloadWhenIdle(parts: readonly { preload(): Promise<void> }[]): void {
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching || isDataSaving()) return
    const abortController = new AbortController()
    const preload = () => {
      abortController.abort()
      for (const part of parts) void part.preload()
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimer = () => {
      clearTimeout(timer)
      timer = setTimeout(preload, PRELOAD_DELAY)
    }
    for (const eventName of ['keydown', 'pointerdown']) {
      window.addEventListener(eventName, restartTimer, {
        capture: true,
        passive: true,
        signal: abortController.signal,
      })
    }
    restartTimer()
    return () => {
      abortController.abort()
      clearTimeout(timer)
    }
  }, [isFetching, parts])
}

/** https://wicg.github.io/savedata/; not every browser has it. */
const isDataSaving = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
