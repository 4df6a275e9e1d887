import { useMemo } from 'react'
import type { Song } from '../../../contract/shapes.ts'
import { readCurrentUser } from '../../auth/currentUser.ts'
import type { PlaybackControls } from '../../playback/createPlayback.ts'
import { usePlayback } from '../../playback/PlaybackProvider.tsx'
import { chorusStart } from '../../playback/player.ts'

/** Playback whose videos start where the listener's setting says (playback-62). The object is stable. */
export function useDiscoverPlayback(): PlaybackControls {
  const playback = usePlayback()
  return useMemo(
    () => ({
      ...playback,
      select: (song, options) => playback.select(song, { ...options, start: startTime(song) }),
      load: (song) => playback.load(song, startTime(song)),
      prepare: (song) => playback.prepare(song, startTime(song)),
    }),
    [playback],
  )
}

const startTime = ({ duration }: Song) => (readCurrentUser()?.startAtHook ? chorusStart(duration) : 0)
