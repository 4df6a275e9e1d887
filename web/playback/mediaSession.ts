import type { Song } from '../../contract/shapes.ts'
import { findUsableArt, withoutLetterbox } from '../ui/art/artAddress.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { isPlayerOpen, isPrepared, shouldPlay } from './playbackState.ts'

/** Media keys and the lock screen for audio; the frame of a video has its own. Returns a function that ends it. */
export function connectMediaSession(engine: PlaybackEngine): () => void {
  const session = navigator.mediaSession as MediaSession | undefined
  return session ? watchAudio(engine, session) : () => {}
}

function watchAudio(engine: PlaybackEngine, session: MediaSession): () => void {
  let shownSong: Song | null = null

  function show(song: Song | null) {
    if (song === shownSong) return
    shownSong = song
    session.metadata = song && createMetadata(song)
    session.setActionHandler(
      'play',
      song && (() => shouldPlay(engine.getState()) || engine.send({ type: 'toggle' })),
    )
    session.setActionHandler('pause', song && (() => engine.send({ type: 'pause' })))
    session.setActionHandler('seekto', song && (({ seekTime }) => engine.seek(seekTime ?? 0)))
  }

  const unsubscribe = engine.subscribe(() => {
    const state = engine.getState()
    if (isPrepared(state)) return
    show(isPlayerOpen(state) && state.source.kind !== 'video' ? state.song : null)
    if (!shownSong) return
    session.playbackState = shouldPlay(state) ? 'playing' : 'paused'
    const duration = engine.duration()
    if (duration > 0) session.setPositionState({ duration, position: Math.min(engine.position(), duration) })
  })
  return () => {
    unsubscribe()
    show(null)
  }
}

function createMetadata({ title, artist, albumArt, microgenre }: Song): MediaMetadata {
  const art = findUsableArt(albumArt)
  return new MediaMetadata({
    title,
    artist,
    album: microgenre,
    artwork: art ? [{ src: withoutLetterbox(art) }] : [],
  })
}
