import { AudioLines, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from '../ui/Spinner.tsx'
import { usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'
import { type Notice, noticeOf } from './shownPlayback.ts'

/**
 * The video's place, the same in every section: bottom right, on a phone below the header. It is above particles and
 * scrims and nothing covers it, as YouTube's terms require (playback-10). Without a video it shows the reason; only
 * after playback was stopped it is gone. Dialogs, toasts and pages leave space for elements with `data-frame`; see
 * ui/style.css.
 */
export function VideoFrame() {
  const engine = usePlaybackEngine()
  const stopped = usePlaybackState(({ phase }) => phase === 'stopped')
  const notice = usePlaybackState(noticeOf)
  return (
    <aside aria-label="Video" data-frame={stopped ? undefined : ''} hidden={stopped} className="video-frame">
      <div className="video-notice">{notice && <NoticeWords notice={notice} />}</div>
      <div
        ref={engine.setSlot}
        className="absolute inset-0 [&_audio]:hidden [&_iframe]:block [&_iframe]:size-full"
      />
    </aside>
  )
}

function NoticeWords({ notice }: { notice: Notice }) {
  switch (notice) {
    case 'next-video':
      return <Waiting>Next video</Waiting>
    case 'next-preview':
      return <Waiting>Next preview</Waiting>
    case 'switching':
      return <Waiting>Switching to Spotify...</Waiting>
    case 'silent':
      return (
        <>
          <VolumeX {...icon} />
          <b className="font-semibold">No audio</b>
          <span className="text-xs">You can still rate it.</span>
        </>
      )
    case 'preview':
      return (
        <>
          <AudioLines {...icon} />
          <b className="font-semibold">Preview</b>
          <span className="text-xs">30 seconds, without a video</span>
        </>
      )
  }
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <>
      <Spinner />
      <b className="font-semibold" role="status">
        {children}
      </b>
    </>
  )
}

const icon = { className: 'size-6 text-ink-3', strokeWidth: 1.75, 'aria-hidden': true } as const
