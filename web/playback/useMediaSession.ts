import { useEffect } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { usableArt } from '../ui/artAddress.ts'
import { withoutBars } from '../ui/thumbnail.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { isWanted } from './playbackMachine.ts'
import { isOpen } from './playbackState.ts'
import { isAhead } from './shownPlayback.ts'

/** Media keys and the lock screen for the preview; the video's frame has its own. */
export function useMediaSession(engine: PlaybackEngine) {
  useEffect(() => {
    const session = globalThis.navigator?.mediaSession
    if (session) return watchPreviews(engine, session)
  }, [engine])
}

function watchPreviews(engine: PlaybackEngine, session: MediaSession): () => void {
  let shown: Song | null = null

  function show(song: Song | null) {
    if (song === shown) return
    shown = song
    session.metadata = song && metadataOf(song)
    session.setActionHandler(
      'play',
      song && (() => isWanted(engine.state()) || engine.send({ type: 'toggle' })),
    )
    session.setActionHandler('pause', song && (() => engine.send({ type: 'pause' })))
    session.setActionHandler('seekto', song && (({ seekTime }) => engine.seek(seekTime ?? 0)))
  }

  const stop = engine.subscribe(() => {
    const state = engine.state()
    if (isAhead(state)) return
    show(isOpen(state) && state.source.kind === 'preview' ? state.song : null)
    if (!shown) return
    session.playbackState = isWanted(state) ? 'playing' : 'paused'
    const duration = engine.duration()
    if (duration > 0) session.setPositionState({ duration, position: Math.min(engine.position(), duration) })
  })
  return () => {
    stop()
    show(null)
  }
}

function metadataOf({ title, artist, albumArt, microgenre }: Song): MediaMetadata {
  const art = usableArt(albumArt)
  return new MediaMetadata({
    title,
    artist,
    album: microgenre,
    artwork: art ? [{ src: withoutBars(art) }] : [],
  })
}
