import type { Song } from '../../contract/shapes.ts'
import { formatTime } from './formatTime.ts'
import { usePlaybackState } from './PlaybackProvider.tsx'
import { isSwitching } from './shownPlayback.ts'
import { usePlaybackProgress } from './usePlaybackProgress.ts'

/** The line along the top of the mini-player, without times. */
export function ProgressHairline() {
  return <Track progress={usePlaybackProgress()} className="h-0.5 bg-line" />
}

/** The line with its times; at the start for a song that is not the current one. */
export function ProgressLine({ song }: { song: Song | null }) {
  const progress = usePlaybackProgress(song?.id ?? null)
  const switching = usePlaybackState(isSwitching)
  const whole = progress.duration || song?.duration
  return (
    <div className="grid gap-1">
      <Track progress={progress} className="h-[3px] bg-ink/14" />
      <div className="progress-times">
        <span>{formatTime(progress.position)}</span>
        {switching && <span role="status">Switching to Spotify...</span>}
        <span>{whole ? formatTime(whole) : '–'}</span>
      </div>
    </div>
  )
}

function Track({
  progress: { position, duration },
  className,
}: {
  progress: { position: number; duration: number }
  className: string
}) {
  const share = duration > 0 ? Math.min(1, position / duration) : 0
  return (
    <div
      role="progressbar"
      aria-label="Song progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={`${formatTime(position)} of ${formatTime(duration)}`}
      className={`overflow-hidden ${className}`}
    >
      <div className="h-full origin-left bg-accent" style={{ transform: `scaleX(${share})` }} />
    </div>
  )
}
