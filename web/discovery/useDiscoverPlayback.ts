import { useMemo } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { readSignIn } from '../auth/currentUser.ts'
import { hookOf } from '../playback/hook.ts'
import { type PlaybackControls, usePlayback } from '../playback/PlaybackProvider.tsx'

/** Playback for Discover, whose videos begin where the listener chose (playback-62). The controls never change. */
export function useDiscoverPlayback(): PlaybackControls {
  const playback = usePlayback()
  return useMemo(
    () => ({
      ...playback,
      select: (song, options) => playback.select(song, { ...options, start: startOf(song) }),
      load: (song) => playback.load(song, startOf(song)),
      prepare: (song) => playback.prepare(song, startOf(song)),
    }),
    [playback],
  )
}

const startOf = ({ duration }: Song) => (readSignIn().user?.startAtHook ? hookOf(duration) : 0)
