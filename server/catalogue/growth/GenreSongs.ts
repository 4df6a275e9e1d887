import { compareNames, leadArtist, type Named } from '../identity/names.ts'
import { spell } from '../identity/spelling.ts'

/** Songs of one artist in so many. */
const SHARE = { songs: 3, of: 20 }

/** The songs of a microgenre, by artist. */
export class GenreSongs {
  /** By lead artist. */
  private readonly songs = new Map<string, Named[]>()
  private readonly shares = new Map<string, number>()
  private readonly artists = new Set<string>()
  private total = 0

  /** Adds a song. A retired one is known, but has no share. */
  add(song: Named, isRetired = false): void {
    const lead = leadArtist(song.artist)
    this.songs.set(lead, [...(this.songs.get(lead) ?? []), song])
    if (isRetired) return
    this.artists.add(spell(song.artist))
    this.shares.set(lead, (this.shares.get(lead) ?? 0) + 1)
    this.total += 1
  }

  /** The song that has these names, however they are spelled, with or without a subtitle. */
  find(song: Named): Named | null {
    const ofArtist = this.songs.get(leadArtist(song.artist)) ?? []
    return ofArtist.find((one) => compareNames(one, song) !== 'other') ?? null
  }

  hasArtist(artist: string): boolean {
    return this.artists.has(spell(artist))
  }

  /** Whether one more song leaves the artist within its share (catalogue-14). */
  hasRoomFor(artist: string): boolean {
    const most = Math.max(SHARE.songs, Math.floor((SHARE.songs * (this.total + 1)) / SHARE.of))
    return (this.shares.get(leadArtist(artist)) ?? 0) < most
  }
}
