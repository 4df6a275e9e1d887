import { useEffect, useRef, useState } from 'react'
import { searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { explainFailure } from './explainFailure.ts'
import { type Loudness, type Played, playFor } from './playFor.ts'

/** The result for one song. */
export interface Heard {
  song: Song
  outcome: Played | 'none'
  /** Why there was nothing to play. */
  words: string | null
}

export interface AudioTest {
  /** Null when idle. */
  now: { song: Song; doing: 'searching' | 'playing' } | null
  heard: readonly Heard[]
  /** Plays the previews of these songs one after the other. */
  run(songs: readonly Song[], loudness: Loudness): void
  stop(): void
}

/** Idle, then playing a preview, then stopped automatically (diagnostics-15). Leaving the page stops it too. */
export function useAudioTest(): AudioTest {
  const [now, setNow] = useState<AudioTest['now']>(null)
  const [heard, setHeard] = useState<readonly Heard[]>([])
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  async function play(songs: readonly Song[], loudness: Loudness, signal: AbortSignal) {
    for (const song of songs) {
      setNow({ song, doing: 'searching' })
      const { address, words } = await findPreview(song, signal)
      if (signal.aborted) return
      const outcome = address
        ? await playFor(address, loudness, signal, () => setNow({ song, doing: 'playing' }))
        : 'none'
      if (signal.aborted) return
      setHeard((known) => [...known, { song, outcome, words }])
    }
    setNow(null)
  }

  return {
    now,
    heard,
    run(songs, loudness) {
      stopping.current?.abort()
      const controller = new AbortController()
      stopping.current = controller
      setHeard([])
      void play(songs, loudness, controller.signal)
    },
    stop() {
      stopping.current?.abort()
      setNow(null)
    },
  }
}

async function findPreview(
  { id, title, artist }: Song,
  signal: AbortSignal,
): Promise<{ address: string | null; words: string | null }> {
  try {
    const query = { artist: artist.slice(0, 200), title: title.slice(0, 200), songId: id }
    const { result, message } = await call(searchPreview, { query }, { signal })
    return { address: result?.previewUrl ?? null, words: message }
  } catch (error) {
    return { address: null, words: explainFailure('The preview was not looked up', error) }
  }
}
