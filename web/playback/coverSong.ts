import type { Song } from '../../contract/shapes.ts'

/** What is beneath a covered song. A copy of one stays covered. */
const songs = new WeakMap<Song, Song>()

/**
 * The song as it shows before its verdict to a listener who chose 'Ear first' (discover-92): it has nothing that tells
 * what it is, and no video, which would show its title.
 */
export function coverSong<S extends Song>(song: S): S {
  if (isCovered(song)) return song
  const covered = {
    ...song,
    title: 'Hidden song',
    artist: 'Hidden artist',
    year: null,
    albumArt: null,
    youtubeId: null,
    spotifyId: null,
    deezerTrackId: null,
  }
  songs.set(covered, song)
  return covered
}

export const isCovered = (song: Song): boolean => songs.has(song)

/** The song itself, for after its verdict, and for calls. */
export const uncoverSong = <S extends Song>(song: S): S => (songs.get(song) as S | undefined) ?? song

/** Whether the only source of this covered song may be its video. */
export const hasCoveredVideo = (song: Song): boolean =>
  isCovered(song) && uncoverSong(song).youtubeId !== null
