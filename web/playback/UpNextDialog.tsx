import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isolateName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button, IconButton } from '../ui/controls/Button.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { X } from '../ui/icons.tsx'
import { ArrowDown, ArrowUp } from '../ui/laterIcons.ts'
import { usePagePosition } from '../ui/page/usePagePosition.ts'
import { toast, UNDO_TIME } from '../ui/toast.ts'
import { PlaybackIcon } from './PlaybackIcon.tsx'
import { usePlayback, usePlaybackEngine, usePlaybackState, useQueue } from './PlaybackProvider.tsx'
import { getSongPhase } from './playbackState.ts'
import type { QueueEvent } from './queueState.ts'

/** The current song of the queue and those after it: jump, move, remove, clear (playback-41). */
export function UpNextDialog({ open, onOpenChange }: OpenState) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Up next" width="34rem" tall>
      <UpNext />
    </Dialog>
  )
}

function UpNext() {
  const { queue } = usePlayback()
  const playback = usePlaybackEngine()
  const songs = useQueue((state) => state.songs)
  const at = useQueue((state) => state.at)
  const [announcement, setAnnouncement] = useState('')
  const container = useRef<HTMLDivElement>(null)

  function move(song: Song, offset: -1 | 1, control: string) {
    const to = songs.indexOf(song) + offset
    if (to <= at || to >= songs.length) return
    change({ type: 'move', id: song.id, to }, `${isolateName(song.title)} is now number ${to - at}.`)
    focusControl(song, control)
  }

  function remove(song: Song, control: string) {
    const index = songs.indexOf(song)
    const neighbour = songs[index + 1] ?? songs[index - 1]
    change({ type: 'remove', id: song.id }, `${isolateName(song.title)} was removed.`)
    if (neighbour) focusControl(neighbour, neighbour === songs[at] ? 'play' : control)
  }

  /** Rendered synchronously, so that the focus can move to a row of the changed list. */
  function change(event: QueueEvent, message: string) {
    flushSync(() => {
      setAnnouncement(message)
      queue.send(event)
    })
  }

  function focusControl({ id }: Song, control: string) {
    container.current
      ?.querySelector<HTMLElement>(`[data-queued="${id}"] [data-control="${control}"]`)
      ?.focus()
  }

  function clear() {
    const previousQueue = queue.getState()
    queue.send({ type: 'clear' })
    const getPlayingId = () => playback.getState().song?.id ?? null
    const undoClear = () =>
      queue.send({ type: 'undo-clear', queue: previousQueue, playingId: getPlayingId() })
    toast({ title: 'Queue cleared', duration: UNDO_TIME, action: { label: 'Undo', run: undoClear } })
  }

  function onKeyDown(event: KeyboardEvent, song: Song) {
    const control = document.activeElement?.getAttribute('data-control') ?? 'play'
    const keys: Record<string, () => void> = {
      ...(event.altKey && {
        ArrowUp: () => move(song, -1, control),
        ArrowDown: () => move(song, 1, control),
      }),
      Delete: () => remove(song, control),
    }
    const action = song === songs[at] ? undefined : keys[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  if (songs.length === 0) return <p className="text-base text-ink-2">Nothing is up next.</p>
  return (
    <div ref={container} className="grid gap-3">
      <div className="flex items-center justify-between gap-3">
        <p className="text-ink-2">{`${at + 1} of ${songs.length}`}</p>
        <Button size="tight" onClick={clear}>
          Clear
        </Button>
      </div>
      <p className="hidden text-xs text-ink-2 keys:block">
        Alt + ↑ or ↓ moves the song that has the focus, Delete removes it.
      </p>
      <UpNextList songs={songs} firstIndex={at}>
        {(song, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus
          <div
            data-queued={song.id}
            data-genre=""
            style={{ '--genre': song.color }}
            className="flex h-16 items-center gap-1 border-b border-line"
            onKeyDown={(event) => onKeyDown(event, song)}
          >
            <PlayRow song={song} isCurrent={index === at} />
            {index !== at && (
              <>
                <RowButton
                  control="up"
                  label={`Move up: ${song.title}`}
                  disabled={index === at + 1}
                  onPress={() => move(song, -1, 'up')}
                >
                  <ArrowUp />
                </RowButton>
                <RowButton
                  control="down"
                  label={`Move down: ${song.title}`}
                  disabled={index === songs.length - 1}
                  onPress={() => move(song, 1, 'down')}
                >
                  <ArrowDown />
                </RowButton>
                <RowButton
                  control="remove"
                  label={`Remove from the queue: ${song.title}`}
                  onPress={() => remove(song, 'remove')}
                >
                  <X />
                </RowButton>
              </>
            )}
          </div>
        )}
      </UpNextList>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

function PlayRow({ song, isCurrent }: { song: Song; isCurrent: boolean }) {
  const { queue, toggle } = usePlayback()
  const phase = usePlaybackState((state) => getSongPhase(state, song.id))
  const isPlayed = isCurrent && phase !== null
  return (
    <button
      type="button"
      data-control="play"
      aria-current={isCurrent || undefined}
      onClick={() => (isPlayed ? toggle() : queue.send({ type: 'jump', id: song.id }))}
      className="flex h-full min-w-0 flex-1 items-center gap-3 text-left focus-visible:-outline-offset-2"
    >
      <span className="relative block size-12 flex-none">
        <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
        {isPlayed && (
          <span className="absolute inset-0 grid place-items-center bg-paper/70">
            <PlaybackIcon phase={phase} className="size-5" />
          </span>
        )}
      </span>
      <span className="grid min-w-0">
        <span className="sr-only">{isPlayed && phase === 'playing' ? 'Pause ' : 'Play '}</span>
        <b
          dir="auto"
          className={`line-clamp-1 text-left font-semibold wrap-anywhere ${isCurrent ? 'text-accent' : ''}`}
        >
          {song.title}
        </b>
        <span className="sr-only"> by </span>
        <span dir="auto" className="line-clamp-1 text-left text-xs text-ink-2 wrap-anywhere">
          {song.artist}
        </span>
      </span>
    </button>
  )
}

interface RowButtonProps {
  control: string
  label: string
  disabled?: boolean
  onPress: () => void
  children: ReactNode
}

/** Stays focusable while disabled, so that it keeps the focus. */
function RowButton({ control, label, disabled, onPress, children }: RowButtonProps) {
  return (
    <IconButton
      data-control={control}
      label={label}
      aria-disabled={disabled || undefined}
      onClick={onPress}
      className="flex-none"
    >
      {children}
    </IconButton>
  )
}

interface UpNextListProps {
  songs: readonly Song[]
  /** Of the first song that is shown. */
  firstIndex: number
  children: (song: Song, index: number) => ReactNode
}

/** In rem. */
const ROW_HEIGHT = 4

/** A virtual list inside a dialog. */
function UpNextList({ songs, firstIndex, children }: UpNextListProps) {
  const list = useRef<HTMLUListElement>(null)
  const { rem } = usePagePosition(list)
  const virtualizer = useVirtualizer({
    count: songs.length - firstIndex,
    estimateSize: () => ROW_HEIGHT * rem,
    getScrollElement: () => list.current?.closest('.scroll-area') ?? null,
    getItemKey: (index) => songs[firstIndex + index]?.id ?? index,
    overscan: 3,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer keeps the heights that it estimated before
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rem])
  return (
    <ul ref={list} aria-label="Up next" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const song = songs[firstIndex + index]
        return (
          song && (
            <li
              key={key}
              aria-setsize={songs.length - firstIndex}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(song, firstIndex + index)}
            </li>
          )
        )
      })}
    </ul>
  )
}
