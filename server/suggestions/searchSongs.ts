import { type FoundSong, MAX_SEARCH_RESULTS } from '../../contract/suggestions.ts'
import type { Context } from '../context.ts'
import { findCatalogueSongs, searchCatalogue } from './catalogueSongs.ts'
import { deezerAddress } from './songAddress.ts'

/** Songs of the catalogue per response; the others come from Deezer. */
const MAX_CATALOGUE_RESULTS = 4

/** Songs for words of title and artist: first those of the catalogue, then Deezer's (desk-4). */
export async function searchSongs(
  { db, env, integrations }: Pick<Context, 'db' | 'env' | 'integrations'>,
  words: string,
): Promise<{ songs: FoundSong[]; deezer: boolean }> {
  const [catalogueSongs, answer] = await Promise.all([
    searchCatalogue(db, env, words.split(/\s+/), MAX_CATALOGUE_RESULTS),
    integrations.deezer.searchWords(words),
  ])
  const tracks = 'tracks' in answer ? answer.tracks.filter(({ artist }) => artist !== '') : []
  const known = await findCatalogueSongs(
    db,
    env,
    tracks.map(({ title, artist, id }) => ({ title, artist, deezerTrackId: id })),
  )
  const deezerSongs = tracks.map(({ title, artist, albumArt, id }, n) => ({
    title,
    artist,
    albumArt,
    address: deezerAddress(id),
    known: known[n]?.[0] ?? null,
  }))
  const shown = new Set(catalogueSongs.map(({ id }) => id))
  return {
    songs: [
      ...catalogueSongs.map((song) => ({
        title: song.title,
        artist: song.artist,
        albumArt: song.albumArt,
        address: null,
        known: song,
      })),
      ...deezerSongs.filter((song) => !song.known || !shown.has(song.known.id)),
    ].slice(0, MAX_SEARCH_RESULTS),
    deezer: 'tracks' in answer,
  }
}
