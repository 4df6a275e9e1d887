import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Song } from '../../contract/shapes.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button, IconButton } from '../ui/controls/Button.tsx'
import { ChevronDown, Disc3, MessageSquare } from '../ui/icons.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { ListMusic, SkipBack, SkipForward } from '../ui/laterIcons.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { AudioCredit } from './AudioCredit.tsx'
import { isCovered } from './coverSong.ts'
import { soundPromptLabels, VolumeControl } from './PlaybackButtons.tsx'
import { PlaybackIcon, playbackLabel } from './PlaybackIcon.tsx'
import { usePlayback, usePlaybackState, useQueue } from './PlaybackProvider.tsx'
import { ProgressHairline } from './ProgressLine.tsx'
import { canToggle, getCreditedAudio, getSoundPrompt, isSwitching, showsVideo } from './playbackState.ts'
import { useQueueSteps } from './QueueButtons.tsx'

const UpNextDialog = lazyDialog(async () => (await import('./UpNextDialog.tsx')).UpNextDialog)

/**
 * The current song on all sections and pages with music but Discover; nothing without a song (playback-10). Space
 * plays and pauses (screens-6).
 */
export function MiniPlayer({ active, onDiscover }: { active: boolean; onDiscover: () => void }) {
  const upNext = useDialog('queue')
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  return (
    <>
      <MiniPlayerBar active={active}>
        {hasQueue && (
          <Button variant="bare" className={wordButtonClasses} onClick={() => openDialog('queue')}>
            <ListMusic />
            <span className="sr-only @min-[60rem]:not-sr-only">Up next</span>
          </Button>
        )}
        <Button variant="bare" className={wordButtonClasses} onClick={() => openDialog('feedback')}>
          <MessageSquare />
          <span className="sr-only @min-[60rem]:not-sr-only">Thoughts?</span>
        </Button>
        <Button variant="bare" className={wordButtonClasses} onClick={onDiscover}>
          <Disc3 />
          <span className={`sr-only ${hasQueue ? '@2xl:not-sr-only' : '@lg:not-sr-only'}`}>
            Back to Discover
          </span>
        </Button>
      </MiniPlayerBar>
      <UpNextDialog {...upNext} open={active && upNext.open} />
    </>
  )
}

/** The bar; `children` are its last buttons. */
export function MiniPlayerBar({ active, children }: { active: boolean; children?: ReactNode }) {
  const song = usePlaybackState((state) => state.song)
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  if (!song) return null
  return (
    <section
      aria-label="Now playing"
      className="mini-player @container fixed inset-x-0 bottom-(--nav-h) z-(--z-nav) flex min-h-(--size-bar) border-t border-line bg-raised px-1.5 wide:right-(--bar-end) wide:bottom-6 wide:left-6 wide:rounded-pad wide:border wide:px-3 wide:shadow-high low:right-(--bar-end) low:wide:bottom-2 low:wide:left-4 phone:framed:min-h-(--below) phone:framed:pl-[calc(var(--dock-w)+0.375rem)] tiny:relative tiny:bottom-auto tiny:pl-1.5!"
    >
      <div className="absolute inset-x-0 -top-px wide:inset-x-2.5">
        <ProgressHairline />
      </div>
      {/* Its own width decides: icons for words, names above the controls, and beside a phone's video all in a column. */}
      <div className="flex min-w-0 flex-1 flex-wrap content-center items-center justify-between @min-[8.3rem]:@max-[14rem]:[&>button]:basis-1/3 @2xl:gap-x-1.5">
        <div className="mr-2 hidden size-12 flex-none @2xl:block">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
        </div>
        <div className={`${namesClasses} ${hasQueue ? queueNamesClasses : ''}`}>
          <p
            dir="auto"
            className="truncate text-left font-semibold @min-[8.3rem]:@max-[14rem]:line-clamp-2 @min-[8.3rem]:@max-[14rem]:whitespace-normal"
          >
            {song.title}
          </p>
          <SubtitleLine song={song} />
        </div>
        <FoldButton />
        <TransportButtons active={active} />
        <div className="hidden @min-[50rem]:block">
          <VolumeControl />
        </div>
        {children}
      </div>
    </section>
  )
}

const namesClasses =
  'min-w-18 flex-1 @max-[14rem]:min-w-0 @max-[14rem]:basis-[calc(100%-var(--size-touch))] @max-[8.3rem]:basis-full'
const queueNamesClasses =
  '@max-[26rem]:basis-full @min-[14rem]:@max-[26rem]:flex @min-[14rem]:@max-[26rem]:items-baseline @min-[14rem]:@max-[26rem]:gap-2 @min-[14rem]:@max-[26rem]:px-1.5 @min-[14rem]:@max-[26rem]:*:first:max-w-3/5'
const wordButtonClasses = 'min-w-(--size-touch) px-2.5!'

/** On a phone it makes room for the page, and shows the video again. */
function FoldButton() {
  const { setFolded, isFolded: foldedStore } = usePlayback()
  const isFolded = useStore(foldedStore)
  const hasVideo = usePlaybackState(showsVideo)
  return (
    hasVideo && (
      <span className="hidden low:block phone:block">
        <IconButton label={isFolded ? 'Show video' : 'Hide video'} onClick={() => setFolded(!isFolded)}>
          <ChevronDown className={isFolded ? 'size-5 rotate-180' : 'size-5'} />
        </IconButton>
      </span>
    )
  )
}

/** Below the title: the artist, or whom a licence names, and the position in the queue, or the button that enables sound. */
function SubtitleLine({ song }: { song: Song }) {
  const { toggle, enableSound } = usePlayback()
  const prompt = usePlaybackState(getSoundPrompt)
  const switching = usePlaybackState(isSwitching)
  const audio = usePlaybackState((state) => getCreditedAudio(state, song.id))
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
    <p className="min-w-0 flex-1 truncate text-xs text-ink-2">
      {queuePosition && <span className="tabular-nums">{queuePosition} · </span>}
      {switching ? (
        'Switching to Spotify...'
      ) : audio ? (
        <AudioCredit audio={audio} isCovered={isCovered(song)} />
      ) : (
        <bdi>{song.artist}</bdi>
      )}
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
