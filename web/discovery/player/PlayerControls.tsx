import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ElsewhereButton } from '../../playback/ElsewhereButton.tsx'
import { VolumeControl } from '../../playback/PlaybackButtons.tsx'
import { usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { getSongPhase, getSoundPrompt } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { ChevronDown, Keyboard, MessageSquare, Undo2 } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/keyboard/Kbd.tsx'
import * as media from '../../ui/media.ts'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { canUndo, shownSong } from '../engine/discoveryState.ts'
import { isDayOver, todayQuery } from '../engine/todayQuery.ts'

interface PlayerControlsProps {
  discovery: DiscoveryEngine
  /** The microgenre's name; null until loaded. */
  microgenre: string | null
  onPick?: () => void
  onFeedback?: () => void
  onShortcuts?: () => void
  undoButton: ReactNode
  /** Instead of what only listeners have. */
  visitorButton?: ReactNode
}

/** The row below the stage, or above it if the screen is upright. */
export function PlayerControls({
  discovery,
  microgenre,
  onPick,
  onFeedback,
  onShortcuts,
  undoButton,
  visitorButton,
}: PlayerControlsProps) {
  const song = useDeferredStore(discovery, shownSong)
  return (
    <div className="stage-side @container/desk flex min-w-0 items-center justify-between gap-4 [grid-area:desk] standing:gap-2 standing:pr-2 standing:pl-4 standing:[grid-area:top] low:gap-1 low:px-3">
      <button
        type="button"
        disabled={!onPick}
        onClick={onPick}
        // As high as its row: a focus ring outside would be cut off.
        className="-ml-1.5 grid min-h-(--size-touch) max-w-full min-w-40 shrink-99 standing:min-w-0 low:min-w-0 grid-cols-[minmax(0,auto)_1.25rem] items-center justify-start gap-x-1.5 rounded-control pl-1.5 text-left -outline-offset-2"
      >
        <span className="col-span-full text-xs/4 text-ink-2">Currently listening to </span>
        <b
          dir="auto"
          className="line-clamp-2 min-h-fit text-left font-display text-base/5 font-bold tracking-[-0.01em] text-accent font-stretch-94% max-[23.75rem]:font-stretch-76% max-[21.875rem]:font-stretch-66%"
        >
          {microgenre ?? (
            <>
              … <span className="sr-only">Choose a microgenre</span>
            </>
          )}
        </b>
        {onPick && <ChevronDown className="size-5 text-accent" />}
      </button>
      <div className="stage-hints hidden items-center gap-x-3 text-xs whitespace-nowrap text-ink-2 landscape:[@media(height>=30rem)]:@min-[60rem]/desk:flex">
        <span className={hintStyle}>
          <Kbd>←</Kbd>Bust
        </span>
        <span className={hintStyle}>
          <Kbd>→</Kbd>Banger
        </span>
        <span className={`${hintStyle} ${PLAY_HINT}`}>
          <Kbd>Space</Kbd>play/pause
        </span>
        <span className={`hidden leading-4 whitespace-normal max-[96rem]:w-20 keys:large:block ${PLAY_HINT}`}>
          Click art to play/pause
        </span>
        <span className="max-w-64 leading-4 whitespace-normal keys:hidden">{TOUCH_HINT}</span>
      </div>
      <div className="flex flex-none items-center gap-1 [--reveal-line:7.25rem] beside:ml-(--reveal-line)">
        <span className="flex phone:hidden">
          {undoButton}
          <NotNowButton discovery={discovery} />
        </span>
        {visitorButton ?? (
          <>
            <span className="hidden standing:block low:block [@media(height<44rem)]:block">
              <ElsewhereButton song={song} />
            </span>
            <Button variant="bare" onClick={onFeedback} className="max-wide:px-3">
              <MessageSquare className="size-5 max-[90rem]:hidden" />
              Thoughts?
            </Button>
            <span className="hidden keys:wide:block">
              <IconButton label="Keyboard shortcuts" onClick={onShortcuts}>
                <Keyboard />
              </IconButton>
            </span>
          </>
        )}
        <span className="phone:hidden">
          <VolumeControl />
        </span>
      </div>
    </div>
  )
}

const hintStyle = 'hidden items-center gap-2 whitespace-nowrap keys:inline-flex'

/** Not for a song that cannot be heard. */
const PLAY_HINT = 'group-has-[[data-silent]]/stage:invisible'

/** Defers the song. It is the main button when the song cannot be heard (discover-42). */
export function NotNowButton({ discovery }: { discovery: DiscoveryEngine }) {
  const id = useDeferredStore(discovery, (state) => shownSong(state)?.id)
  const isSilent = usePlaybackState(
    (state) =>
      getSongPhase(state, id) === 'silent' || (state.song?.id === id && getSoundPrompt(state) !== null),
  )
  return (
    <Button
      variant={isSilent ? 'main' : 'bare'}
      size="tight"
      className={`phone:px-2 ${isSilent ? '' : lowFrame}`}
      aria-keyshortcuts="ArrowDown S"
      onClick={discovery.deferSong}
    >
      Not now
    </Button>
  )
}

/** Lower than the button, which fills the row of a phone. */
const lowFrame =
  'relative before:absolute before:inset-0 before:rounded-control before:border before:border-line-strong phone:before:inset-y-1 low:before:inset-y-1'

export const TOUCH_HINT = (
  <>
    Swipe the art right for banger, left for bust. <span className={PLAY_HINT}>Tap it to play or pause.</span>
  </>
)

/** Undoes the last rating, for ten seconds. It keeps its space when it disappears. */
export function UndoButton({ discovery, onUndo }: { discovery: DiscoveryEngine; onUndo: () => void }) {
  const isAvailable = useDeferredStore(discovery, canUndo)
  return (
    <span className="undo relative flex-none">
      <RevealLine discovery={discovery} />
      <Button
        variant="bare"
        size="tight"
        aria-label="Undo"
        aria-keyshortcuts="U"
        className={`min-w-(--size-touch) phone:px-2 ${isAvailable ? '' : 'invisible'}`}
        onClick={onUndo}
      >
        <Undo2 />
        <span className="max-[26rem]:hidden low:hidden">Undo</span>
        <span aria-hidden="true" className="max-[90rem]:hidden">
          <Kbd isHint>U</Kbd>
        </span>
      </Button>
    </span>
  )
}

/**
 * The reveal's sentence beside Undo, for a while after the next song has come (discover-41). Before the first rating,
 * small phones have a hint there (discover-29).
 */
function RevealLine({ discovery }: { discovery: DiscoveryEngine }) {
  const sentence = useDeferredStore(discovery, (state) => state.sentence)
  const isNew = useDeferredStore(discovery, (state) => state.attempt === 0)
  if (sentence) return <span className="reveal-line pointer-events-none text-ink-2">{sentence}</span>
  return (
    isNew && (
      <span className="reveal-line first-hint pointer-events-none text-ink-2 keys:hidden!">
        Swipe the art to rate
      </span>
    )
  )
}

/** The row below the stage of a phone: the mute button, today's ratings (discover-16, discover-17), and `children`. */
export function PhoneControls({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(media.phone)
  const { data, isError, refetch } = useQuery({ ...todayQuery(), enabled: isPhone })
  const dayEnd = data?.ends
  // The page may stay open past midnight.
  useEffect(() => {
    if (!dayEnd || !isPhone) return
    const timer = setInterval(() => {
      if (!isDayOver(dayEnd)) return
      clearInterval(timer)
      void refetch()
    }, 1000)
    return () => clearInterval(timer)
  }, [dayEnd, isPhone, refetch])
  if (!isPhone) return null
  return (
    <div className="stage-desk flex items-center justify-between gap-1 pr-2 pl-1 text-xs text-ink-2 [grid-area:desk]">
      <VolumeControl />
      {isError && !data ? (
        <button type="button" onClick={() => void refetch()} className="min-h-(--size-touch) underline">
          Did not load. Try again
        </button>
      ) : (
        <p
          className={`flex min-w-0 gap-x-1.5 leading-4 whitespace-nowrap max-[26rem]:text-2xs ${data ? '' : 'invisible'}`}
        >
          <span>
            Bangers <b className="font-semibold text-hot tabular-nums">{data?.dailyBangers ?? 0}</b>
          </span>
          <span>
            Rated <b className="font-semibold text-ink tabular-nums">{data?.dailyRatings ?? 0}</b>
          </span>
          <span className="max-[22.4375rem]:sr-only">today</span>
        </p>
      )}
      {children}
    </div>
  )
}
