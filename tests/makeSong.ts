import type { OfferedSong } from '../contract/discovery.ts'

/** A song without art, video and length, except for what a test is about. */
export function makeSong(id: string, about: Partial<OfferedSong> = {}): OfferedSong {
  return {
    id,
    title: `Song ${id}`,
    artist: `Artist ${id}`,
    year: null,
    albumArt: null,
    youtubeId: null,
    youtubeBlocked: false,
    spotifyId: null,
    deezerId: null,
    deezerTrackId: null,
    audio: null,
    duration: null,
    microgenre: 'dub',
    microgenreId: '1',
    color: '#2f9e4f',
    putOff: false,
    reason: 'shuffle',
    ...about,
  }
}
