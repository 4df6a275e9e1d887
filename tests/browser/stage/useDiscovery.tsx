import { useEffect } from 'react'
import type { DiscoveryEngine } from '../../../web/discovery/discoveryEngine.ts'
import type { useDiscovery as real } from '../../../web/discovery/useDiscovery.ts'
import { usePlayback } from '../../../web/playback/PlaybackProvider.tsx'
import { useStore } from '../../../web/ui/store.ts'
import { shownDiscovery } from './shownSong.ts'
import { stage } from './stage.ts'

window.stage = stage

const discovery: DiscoveryEngine = {
  ...shownDiscovery,
  send: () => {},
  choose: () => {},
  rate: () => {},
  notNow: () => {},
  run: () => () => {},
}

/** In place of the product's: shows the song that the test gives it. */
export function useDiscovery(): ReturnType<typeof real> {
  const id = useStore(discovery, ({ song }) => song?.id)
  const { load } = usePlayback()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words for the same song do not start it again
  useEffect(() => {
    const { song } = discovery.state()
    if (song) load(song)
  }, [id, load])
  return {
    discovery,
    microgenres: { data: undefined, isError: false } as ReturnType<typeof real>['microgenres'],
    microgenre: null,
    undo: () => {},
    tryAgain: () => {},
  }
}
