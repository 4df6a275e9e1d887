import { useQuery } from '@tanstack/react-query'
import { getSamples } from '../../contract/diagnostics.ts'
import { getNextSong } from '../../contract/discovery.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'

/** The fixed songs of the playback diagnostic (diagnostics-14). */
export function useSamples() {
  const { data, isError, refetch } = useQuery(query(getSamples))
  return {
    /** Undefined until loaded; the first is the sample song. */
    songs: data?.songs,
    microgenre: data?.microgenre ?? null,
    failed: isError,
    retry: () => void refetch(),
  }
}

/** The next song of the sample microgenre; null when there is none or no answer (diagnostics-14). */
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
