import { type ReactNode, Suspense, useEffect } from 'react'
import type { Rating } from '../../../contract/shapes.ts'
import { isCovered } from '../../playback/coverSong.ts'
import { canHearElsewhere, openElsewhereDialog, WHOLE_SONG_LABEL } from '../../playback/ElsewhereButton.tsx'
import { SoundPrompt } from '../../playback/PlaybackButtons.tsx'
import { usePlaybackEngine, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { hasPreviewEnded, shouldPlay } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { ExternalLink } from '../../ui/icons.tsx'
import { useHotkeys } from '../../ui/keyboard/useHotkeys.ts'
import * as media from '../../ui/media.ts'
import { lazyComponent } from '../../ui/page/lazyComponent.tsx'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import {
  leanSong,
  revealedRating,
  revealNumber,
  revealSentence,
  shownSong,
  shownVerdict,
} from '../engine/discoveryState.ts'
import { useDiscoverPlayback } from '../engine/useDiscoverPlayback.ts'
import { AmbientClip } from './AmbientClip.tsx'
import { ArtButton, ArtPlaceholder } from './ArtButton.tsx'
import { Pad, PadPlaceholder } from './Pad.tsx'
import { Particles } from './Particles.tsx'
import { TOUCH_HINT } from './PlayerControls.tsx'
import { SongInfo, SongInfoPlaceholder } from './SongInfo.tsx'

const MoreLikeThis = lazyComponent(
  async () => (await import('./MoreLikeThis.tsx')).MoreLikeThis,
  () => null,
)

interface PlayerViewProps {
  active: boolean
  discovery: DiscoveryEngine
  /** Set when the microgenres did not load, so nothing is pending. */
  onTryAgain: (() => void) | null
  /** For a visitor, who has no reasons for a song and reports nothing. */
  isVisitor?: boolean
  /** The rows around the stage. */
  children: ReactNode
}

export function PlayerView({ active, discovery, onTryAgain, isVisitor, children }: PlayerViewProps) {
  const { select, load } = useDiscoverPlayback()
  const playback = usePlaybackEngine()
  const togglePlayback = () => {
    const state = discovery.getState()
    const song = shownSong(state)
    if (song && !state.pending) select(song)
  }
  // ArrowDown scrolls tiny screens.
  const isTiny = useMediaQuery(media.tiny)
  useHotkeys(
    {
      ArrowLeft: () => discovery.rate('bust'),
      ArrowRight: () => discovery.rate('banger'),
      ...(isTiny ? {} : { ArrowDown: discovery.deferSong }),
      s: discovery.deferSong,
      ' ': togglePlayback,
    },
    { enabled: active },
  )

  // The listener hears the song that they rate (playback-24).
  useEffect(() => {
    const state = playback.getState()
    const song = shownSong(discovery.getState())
    if (active && song && state.song?.id !== song.id && shouldPlay(state)) load(song)
  }, [active, discovery, playback, load])

  return (
    <Stage
      bust={<Pad rating="bust" discovery={discovery} />}
      banger={<Pad rating="banger" discovery={discovery} />}
      record={
        <>
          <ArtButton discovery={discovery} hasFailed={onTryAgain !== null} onToggle={togglePlayback} />
          <Reveal discovery={discovery} />
          <div className="absolute right-2 bottom-2 z-3 standing:inset-x-0 standing:top-1/2 standing:bottom-auto standing:grid standing:-translate-y-1/2 standing:justify-center">
            <SoundPrompt />
          </div>
          {!isVisitor && <PreviewEnd discovery={discovery} />}
          <LeanButton discovery={discovery} />
        </>
      }
      info={<SongInfo discovery={discovery} onTryAgain={onTryAgain} isVisitor={isVisitor} />}
    >
      {children}
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

/** The two pads, and between them the art and its song. */
function Stage({ bust, banger, record, info, children }: StageProps) {
  return (
    <div data-stage="" className="group/stage stage relative grid overflow-x-clip">
      {/* Above the art, which leaves under the pad that was pressed. */}
      <div className="stage-bust relative z-3 [grid-area:bust]">{bust}</div>
      {/* On a tablet a toast has its place at the foot. */}
      <div className="stage-column flex min-h-0 min-w-0 flex-col [grid-area:stage] tablet:pb-14">
        {/* The art shrinks before words or pads do. */}
        <div className="group/record relative z-2 aspect-square min-h-12 w-full flex-[0_1_auto] tablet:not-has-[img]:aspect-4/5 low:aspect-auto low:flex-1">
          {record}
        </div>
        {info}
        {/* On phones, where a song without a video leaves room for it. */}
        <p className="hidden pt-3 text-xs text-ink-2 phone:block phone:keys:hidden framed:hidden [@media(height<=40rem)]:hidden">
          {TOUCH_HINT}
        </p>
      </div>
      <div className="stage-banger relative z-3 [grid-area:banger]">{banger}</div>
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

/** Where the whole song is, at the end of a preview and before the verdict (playback-61). */
function PreviewEnd({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useDeferredStore(discovery, shownSong)
  const isRated = useDeferredStore(discovery, (state) => shownVerdict(state) !== null)
  const isOver = usePlaybackState((state) => hasPreviewEnded(state, song?.id))
  if (!song || !isOver || isRated || isCovered(song) || !canHearElsewhere) return null
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

/** 'More like this', whose code loads for the first banger. */
function LeanButton({ discovery }: { discovery: DiscoveryEngine }) {
  const canLean = useDeferredStore(discovery, (state) => leanSong(state) !== null)
  return (
    canLean && (
      <Suspense>
        <MoreLikeThis discovery={discovery} />
      </Suspense>
    )
  )
}

/** How all listeners rated the song, or the place among the first, uncovered by the art that leaves (discover-40). */
function Reveal({ discovery }: { discovery: DiscoveryEngine }) {
  const rating = useDeferredStore(discovery, revealedRating)
  const number = useDeferredStore(discovery, revealNumber)
  const sentence = useDeferredStore(discovery, revealSentence)
  if (!rating || !number) return null
  const digits = String(Number.parseInt(number, 10))
  return (
    <p className="reveal @container-[size] absolute inset-0 grid content-center gap-3 text-center text-ink-2">
      <b
        aria-hidden="true"
        className={`font-display text-[min(34cqw,56cqh)] leading-[1.1] ${sentence && '[@container(max-height:6rem)]:hidden'} ${numberStyles[rating]}`}
      >
        {digits}
        <small>{number.slice(digits.length)}</small>
      </b>
      {sentence && <span className="px-2 text-[clamp(0.8125rem,4.4cqw,1.3125rem)]">{sentence}</span>}
    </p>
  )
}

const numberStyles = {
  banger: 'font-black text-hot font-stretch-125%',
  bust: 'text-cold font-stretch-75%',
} satisfies Record<Rating, string>
