import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { reloadForNewBuild } from '../api/newBuild.ts'
import { QueryProvider } from '../api/QueryProvider.tsx'
import { visitorRatings } from '../auth/visitorRatings.ts'
import {
  PlaybackProvider,
  usePlayback,
  usePlaybackEngine,
  usePlaybackState,
} from '../playback/PlaybackProvider.tsx'
import { shouldPlay } from '../playback/playbackState.ts'
import { isQueueStored } from '../playback/queueState.ts'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { usePrefetchProfile } from '../profiles/ratedSongs.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { PlayerBar } from '../ui/page/Main.tsx'
import { goTo, useDialog, useScreenParams } from '../ui/screenParams.ts'
import { HomeScreen } from './HomeScreen.tsx'
import { ImportsPage, MapPage, MiniPlayer, ProfilePage } from './lazyPages.ts'

const ElsewhereDialog = lazyDialog(
  async () => (await import('../playback/ElsewhereDialog.tsx')).ElsewhereDialog,
)

const FeedbackDialog = lazyDialog(async () => (await import('../feedback/FeedbackDialog.tsx')).FeedbackDialog)

/** The pages with music: main screen, profile and map. Playback continues from one to the other (playback-9). */
export function ListenerPages() {
  return (
    <QueryProvider>
      <PlaybackProvider>
        <ListenerRoutes />
      </PlaybackProvider>
    </QueryProvider>
  )
}

const showDiscover = () => goTo({ section: 'discover' })

function ListenerRoutes() {
  const [path] = useLocation()
  const hasSong = usePlaybackState(({ song }) => song !== null)
  const isHome = path === '/'
  const [wasHomeVisited, setWasHomeVisited] = useState(isHome)
  if (isHome && !wasHomeVisited) setWasHomeVisited(true)
  const isMap = path.startsWith('/microgenres')
  const isImports = path.startsWith('/imports')
  usePrefetchProfile(!isHome && !isMap && !isImports)
  useReloadForNewBuild()
  const queryClient = useQueryClient()
  useEffect(() => {
    // visitors-23
    if (visitorRatings.read() === null) return
    const storedRatings = import('../tryout/storedRatings.ts')
    storedRatings.then(({ takeOverRatings }) => takeOverRatings(queryClient)).catch(() => {})
  }, [queryClient])
  return (
    <>
      {/* Once opened, the main screen stays mounted behind the others, with its microgenre and queue. */}
      {wasHomeVisited && <HomeScreen isShown={isHome} />}
      {!isHome && (
        <>
          <Suspense>{isMap ? <MapPage /> : isImports ? <ImportsPage /> : <ProfilePage />}</Suspense>
          <PlayerBar>
            <Suspense>
              <MiniPlayer active onDiscover={showDiscover} />
            </Suspense>
          </PlayerBar>
        </>
      )}
      {(isHome || hasSong) && <VideoFrame />}
      <ElsewhereDialog {...useDialog('elsewhere')} />
      <FeedbackDialog {...useDialog('feedback')} />
      <PauseQueueOnDiscover isHome={isHome} />
    </>
  )
}

/** Reloads a page that is older than its server when the listener goes to another place, and nothing plays or is queued. */
function useReloadForNewBuild(): void {
  const engine = usePlaybackEngine()
  const { queue } = usePlayback()
  const currentUrl = `${useLocation()[0]}?${useSearch()}`
  const previousUrl = useRef(currentUrl)
  useEffect(() => {
    if (previousUrl.current === currentUrl) return
    previousUrl.current = currentUrl
    if (!shouldPlay(engine.getState()) && queue.getState().songs.length === 0) reloadForNewBuild()
  }, [currentUrl, engine, queue])
}

/**
 * On Discover a queue waits, elsewhere it goes on, also after a reload (playback-42, playback-44). Rendered after the
 * sections, so that Discover's own song has taken over when the queue gives way.
 */
function PauseQueueOnDiscover({ isHome }: { isHome: boolean }) {
  const { queue, setFolded } = usePlayback()
  const queryClient = useQueryClient()
  const isDiscover = useScreenParams().section === 'discover' && isHome
  useLayoutEffect(() => {
    if (!isDiscover) return
    queue.enterDiscover()
    // There, the video is on the stage.
    setFolded(false)
  }, [queue, setFolded, isDiscover])
  useEffect(() => {
    if (isDiscover) return queue.pauseOnDiscover()
    queue.leaveDiscover()
    if (!isQueueStored() || !queue.startRestore()) return
    import('./restoreQueue.ts')
      .then(({ restoreQueue }) => restoreQueue(queue, queryClient))
      .catch(() => {})
      .finally(queue.endRestore)
  }, [queue, queryClient, isDiscover])
  return null
}
