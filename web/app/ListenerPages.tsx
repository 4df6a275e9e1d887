import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { reloadForNewBuild } from '../api/newBuild.ts'
import { isQueueKept } from '../playback/keptQueue.ts'
import {
  PlaybackProvider,
  usePlayback,
  usePlaybackEngine,
  usePlaybackState,
} from '../playback/PlaybackProvider.tsx'
import { isWanted } from '../playback/playbackMachine.ts'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { usePreloadProfile } from '../profiles/usePreloadProfile.ts'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { useDialog, usePlace } from '../ui/place.ts'
import { HomeScreen } from './HomeScreen.tsx'
import { MapPage } from './mapPage.ts'
import { ProfilePage } from './profilePage.ts'
import { QueryProvider } from './Queries.tsx'

const ElsewhereDialog = lazyDialog(
  async () => (await import('../playback/ElsewhereDialog.tsx')).ElsewhereDialog,
)

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

function ListenerRoutes() {
  const [path] = useLocation()
  const hasSong = usePlaybackState(({ song }) => song !== null)
  const home = path === '/'
  const [visited, setVisited] = useState(home)
  if (home && !visited) setVisited(true)
  const isMap = path.startsWith('/microgenres')
  usePreloadProfile(!home && !isMap)
  useReloadForNewBuild()
  return (
    <>
      {/* Once opened, the main screen stays mounted behind the others, with its microgenre and queue. */}
      {visited && <HomeScreen isShown={home} />}
      {!home && <Suspense>{isMap ? <MapPage /> : <ProfilePage />}</Suspense>}
      {(home || hasSong) && <VideoFrame />}
      <ElsewhereDialog {...useDialog('elsewhere')} />
      <PauseQueueOnDiscover isHome={home} />
    </>
  )
}

/** Reloads a page that is older than its server when the listener goes to another place, and nothing plays or is queued. */
function useReloadForNewBuild(): void {
  const engine = usePlaybackEngine()
  const { queue } = usePlayback()
  const place = `${useLocation()[0]}?${useSearch()}`
  const shown = useRef(place)
  useEffect(() => {
    if (shown.current === place) return
    shown.current = place
    if (!isWanted(engine.state()) && queue.state().songs.length === 0) reloadForNewBuild()
  }, [place, engine, queue])
}

/**
 * On Discover a queue waits, elsewhere it goes on, also after a reload (playback-42, playback-44). Rendered after the
 * sections, so that Discover's own song has taken over when the queue gives way.
 */
function PauseQueueOnDiscover({ isHome: home }: { isHome: boolean }) {
  const { queue } = usePlayback()
  const queryClient = useQueryClient()
  const discovering = usePlace().section === 'discover' && home
  useLayoutEffect(() => {
    if (discovering) queue.enterDiscover()
  }, [queue, discovering])
  useEffect(() => {
    if (discovering) return queue.pauseOnDiscover()
    queue.leaveDiscover()
    if (!isQueueKept() || !queue.startRestore()) return
    import('./restoreQueue.ts')
      .then(({ restoreQueue }) => restoreQueue(queue, queryClient))
      .catch(() => {})
      .finally(queue.endRestore)
  }, [queue, queryClient, discovering])
  return null
}
