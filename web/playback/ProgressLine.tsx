import { type ReactNode, useCallback, useEffect, useReducer, useState } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { formatTime } from '../ui/formatDate.ts'
import { usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'
import { hasPreviewEnded, isSwitching } from './playbackState.ts'

/** The line at the top of the mini-player. */
export function ProgressHairline() {
  const progress = usePlaybackProgress()
  return (
    <div
      role="progressbar"
      aria-label="Song progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(getFraction(progress) * 100)}
      aria-valuetext={formatProgress(progress)}
      className="h-0.5 overflow-hidden bg-line"
    >
      <div
        className="progress-fill h-full origin-left bg-accent"
        style={{ transform: `scaleX(${getFraction(progress)})` }}
      />
    </div>
  )
}

/** The line with its times; empty unless the song is the current one. Moving its knob seeks (playback-27). */
export function ProgressLine({ song }: { song: Song | null }) {
  const { progress, listenForRelease, moveKnob } = useSeeking(song)
  const switching = usePlaybackState(isSwitching)
  const isOver = usePlaybackState((state) => hasPreviewEnded(state, song?.id))
  const totalDuration = progress.duration || song?.duration
  return (
    <ProgressLayout
      line={
        <>
          <input
            ref={listenForRelease}
            type="range"
            aria-label="Song progress"
            aria-valuetext={formatProgress(progress)}
            min={0}
            max={Math.max(1, progress.duration)}
            step={1}
            value={progress.position}
            disabled={progress.duration === 0}
            onChange={(event) => moveKnob(event.target.valueAsNumber)}
            // Invisible, as the elements after it draw the line. It covers the times below for fingers, not the art
            // above, nor the title below, whatever the size of the text.
            className="peer absolute inset-x-0 -top-1.5 h-[44px] w-full cursor-pointer framed:short:h-[24px] opacity-0 disabled:cursor-default"
          />
          <div className={trackClasses}>
            <div
              className="progress-fill h-full origin-left bg-accent"
              style={{ transform: `scaleX(${getFraction(progress)})` }}
            />
          </div>
          <div
            className="progress-knob pointer-events-none absolute top-1/2 size-[11px] -translate-1/2 rounded-full bg-accent opacity-0 peer-[:enabled:is(:hover,:active,:focus-visible)]:opacity-100 [@media(hover:none)]:peer-enabled:opacity-100"
            style={{ left: `${getFraction(progress) * 100}%` }}
          />
        </>
      }
    >
      {isOver ? (
        <span role="status">{PREVIEW_OVER_TEXT}</span>
      ) : (
        <>
          <span>{formatTime(progress.position)}</span>
          {switching && <span role="status">Switching to Spotify...</span>}
          <span>{totalDuration ? formatTime(totalDuration) : '–'}</span>
        </>
      )}
    </ProgressLayout>
  )
}

/** The line before anything is known, in the frame that the server sends. */
export const ProgressPlaceholder = () => (
  <ProgressLayout line={<div className={trackClasses} />}>
    <span>{formatTime(0)}</span>
  </ProgressLayout>
)

const trackClasses =
  'progress-track pointer-events-none absolute inset-0 overflow-hidden bg-ink/14 peer-enabled:peer-active:-inset-y-px'

/** The line above its times. */
function ProgressLayout({ line, children }: { line: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <div className="relative h-[3px] rounded-[1px] has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-focus">
        {line}
      </div>
      <div className="progress-times flex justify-between gap-2 text-2xs text-ink-2 tabular-nums">
        {children}
      </div>
    </div>
  )
}

/** The song's progress, or the knob's position until the player has reached it. */
function useSeeking(song: Song | null) {
  const engine = usePlaybackEngine()
  const playerProgress = usePlaybackProgress(song?.id ?? null)
  const [seek, setSeek] = useState<Seek | null>(null)
  // Another position means that the player has moved.
  const isOver = seek?.from != null && (seek.from !== playerProgress.position || seek.songId !== song?.id)
  if (isOver) setSeek(null)

  // React's onChange runs on every `input` event. The `change` event comes once, when the knob is released.
  const listenForRelease = useCallback(
    (slider: HTMLInputElement) => {
      const onRelease = () => {
        engine.seek(slider.valueAsNumber)
        setSeek((current) => current && { ...current, from: engine.position() })
      }
      slider.addEventListener('change', onRelease)
      return () => slider.removeEventListener('change', onRelease)
    },
    [engine],
  )

  return {
    listenForRelease,
    progress: seek && !isOver ? { ...playerProgress, position: seek.to } : playerProgress,
    moveKnob: (to: number) => setSeek({ songId: song?.id, to, from: null }),
  }
}

interface Seek {
  songId: string | undefined
  /** Seconds; `from` is the player's position when the knob was released, null while it is dragged. */
  to: number
  from: number | null
}

const PREVIEW_OVER_TEXT = 'That was a 30-second preview'

const getFraction = ({ position, duration }: Progress) =>
  duration > 0 ? Math.min(1, position / duration) : 0

const formatProgress = ({ position, duration }: Progress) =>
  `${formatTime(position)} of ${formatTime(duration)}`

interface Progress {
  /** Seconds; a duration of 0 means unknown. */
  position: number
  duration: number
}

const TICK_INTERVAL = 250

/**
 * The current song's progress; with `onlySongId`, none for any other song. Each rendering reads the position, so a
 * change of song or phase renders once.
 */
function usePlaybackProgress(onlySongId?: string | null): Progress {
  const engine = usePlaybackEngine()
  const songId = usePlaybackState(({ song }) =>
    onlySongId === undefined || song?.id === onlySongId ? song?.id : undefined,
  )
  const isPlaying = usePlaybackState(({ phase }) => phase === 'playing')
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)

  useEffect(() => {
    if (songId === undefined || !isPlaying) return
    const timer = setInterval(render, TICK_INTERVAL)
    return () => clearInterval(timer)
  }, [songId, isPlaying])

  return songId === undefined ? NO_PROGRESS : { position: engine.position(), duration: engine.duration() }
}

const NO_PROGRESS: Progress = { position: 0, duration: 0 }
