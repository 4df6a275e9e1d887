import { useEffect, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/map.ts'
import { usePlaybackEngine } from '../../playback/PlaybackProvider.tsx'
import { createPressGuard } from '../../ui/pressGuard.ts'
import { toast } from '../../ui/toast.ts'
import { discoveryCalls } from '../discoveryCalls.ts'
import { useDiscoverPlayback } from '../useDiscoverPlayback.ts'

type Heard = Pick<MappedMicrogenre, 'id' | 'name' | 'songCount'>

/**
 * Plays the song that Discover would begin with in a microgenre, so that nothing is spoilt (discover-87). While a song
 * of the microgenre is current, the press plays or pauses it. Only the last microgenre that was pressed is heard.
 */
export function useHearSong() {
  const playback = useDiscoverPlayback()
  const player = usePlaybackEngine()
  const [guard] = useState(createPressGuard)
  const asked = useRef<AbortController | null>(null)
  const [pending, setPending] = useState<string | null>(null)
  useEffect(() => () => asked.current?.abort(), [])

  async function fetchSong(microgenre: Heard, { signal }: AbortController) {
    try {
      const song = await discoveryCalls.next(microgenre.id, signal)
      if (signal.aborted) return
      if (song) playback.select(song, { announce: true })
      else toast({ title: 'Nothing left to hear', description: nothingIn(microgenre) })
    } catch {
      if (!signal.aborted)
        toast({
          title: 'Error',
          description: `No song of ${microgenre.name} could be loaded. Please try again.`,
          tone: 'error',
        })
    }
  }

  async function hear(microgenre: Heard) {
    if (!guard.start(microgenre.id)) return
    asked.current?.abort()
    const controller = new AbortController()
    asked.current = controller
    if (player.state().song?.microgenreId === microgenre.id) {
      setPending(null)
      playback.toggle()
    } else {
      setPending(microgenre.id)
      await fetchSong(microgenre, controller)
      if (asked.current === controller) setPending(null)
    }
    guard.end(microgenre.id)
  }
  return { hear, pending }
}

/** The listener was through all songs of this pass, or there are none. */
const nothingIn = ({ name, songCount }: Heard) =>
  songCount === 0
    ? `There are no songs in ${name} yet.`
    : `You have been through every song of ${name}. Enter it to begin again.`
