import type { DeskCase } from '../../contract/desk.ts'
import type { Song } from '../../contract/shapes.ts'

/** The song of a case, to play it; null for people and collections. See `isInCatalogue`. */
export function songOfCase({ subject, suggestion, video, song }: DeskCase): Song | null {
  const values = song ?? video ?? suggestion
  if (!values) return null
  const { title, artist, year, albumArt, youtubeId, spotifyId, deezerTrackId, ...genre } = values
  return {
    id: song ? song.id : `${subject}-${values.id}`,
    title,
    artist,
    year,
    albumArt,
    youtubeId,
    youtubeBlocked: false,
    // Of a video that is judged nothing else may play.
    spotifyId: video ? null : spotifyId,
    deezerId: null,
    deezerTrackId,
    duration: null,
    microgenre: genre.microgenre,
    microgenreId: genre.microgenreId,
    color: genre.color,
  }
}
