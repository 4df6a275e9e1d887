import { useQuery } from '@tanstack/react-query'
import { getSamples } from '../../contract/diagnostics.ts'
import { getNextSong } from '../../contract/discovery.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'

/** The fixed songs that the tools of the playback diagnostic work on (D-24). */
export function useSamples() {
  const { data, isError, refetch } = useQuery(query(getSamples))
  return {
    /** Undefined until they are known; the first is the sample song. */
    songs: data?.songs,
    microgenre: data?.microgenre ?? null,
    failed: isError,
    retry: () => void refetch(),
  }
}

/** What the sample microgenre would play next; null where there is nothing, or no answer (spec §7). */
export function useNextSample(microgenreId: string | undefined): Song | null | undefined {
  const { data } = useQuery({
    queryKey: [getNextSong.path, { sample: microgenreId }],
    queryFn: ({ signal }) => nextSong(microgenreId ?? '', signal).catch(() => null),
    enabled: microgenreId !== undefined,
  })
  return data
}

async function nextSong(id: string, signal: AbortSignal): Promise<Song | null> {
  const answer = await call(getNextSong, { params: { id } }, { signal })
  return 'songs' in answer ? (answer.songs[0] ?? null) : answer
}
