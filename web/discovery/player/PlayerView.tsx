import { type ComponentProps, type ReactNode, useEffect } from 'react'
import type { Rating } from '../../../contract/shapes.ts'
import { canHearElsewhere, openElsewhereDialog, WHOLE_SONG_LABEL } from '../../playback/ElsewhereButton.tsx'
import { SoundPrompt } from '../../playback/PlaybackButtons.tsx'
import { usePlaybackEngine, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { hasPreviewEnded, isSounding } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { ExternalLink } from '../../ui/icons.tsx'
import { useHotkeys } from '../../ui/keyboard/useHotkeys.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import {
  pendingSplit,
  ratingPercent,
  revealedRating,
  revealSentence,
  shownSong,
  shownVerdict,
} from '../engine/discoveryState.ts'
import { useDiscoverPlayback } from '../engine/useDiscoverPlayback.ts'
import { AmbientClip } from './AmbientClip.tsx'
import { ArtButton, ArtPlaceholder } from './ArtButton.tsx'
import { Pad, PadPlaceholder } from './Pad.tsx'
import { Particles } from './Particles.tsx'
import { NotNowButton, PhoneControls, PlayerControls, TOUCH_HINT } from './PlayerControls.tsx'
import { SongInfo, SongInfoPlaceholder } from './SongInfo.tsx'

interface PlayerViewProps extends ComponentProps<typeof PlayerControls> {
  active: boolean
  /** Set when the microgenres did not load, so nothing is pending. */
  onTryAgain: (() => void) | null
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

  // The listener hears the song that they rate (playback-24).
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

/** The two pads, and between them the art and its song. */
function Stage({ bust, banger, record, info, children }: StageProps) {
  return (
    <div data-stage="" className="stage">
      <div className="stage-bust">{bust}</div>
      <div className="stage-column">
        <div className="stage-record">{record}</div>
        {info}
        <p className="stage-touch-hint">{TOUCH_HINT}</p>
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

/** Where the whole song is, at the end of a preview and before the verdict (playback-61). */
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

/** How all listeners rated the song, in place of its art (discover-40). */
function Reveal({ discovery }: { discovery: DiscoveryEngine }) {
  const rating = useDeferredStore(discovery, revealedRating)
  const split = useDeferredStore(discovery, pendingSplit)
  const sentence = useDeferredStore(discovery, revealSentence)
  if (!rating || !sentence) return null
  return (
    <p className="reveal absolute inset-0 grid content-center gap-3 text-center text-ink-2">
      {split && (
        <b aria-hidden="true" className={`reveal-number font-display ${numberStyles[rating]}`}>
          {ratingPercent(rating, split)}
          <small> %</small>
        </b>
      )}
      <span className="px-2">{sentence}</span>
    </p>
  )
}

const numberStyles = {
  banger: 'font-black text-hot font-stretch-125%',
  bust: 'text-cold font-stretch-75%',
} satisfies Record<Rating, string>
