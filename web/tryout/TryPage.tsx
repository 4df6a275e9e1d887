import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { VisitorSong } from '../../contract/visitors.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { Announcement, SongTitle } from '../discovery/DiscoverSection.tsx'
import { createDiscoveryEngine, type DiscoveryEngine } from '../discovery/engine/discoveryEngine.ts'
import { canUndo, latestSong, type RatedSong } from '../discovery/engine/discoveryState.ts'
import { NotNowButton, PlayerControls, UndoButton } from '../discovery/player/PlayerControls.tsx'
import { PlayerView } from '../discovery/player/PlayerView.tsx'
import { VolumeControl } from '../playback/PlaybackButtons.tsx'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { renderAfterPaint, useDeferredStore } from '../ui/afterPaint.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { preloadArt } from '../ui/art/artAddress.ts'
import { Button, ButtonTo } from '../ui/controls/Button.tsx'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { Main, SkipLink } from '../ui/page/Main.tsx'
import { PageHeader } from '../ui/page/Page.tsx'
import { useAccentColor } from '../ui/useAccentColor.ts'
import { VisitorPlayback } from '../visitors/VisitorPlayback.tsx'
import { ANY_MICROGENRE, createTryoutCalls } from './tryoutCalls.ts'

/** The stage for visitors: ten songs of a microgenre, whose ratings stay in the browser (visitors-20). */
export const TryPage = (props: StageProps) => (
  <VisitorPlayback>
    <Tryout {...props} />
    <VideoFrame />
  </VisitorPlayback>
)

interface StageProps {
  microgenre?: string | undefined
  /** Instead of those of a microgenre: all of them are to be rated. */
  songs?: readonly VisitorSong[]
  onRated?: (rated: readonly RatedSong[]) => void
  /** Instead of what was found. */
  renderEnd?: (rated: readonly RatedSong[]) => ReactNode
}

function Tryout({ microgenre = ANY_MICROGENRE, songs, onRated, renderEnd }: StageProps) {
  const { tryout, discovery, undo } = useTryout(microgenre, songs)
  const isComplete = useDeferredStore(discovery, ({ view }) => view === 'complete')
  const rated = useDeferredStore(discovery, (state) => state.rated)
  const latest = useDeferredStore(discovery, latestSong)
  const count = useDeferredStore(discovery, ({ seen }) => Math.min(seen.size, tryout.size))
  const isStored = useDeferredStore(discovery, tryout.isStored)
  const [, navigate] = useLocation()
  useAccentColor(latest?.color ?? null)
  useHotkeys({ u: undo })
  useFocusFallback()
  useEffect(() => onRated?.(rated), [onRated, rated])

  const { other } = tryout
  const otherButton = (word: ReactNode) =>
    other && (
      <Button variant="bare" size="tight" className="gap-1!" onClick={() => navigate(`/try/${other}`)}>
        Another {word}
      </Button>
    )
  const undoButton = <UndoButton discovery={discovery} onUndo={undo} />
  const signUp = (
    <>
      <p className="text-xs/4 text-ink-2">
        {count > 0 && <b className="tabular-nums">{`${count} of ${tryout.size}. `}</b>}
        <span role="status">
          {!isStored
            ? 'This browser does not store your ratings: they are gone when you leave.'
            : wasSignedIn()
              ? 'Your ratings are added to your account when you return to it.'
              : 'Your ratings stay in this browser until you sign up.'}
        </span>
      </p>
      {/* It leads away from a round that is not complete. */}
      {!wasSignedIn() && (isComplete || !songs) && (
        <ButtonTo to="/auth" variant="main" size="tight">
          Sign up
        </ButtonTo>
      )}
    </>
  )
  return (
    <div className="min-h-svh bg-accent-wash">
      <SkipLink />
      <PageHeader>
        <div className="ml-auto flex items-center gap-4 py-1 phone:hidden low:py-0">{signUp}</div>
      </PageHeader>
      <Main>
        <div>
          {isComplete && renderEnd ? (
            renderEnd(rated)
          ) : isComplete ? (
            <Findings discovery={discovery} isEmpty={tryout.size === 0} isStored={isStored}>
              {otherButton('microgenre')}
              {undoButton}
            </Findings>
          ) : (
            <PlayerView active isVisitor discovery={discovery} onTryAgain={null}>
              <PlayerControls
                discovery={discovery}
                microgenre={latest?.microgenre ?? null}
                undoButton={undoButton}
                visitorButton={otherButton(<span className="phone:sr-only">microgenre</span>) ?? false}
              />
              <div className="stage-desk hidden items-center justify-between pr-2 pl-1 [grid-area:desk] phone:flex">
                <VolumeControl />
                <span className="flex">
                  {undoButton}
                  <NotNowButton discovery={discovery} />
                </span>
              </div>
            </PlayerView>
          )}
        </div>
      </Main>
      <div className="fixed inset-x-0 bottom-0 z-(--z-nav) hidden h-(--nav-h) items-center justify-between gap-3 border-t border-line bg-surface pr-2 pb-[env(safe-area-inset-bottom)] pl-4 phone:flex tiny:relative">
        {signUp}
      </div>
      {(!isComplete || !renderEnd) && <Announcement discovery={discovery} />}
      <SongTitle discovery={discovery} />
    </div>
  )
}

/** A discovery whose calls are those of a visitor. */
function useTryout(microgenre: string, songs: readonly VisitorSong[] | undefined) {
  const playback = usePlayback()
  const [tryout] = useState(() => createTryoutCalls(songs))
  const [discovery] = useState(() =>
    createDiscoveryEngine({
      calls: tryout,
      playback,
      onRated: () => {},
      onFailure: () => {},
      preloadArt: (songs) => songs.forEach(({ albumArt }) => void preloadArt(albumArt)),
      ratingContext: () => ({}),
      revealTime: () => 0,
      renderAfterPaint,
    }),
  )
  useLayoutEffect(() => discovery.run(), [discovery])
  useEffect(() => {
    // The press that led here.
    if (navigator.userActivation?.hasBeenActive) playback.enableSound()
    discovery.choose(microgenre)
  }, [discovery, playback, microgenre])
  async function undo() {
    const state = discovery.getState()
    const { lastVerdict, visit } = state
    if (!lastVerdict || !canUndo(state)) return
    discovery.send({ type: 'undo' })
    await tryout.undo(lastVerdict)
    discovery.send({ type: 'undone', visit, song: lastVerdict.song })
  }
  return { tryout, discovery, undo: () => void undo() }
}

interface FindingsProps {
  discovery: DiscoveryEngine
  isEmpty: boolean
  isStored: boolean
  children: ReactNode
}

/** What a visitor found among the songs, or why there are none. */
function Findings({ discovery, isEmpty, isStored, children }: FindingsProps) {
  const rated = useDeferredStore(discovery, (state) => state.rated)
  const hasFailed = useDeferredStore(discovery, (state) => state.hasFetchFailed)
  const bangers = rated.filter(({ rating }) => rating === 'banger')
  const found = `You found ${bangers.length === 1 ? '1 banger' : `${bangers.length || 'no'} bangers`}`
  return (
    <div className="grid max-w-5xl gap-6 px-4 pt-4 pb-[calc(var(--nav-h)+1.5rem)] wide:px-6">
      <h1 className="text-[clamp(2rem,9vw,4.5rem)]! leading-none! font-extrabold [font-stretch:118%]">
        {hasFailed ? 'The songs could not be loaded' : isEmpty ? 'Nothing to hear here yet' : found}
      </h1>
      <div className="flex flex-wrap items-center gap-3">
        {hasFailed && (
          <Button variant="main" size="big" onClick={() => discovery.send({ type: 'restarted' })}>
            Try again
          </Button>
        )}
        {rated.length > 0 && (
          <ButtonTo to="/auth" variant="accent" size="big">
            {isStored ? 'Sign up to keep your ratings' : 'Sign up'}
          </ButtonTo>
        )}
        {children}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3">
        {bangers.map(({ song }) => (
          <li key={song.id} className="grid min-w-0 content-start gap-1">
            <span className="aspect-square">
              <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
            </span>
            <b dir="auto" className="text-left wrap-anywhere">
              {song.title}
            </b>
            <span dir="auto" className="text-left text-xs text-ink-2 wrap-anywhere">
              {song.artist}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
