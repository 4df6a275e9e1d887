import type { Response } from '../../contract/endpoint.ts'
import { searchPreview } from '../../contract/playback.ts'
import { call } from '../api/call.ts'
import { isInCatalogue } from './isInCatalogue.ts'
import type { PreviewSource } from './player.ts'

type PreviewSearch = Promise<Response<typeof searchPreview>>

/** Milliseconds for which an address found ahead is used. It is valid for longer. */
const PREFETCH_LIFETIME = 60_000

/** Of one song, because the server limits these calls. */
let ahead: { songId: string; at: number; found: PreviewSearch } | null = null

/** Finds the preview before its song is opened. */
export function findPreviewAhead(source: PreviewSource): void {
  if (findKept(source)) return
  const found = search(source)
  const kept = { songId: source.song.id, at: Date.now(), found }
  ahead = kept
  found.catch(() => {
    if (ahead === kept) ahead = null
  })
}

/** The preview that was found ahead, else a new search. */
export function findPreview(source: PreviewSource, signal: AbortSignal): PreviewSearch {
  const kept = findKept(source)
  ahead = null
  return kept ?? search(source, signal)
}

function findKept({ song, fresh }: PreviewSource): PreviewSearch | null {
  const isKept = ahead?.songId === song.id && !fresh && Date.now() - ahead.at < PREFETCH_LIFETIME
  return isKept && ahead ? ahead.found : null
}

async function search({ song, fresh }: PreviewSource, signal?: AbortSignal): PreviewSearch {
  const { deezerId: known, albumArt } = song
  if (!known) return ask(song, fresh, signal)
  if (!fresh)
    return { success: true, message: null, result: { source: 'deezer', previewUrl: known, albumArt } }
  // It has expired since the song was loaded, and the server may know a newer one.
  const found = await ask(song, false, signal)
  return found.result?.previewUrl === known ? ask(song, true, signal) : found
}

function ask(song: PreviewSource['song'], fresh: boolean, signal?: AbortSignal): PreviewSearch {
  const songId = isInCatalogue(song) ? song.id : undefined
  const query = { artist: song.artist.slice(0, 200), title: song.title.slice(0, 200), songId }
  return call(searchPreview, { query: fresh ? { ...query, fresh: 'true' } : query }, signal && { signal })
}
