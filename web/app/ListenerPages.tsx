import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { bringsVideo } from '../discovery/discoveryCalls.ts'
import { PlaybackProvider, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { seedBangersCache } from '../profiles/ratedSongs.ts'
import { usePreloadProfile } from '../profiles/usePreloadProfile.ts'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { readPlace, useDialog } from '../ui/place.ts'
import { HomeScreen } from './HomeScreen.tsx'
import { MapPage } from './mapPage.ts'
import { ProfilePage } from './profilePage.ts'
import { Queries } from './Queries.tsx'
import { QueueTurn } from './QueueTurn.tsx'

const ElsewhereDialog = lazyDialog(
  async () => (await import('../playback/ElsewhereDialog.tsx')).ElsewhereDialog,
)

/** The pages with music: main screen, profile and map. Playback continues from one to the other (playback-9). */
export function ListenerPages() {
  return (
    <Queries begin={seedBangersCache}>
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
  const [expectsVideo] = useState(
    () => home && readPlace(location.search).section === 'discover' && bringsVideo(),
  )
  if (home && !visited) setVisited(true)
  const isMap = path.startsWith('/microgenres')
  usePreloadProfile(!home && !isMap)
  return (
    <>
      {/* Once opened, the main screen stays mounted behind the others, with its microgenre and queue. */}
      {visited && <HomeScreen shown={home} />}
      {!home && <Suspense>{isMap ? <MapPage /> : <ProfilePage />}</Suspense>}
      {(home || hasSong) && <VideoFrame expected={expectsVideo} />}
      <ElsewhereDialog {...useDialog('elsewhere')} />
      <QueueTurn home={home} />
    </>
  )
}
