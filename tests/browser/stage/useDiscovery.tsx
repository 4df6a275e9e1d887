import { useEffect, useSyncExternalStore } from 'react'
import { nothingChosen } from '../../../web/discovery/discoveryState.ts'
import type { useDiscovery as real } from '../../../web/discovery/useDiscovery.ts'
import { usePlayback } from '../../../web/playback/PlaybackProvider.tsx'
import { shownSong, watchSong } from './shownSong.ts'
import { stage } from './stage.ts'

window.stage = stage

/** In place of the product's: shows the song that the test gives it. */
export function useDiscovery(): ReturnType<typeof real> {
  const song = useSyncExternalStore(watchSong, shownSong)
  const { load } = usePlayback()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words for the same song do not start it again
  useEffect(() => {
    if (song) load(song)
  }, [song?.id, load])
  return {
    // The rating before can be undone: nothing that may be on the stage is missing.
    state: { ...nothingChosen, view: song ? 'song' : 'loading', song, undoable: true },
    microgenres: { data: undefined, isError: false } as ReturnType<typeof real>['microgenres'],
    microgenre: null,
    rate: () => {},
    undo: () => {},
    choose: () => {},
    restart: () => {},
    tryAgain: () => {},
  }
}
