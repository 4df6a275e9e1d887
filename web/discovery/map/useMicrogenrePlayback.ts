import { useEffect, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { isolateName } from '../../../contract/isolateName.ts'
import { useSinglePress } from '../../api/useSinglePress.ts'
import { usePlaybackEngine } from '../../playback/PlaybackProvider.tsx'
import { toast } from '../../ui/toast.ts'
import { discoveryCalls } from '../engine/discoveryCalls.ts'
import { useDiscoverPlayback } from '../engine/useDiscoverPlayback.ts'

/**
 * Plays the song with which Discover would begin in a microgenre, so that nothing is spoilt (discover-87). While a song
 * of the microgenre is current, the press plays or pauses it. Only the last microgenre that was pressed is heard.
 */
export function useMicrogenrePlayback() {
  const playback = useDiscoverPlayback()
  const player = usePlaybackEngine()
  const fetchController = useRef(new AbortController())
  /** The id of the microgenre whose song is on its way. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  useEffect(() => () => fetchController.current.abort(), [])

  /** Whether the answer still counts. */
  async function fetchSong(microgenre: MappedMicrogenre, { signal }: AbortController): Promise<boolean> {
    try {
      const song = await discoveryCalls.fetchNextSong(microgenre.id, signal)
      if (signal.aborted) return false
      if (song) playback.select(song, { announce: true })
      else toast({ title: 'Nothing left to hear', description: nothingLeftMessage(microgenre) })
      return true
    } catch {
      if (!signal.aborted) toast.error(failureMessage(microgenre))
      return !signal.aborted
    }
  }

  async function play(microgenre: MappedMicrogenre) {
    fetchController.current.abort()
    fetchController.current = new AbortController()
    const isCurrent = player.getState().song?.microgenreId === microgenre.id
    setPendingId(isCurrent ? null : microgenre.id)
    if (isCurrent) playback.toggle()
    else if (await fetchSong(microgenre, fetchController.current)) setPendingId(null)
  }

  const pressOnce = useSinglePress()
  const togglePlayback = (microgenre: MappedMicrogenre) => pressOnce(() => play(microgenre), microgenre.id)
  return { togglePlayback, pending: pendingId }
}

/** The listener was through all songs of this pass, or there are none. */
const nothingLeftMessage = ({ name, songCount }: MappedMicrogenre) =>
  songCount === 0
    ? `There are no songs in ${isolateName(name)} yet.`
    : `You have been through every song of ${isolateName(name)}. Enter it to begin again.`

const failureMessage = ({ name }: MappedMicrogenre) =>
  `No song of ${isolateName(name)} could be loaded. Please try again.`
