import { Suspense, useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { VisitorSong } from '../../contract/visitors.ts'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { Button, IconButton } from '../ui/controls/Button.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { useVisitorPlayer } from './visitorPlayer.ts'

/** With the code of the queue, so that a press sounds at once, as browsers demand. */
const VisitorQueue = lazyComponent(async () => {
  const [{ VisitorQueue }] = await Promise.all([
    import('./VisitorQueue.tsx'),
    import('../playback/queueEngine.ts'),
  ])
  return VisitorQueue
})

interface PlayButtonProps {
  /** Of the list or song, for its accessible name. */
  name: string
  songs: readonly VisitorSong[]
  /** The button of one song: plays the list from there on. */
  at?: number
  big?: boolean
}

/** Plays a list by itself to its end, and pauses and continues it. */
export function PlayButton({ name, songs, at, big = false }: PlayButtonProps) {
  const { current, toggle } = useVisitorPlayer()
  useEffect(preloadPlayer, [])
  const isCurrent = (at === undefined ? songs : songs.slice(at, at + 1)).some(({ id }) => id === current?.id)
  const isPlaying = isCurrent && current?.isPlaying
  const label = isPlaying ? 'Pause' : 'Play'
  const press = () => (isCurrent ? toggle() : useVisitorPlayer.setState({ list: { songs, at: at ?? 0 } }))
  const icon = <PlaybackIcon phase={isPlaying ? 'playing' : 'paused'} className="size-5" />
  return at === undefined ? (
    <Button
      aria-label={`${label} ${name}`}
      variant={big ? 'accent' : 'outline'}
      size={big ? 'big' : 'normal'}
      onClick={press}
    >
      {icon}
      {label}
    </Button>
  ) : (
    <IconButton label={`${label} ${name}`} onClick={press}>
      {icon}
    </IconButton>
  )
}

/** The bar and the video of what a PlayButton of the page plays. */
export function VisitorPlayer() {
  const list = useVisitorPlayer((player) => player.list)
  useEffect(() => () => useVisitorPlayer.setState({ list: null, current: null }), [])
  const root = document.getElementById('root')
  // Where the style expects the video.
  if (!list || !root) return null
  return createPortal(
    <Suspense>
      <VisitorQueue list={list} />
    </Suspense>,
    root,
  )
}

/** Milliseconds. The page and its fonts come first, and a glance at it loads no player. */
const PRELOAD_DELAY = 3000

/** After a while, or at the first sign of a hand, so that a press sounds at once. */
function preloadPlayer(): () => void {
  const abortController = new AbortController()
  const preload = () => void VisitorQueue.preload()
  for (const sign of ['pointerover', 'touchstart', 'keydown'])
    addEventListener(sign, preload, { signal: abortController.signal, once: true, passive: true })
  const timer = setTimeout(preload, PRELOAD_DELAY)
  return () => {
    abortController.abort()
    clearTimeout(timer)
  }
}
