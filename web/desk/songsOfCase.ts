import type { DeskCase, FoundMicrogenre } from '../../contract/desk.ts'
import type { Song } from '../../contract/shapes.ts'

/** The songs of a case, to play them: several for a microgenre, none for people and collections. See `isInCatalogue`. */
export function songsOfCase({ subject, suggestion, video, microgenre, song }: DeskCase): Song[] {
  if (microgenre) return microgenre.examples.map((example) => songOfExample(microgenre, example))
  const values = song ?? video ?? suggestion
  if (!values) return []
  const { title, artist, year, albumArt, youtubeId, spotifyId, deezerTrackId, ...genre } = values
  return [
    {
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
    },
  ]
}

/** It has no ids, so a preview is searched for by its names. */
function songOfExample(
  { id, name, color }: FoundMicrogenre,
  { recordingMbid, title, artist, year }: FoundMicrogenre['examples'][number],
): Song {
  return {
    id: `microgenre-${id}-${recordingMbid}`,
    title,
    artist,
    year,
    albumArt: null,
    youtubeId: null,
    youtubeBlocked: false,
    spotifyId: null,
    deezerId: null,
    deezerTrackId: null,
    duration: null,
    microgenre: name,
    microgenreId: '0',
    color,
  }
}
