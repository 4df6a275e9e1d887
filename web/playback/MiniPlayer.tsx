import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button, IconButton } from '../ui/controls/Button.tsx'
import { MessageSquare } from '../ui/icons.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { ListMusic, SkipBack, SkipForward } from '../ui/laterIcons.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { PlaybackIcon, playbackLabel, soundPromptLabels, VolumeControl } from './PlaybackButtons.tsx'
import { usePlayback, usePlaybackState, useQueue } from './PlaybackProvider.tsx'
import { ProgressHairline } from './ProgressLine.tsx'
import { canToggle, getSoundPrompt, isSwitching } from './playbackState.ts'
import { useQueueSteps } from './QueueButtons.tsx'
import './miniPlayer.css'

const UpNextDialog = lazyDialog(async () => (await import('./UpNextDialog.tsx')).UpNextDialog)

/**
 * The current song on My Library, Community and the map of microgenres; nothing without a song (playback-10). Space
 * plays and pauses (screens-6).
 */
export function MiniPlayer({ active, onDiscover }: { active: boolean; onDiscover: () => void }) {
  const upNext = useDialog('queue')
  return (
    <>
      <MiniPlayerBar active={active} onDiscover={onDiscover} />
      <UpNextDialog {...upNext} open={active && upNext.open} />
    </>
  )
}

function MiniPlayerBar({ active, onDiscover }: { active: boolean; onDiscover: () => void }) {
  const song = usePlaybackState((state) => state.song)
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  if (!song) return null
  return (
    <section
      aria-label="Now playing"
      data-queue={hasQueue ? '' : undefined}
      className="mini-player fixed inset-x-0 bottom-(--nav-h) z-(--z-nav) flex h-16 items-center gap-2.5 border-t border-line bg-raised pr-2 pl-3 wide:right-(--bar-end) wide:bottom-6 wide:left-6 wide:h-(--size-bar) wide:gap-1.5 wide:rounded-pad wide:border wide:px-3 wide:shadow-high roomy:gap-3.5 low:right-(--bar-end) low:wide:bottom-2 low:wide:left-4 tiny:relative tiny:bottom-auto"
    >
      <div className="absolute inset-x-0 -top-px wide:inset-x-2.5">
        <ProgressHairline />
      </div>
      <div className="mini-player-song flex min-w-0 flex-1 items-center gap-2.5 wide:gap-1.5 roomy:gap-3.5">
        <div className={`hidden size-12 flex-none ${hasQueue ? 'large:block' : 'roomy:block'}`}>
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
        </div>
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-left font-semibold">
            {song.title}
          </p>
          <SubtitleLine artist={song.artist} />
        </div>
        <TransportButtons active={active} />
        <div className="hidden large:block">
          <VolumeControl />
        </div>
      </div>
      <div className="mini-player-actions flex flex-none items-center gap-2.5 wide:gap-1.5">
        {hasQueue && (
          <Button variant="bare" size="tight" aria-label="Up next" onClick={() => openDialog('queue')}>
            <ListMusic />
            <span className="mini-player-up-next hidden min-[90rem]:inline">Up next</span>
          </Button>
        )}
        <Button variant="bare" size="tight" aria-label="Thoughts?" onClick={() => openDialog('feedback')}>
          <MessageSquare />
          <span className={`hidden ${hasQueue ? 'min-[90rem]:inline' : 'roomy:inline'}`}>Thoughts?</span>
        </Button>
        <Button
          size="tight"
          className={hasQueue ? backButtonClasses.queue : backButtonClasses.song}
          onClick={onDiscover}
        >
          Back to Discover
        </Button>
      </div>
    </section>
  )
}

/** Two lines where the bar is short. */
const backButtonClasses = {
  song: 'max-wide:w-24 max-wide:text-xs/4 max-wide:whitespace-normal',
  queue: 'max-large:w-24 max-large:text-xs/4 max-large:whitespace-normal',
}

/** Below the title: the artist and the position in the queue, or the button that enables sound. */
function SubtitleLine({ artist }: { artist: string }) {
  const { toggle, enableSound } = usePlayback()
  const prompt = usePlaybackState(getSoundPrompt)
  const switching = usePlaybackState(isSwitching)
  const queuePosition = useQueue(({ turn, songs, at }) =>
    turn === 'queue' ? `${at + 1} of ${songs.length}` : null,
  )
  if (prompt)
    return (
      // As high as a finger needs, without moving the title.
      <button
        type="button"
        onClick={prompt === 'tap' ? enableSound : toggle}
        className="-my-3 block min-h-(--size-touch) w-full truncate text-left text-xs text-ink-2"
      >
        {soundPromptLabels[prompt]}
      </button>
    )
  return (
    <p className="truncate text-xs text-ink-2">
      {queuePosition && <span className="tabular-nums">{queuePosition} · </span>}
      {switching ? 'Switching to Spotify...' : <bdi>{artist}</bdi>}
    </p>
  )
}

/** Play and pause, and with a queue previous and next (playback-41). */
function TransportButtons({ active }: { active: boolean }) {
  const { toggle } = usePlayback()
  const phase = usePlaybackState((state) => state.phase)
  const isUsable = usePlaybackState(canToggle)
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  const isLast = useQueue(({ turn, songs, at }) => turn === 'queue' && at + 1 >= songs.length)
  const { next, previous } = useQueueSteps(active)
  useHotkeys({ ' ': toggle }, { enabled: active })
  return (
    <>
      {hasQueue && (
        <IconButton label="Previous song" aria-keyshortcuts="P" onClick={previous}>
          <SkipBack />
        </IconButton>
      )}
      <IconButton label={playbackLabel(phase)} aria-disabled={!isUsable || undefined} onClick={toggle}>
        <PlaybackIcon phase={phase} className="size-5" />
      </IconButton>
      {hasQueue && (
        <IconButton
          label="Next song"
          aria-keyshortcuts="N"
          aria-disabled={isLast || undefined}
          onClick={next}
        >
          <SkipForward />
        </IconButton>
      )}
    </>
  )
}
