import { useEffect, useSyncExternalStore } from 'react'
import { withoutBars } from '../ui/thumbnail.ts'
import type { PlaybackEngine } from './playbackEngine.ts'

/** Media keys and the lock screen for the preview; the video's frame has its own. */
export function useMediaSession(engine: PlaybackEngine) {
  const { song, source, opened, phase } = useSyncExternalStore(engine.subscribe, engine.state)
  const session = globalThis.navigator?.mediaSession
  const active = Boolean(session && song && opened && source?.kind === 'preview')

  useEffect(() => {
    if (!active || !song) return
    const { title, artist, albumArt, microgenre } = song
    session.metadata = new MediaMetadata({
      title,
      artist,
      album: microgenre,
      artwork: albumArt ? [{ src: withoutBars(albumArt) }] : [],
    })
    const toggle = () => engine.send({ type: 'toggle' })
    session.setActionHandler('play', toggle)
    session.setActionHandler('pause', toggle)
    return () => {
      session.metadata = null
      session.setActionHandler('play', null)
      session.setActionHandler('pause', null)
    }
  }, [active, song, session, engine])

  useEffect(() => {
    if (active) session.playbackState = phase === 'playing' ? 'playing' : 'paused'
  }, [active, phase, session])
}
