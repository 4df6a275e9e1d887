import { DeskPage } from '../desk/DeskPage.tsx'
import { PlaybackProvider } from '../playback/PlaybackProvider.tsx'
import { VideoFrame } from '../playback/VideoFrame.tsx'

/** The desk with a playback of its own: what a steward hears there is no listener's song and joins no queue. */
export function StewardPages() {
  return (
    <PlaybackProvider>
      <DeskPage />
      <VideoFrame />
    </PlaybackProvider>
  )
}
