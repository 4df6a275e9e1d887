import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { PlaybackProvider, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { usePreloadProfile } from '../profiles/usePreloadProfile.ts'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { useDialog } from '../ui/place.ts'
import { HomeScreen } from './HomeScreen.tsx'
import { MapPage } from './mapPage.ts'
import { ProfilePage } from './profilePage.ts'
import { Queries } from './Queries.tsx'
import { QueueTurn } from './QueueTurn.tsx'
import { useReloadForNewBuild } from './useReloadForNewBuild.ts'

const ElsewhereDialog = lazyDialog(
  async () => (await import('../playback/ElsewhereDialog.tsx')).ElsewhereDialog,
)

/** The pages with music: main screen, profile and map. Playback continues from one to the other (playback-9). */
export function ListenerPages() {
  return (
    <Queries>
      <PlaybackProvider>
        <Pages />
      </PlaybackProvider>
    </Queries>
  )
}

function Pages() {
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
      {visited && <HomeScreen shown={home} />}
      {!home && <Suspense>{isMap ? <MapPage /> : <ProfilePage />}</Suspense>}
      {(home || hasSong) && <VideoFrame />}
      <ElsewhereDialog {...useDialog('elsewhere')} />
      <QueueTurn home={home} />
    </>
  )
}
