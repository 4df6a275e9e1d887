import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import {
  canHearElsewhere,
  ElsewhereButton,
  openElsewhereDialog,
  WHOLE_SONG_LABEL,
} from '../../playback/ElsewhereButton.tsx'
import { SoundPrompt, VolumeControl } from '../../playback/PlaybackButtons.tsx'
import { usePlayback, usePlaybackEngine, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { getSongPhase, getSoundPrompt, hasPreviewEnded, isSounding } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { ChevronDown, ExternalLink, Keyboard, MessageSquare } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/keyboard/Kbd.tsx'
import { useHotkeys } from '../../ui/keyboard/useHotkeys.ts'
import * as media from '../../ui/media.ts'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { isLoading, shownSong, shownVerdict } from '../engine/discoveryState.ts'
import { isDayOver, todayQuery } from '../engine/todayQuery.ts'
import { useDiscoverPlayback } from '../engine/useDiscoverPlayback.ts'
import { ArtButton, ArtPlaceholder } from './ArtButton.tsx'
import { playAmbientClip } from './ambientClip.ts'
import { Pad, PadPlaceholder } from './Pad.tsx'
import { Particles } from './Particles.tsx'
import { Reveal } from './Reveal.tsx'
import { SongInfo, SongInfoPlaceholder } from './SongInfo.tsx'

interface PlayerViewProps {
  active: boolean
  discovery: DiscoveryEngine
  /** The microgenre's name; null until loaded. */
  microgenre: string | null
  /** Set when the microgenres did not load, so nothing is pending. */
  onTryAgain: (() => void) | null
  onPick: () => void
  onFeedback: () => void
  onShortcuts: () => void
  undoButton: ReactNode
}

export function PlayerView(props: PlayerViewProps) {
  const { active, discovery, onTryAgain, undoButton } = props
  const { select, load } = useDiscoverPlayback()
  const playback = usePlaybackEngine()
  const togglePlayback = () => {
    const state = discovery.getState()
    const song = shownSong(state)
    if (song && !state.pending) select(song)
  }
  useHotkeys({ ' ': togglePlayback }, { enabled: active })

  // What one hears is what one rates (playback-24).
  useEffect(() => {
    const { song: current, phase } = playback.getState()
    const song = shownSong(discovery.getState())
    if (active && song && current && current.id !== song.id && isSounding(phase)) load(song)
  }, [active, discovery, playback, load])

  return (
    <Stage
      bust={<Pad rating="bust" discovery={discovery} />}
      banger={<Pad rating="banger" discovery={discovery} />}
      record={
        <>
          <ArtButton discovery={discovery} hasFailed={onTryAgain !== null} onToggle={togglePlayback} />
          <Reveal discovery={discovery} />
          <div className="stage-prompt">
            <SoundPrompt />
          </div>
          <PreviewEnd discovery={discovery} />
        </>
      }
      info={<SongInfo discovery={discovery} onTryAgain={onTryAgain} />}
    >
      <PlayerControls {...props} />
      <PhoneControls>
        {undoButton}
        <NotNowButton discovery={discovery} />
      </PhoneControls>
      <Particles discovery={discovery} />
      {active && !onTryAgain && <AmbientClip discovery={discovery} />}
    </Stage>
  )
}

interface StageProps {
  bust: ReactNode
  banger: ReactNode
  record: ReactNode
  info: ReactNode
  children?: ReactNode
}

/** The two pads, and the record with its song between them. */
function Stage({ bust, banger, record, info, children }: StageProps) {
  return (
    <div data-stage="" className="stage">
      <div className="stage-bust">{bust}</div>
      <div className="stage-column">
        <div className="stage-record">{record}</div>
        {info}
        <p className="stage-touch-hint">{touchHint}</p>
      </div>
      <div className="stage-banger">{banger}</div>
      {children}
    </div>
  )
}

/** The stage in the frame that the server sends, so that nothing moves when React replaces it (screens-23). */
export const StagePlaceholder = () => (
  <Stage
    bust={<PadPlaceholder rating="bust" />}
    banger={<PadPlaceholder rating="banger" />}
    record={<ArtPlaceholder />}
    info={<SongInfoPlaceholder />}
  />
)

/** The desk; standing, the row above the stage. */
function PlayerControls({
  discovery,
  microgenre,
  onPick,
  onFeedback,
  onShortcuts,
  undoButton,
}: PlayerViewProps) {
  const song = useDeferredStore(discovery, shownSong)
  return (
    <div className="stage-side">
      <button
        type="button"
        onClick={onPick}
        aria-label={microgenre ? `Currently listening to ${microgenre}` : 'Choose a microgenre'}
        className="stage-genre"
      >
        <span className="col-span-full text-xs/4 text-ink-2">Currently listening to </span>
        <b dir="auto" className="stage-genre-name text-left">
          {microgenre ?? '…'}
        </b>
        <ChevronDown className="size-5 text-accent" />
      </button>
      <div className="stage-hints">
        <span className={hintStyle}>
          <Kbd>←</Kbd>Bust
        </span>
        <span className={hintStyle}>
          <Kbd>→</Kbd>Banger
        </span>
        <span className={hintStyle}>
          <Kbd>Space</Kbd>play/pause
        </span>
        <span className="hidden leading-4 whitespace-normal max-[96rem]:w-20 keys:desk:block">
          Click art to play/pause
        </span>
        <span className="keys:hidden">{touchHint}</span>
      </div>
      <div className="stage-actions">
        <span className="flex phone:hidden">
          {undoButton}
          <NotNowButton discovery={discovery} />
        </span>
        <span className="hidden standing:block low:block [@media(height<44rem)]:block">
          <ElsewhereButton song={song} />
        </span>
        <Button onClick={onFeedback} className="max-wide:px-3">
          <MessageSquare className="size-5 max-[90rem]:hidden" />
          Thoughts?
        </Button>
        <span className="hidden keys:wide:block">
          <IconButton label="Keyboard shortcuts" onClick={onShortcuts}>
            <Keyboard />
          </IconButton>
        </span>
        <span className="phone:hidden">
          <VolumeControl />
        </span>
      </div>
    </div>
  )
}

const touchHint = 'Swipe the art right for banger, left for bust. Tap it to play or pause.'

const hintStyle = 'hidden items-center gap-2 whitespace-nowrap keys:inline-flex'

/** Puts the song off: a quiet word in the desk, and the main action where nothing sounds (discover-42). */
function NotNowButton({ discovery }: { discovery: DiscoveryEngine }) {
  const id = useDeferredStore(discovery, (state) => shownSong(state)?.id)
  const isSilent = usePlaybackState(
    (state) =>
      getSongPhase(state, id) === 'silent' || (state.song?.id === id && getSoundPrompt(state) !== null),
  )
  return (
    <Button
      variant={isSilent ? 'main' : 'bare'}
      size="tight"
      className="phone:px-2"
      aria-keyshortcuts="ArrowDown S"
      onClick={discovery.deferSong}
    >
      Not now
    </Button>
  )
}

/** At the end of a preview: where the whole song is (playback-61). It leaves with the verdict. */
function PreviewEnd({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useDeferredStore(discovery, shownSong)
  const isRated = useDeferredStore(discovery, (state) => shownVerdict(state) !== null)
  const isOver = usePlaybackState((state) => hasPreviewEnded(state, song?.id))
  if (!song || !isOver || isRated || !canHearElsewhere) return null
  return (
    <Button
      variant="main"
      size="tight"
      className="absolute right-2 bottom-2 z-3 phone:max-w-26 phone:px-2 phone:text-xs/4 phone:whitespace-normal"
      onClick={() => openElsewhereDialog(song)}
    >
      <ExternalLink className="size-5 flex-none phone:hidden" />
      {WHOLE_SONG_LABEL}
    </Button>
  )
}

/**
 * The desk of a phone: the mute button, today's ratings by the listener's time zone (discover-16, discover-17), and
 * `children`.
 */
function PhoneControls({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(media.phone)
  const { data, isError, refetch } = useQuery({ ...todayQuery(), enabled: isPhone })
  const dayEnd = data?.ends
  // A page may be open at midnight.
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
    <div className="stage-desk">
      <VolumeControl />
      {isError && !data ? (
        <button type="button" onClick={() => void refetch()} className="min-h-(--size-touch) underline">
          Did not load. Try again
        </button>
      ) : (
        // In two lines when it is long, so that what follows keeps its place. The last word alone makes none.
        <p
          className={`flex min-w-0 flex-wrap gap-x-2 overflow-y-clip leading-4 whitespace-nowrap ${data ? '' : 'invisible'}`}
        >
          <span>
            Bangers <b className="font-semibold text-hot tabular-nums">{data?.dailyBangers ?? 0}</b>
          </span>
          <span>
            Rated <b className="font-semibold text-ink tabular-nums">{data?.dailyRatings ?? 0}</b>
          </span>
          <span className="h-0 max-[23.75rem]:sr-only">today</span>
        </p>
      )}
      {children}
    </div>
  )
}

/** Milliseconds, because the next song usually loads sooner. */
const AMBIENT_DELAY = 700

/**
 * Plays an ambient clip while a song loads: at once for the first song of a microgenre, later for a slow one
 * (playback-8). Renders nothing.
 */
function AmbientClip({ discovery }: { discovery: DiscoveryEngine }) {
  const isSilent = useDeferredStore(usePlayback().isSuspended, (state) => state)
  const muted = usePlaybackState((state) => state.muted) || isSilent
  const awaitedSong = useDeferredStore(discovery, (state) => {
    if (!isLoading(state)) return null
    return state.view === 'choosing' || state.fetching === 'first' ? 'first' : 'next'
  })
  useEffect(() => {
    if (!awaitedSong || muted) return
    let stop: (() => void) | undefined
    const start = () => {
      stop = playAmbientClip()
    }
    if (awaitedSong === 'first') start()
    const timer = awaitedSong === 'next' ? setTimeout(start, AMBIENT_DELAY) : undefined
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [awaitedSong, muted])
  return null
}
