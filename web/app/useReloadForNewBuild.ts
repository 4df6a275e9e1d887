import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { reloadForNewBuild } from '../api/newBuild.ts'
import { usePlayback, usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import { isWanted } from '../playback/playbackMachine.ts'

/** Reloads a page that is older than its server when the listener goes to another place, and nothing plays or is queued. */
export function useReloadForNewBuild(): void {
  const engine = usePlaybackEngine()
  const { queue } = usePlayback()
  const place = `${useLocation()[0]}?${useSearch()}`
  const shown = useRef(place)
  useEffect(() => {
    if (shown.current === place) return
    shown.current = place
    if (!isWanted(engine.state()) && queue.state().songs.length === 0) reloadForNewBuild()
  }, [place, engine, queue])
}
