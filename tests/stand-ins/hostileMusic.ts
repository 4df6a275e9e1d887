import type { KnownTrack } from './deezer.ts'
import type { KnownRecording, KnownRelease } from './musicbrainz.ts'
import type { Outside } from './outside.ts'

/** A song of the catalogue, with its true identity. */
export interface HostileSong {
  key: string
  artist: string
  title: string
  year: number | null
  durationMs: number | null
  isrc: string | null
  /** Its recording and ISRC; null where no service has them. */
  truth: { mbid: string | null; isrc: string | null }
  /** Why it has no recording. */
  reason: string | null
}

/**
 * Music as services know it: every song surrounded by remixes, live takes, covers, karaoke, artists of the same name,
 * wrong codes and other spellings. Adds it to the stand-ins.
 */
export function addHostileMusic(outside: Outside, size: number): HostileSong[] {
  return Array.from({ length: size }, (_, n) => {
    const makeMusic = KINDS[n % KINDS.length] as MakeMusic
    const { song = {}, mbid = null, isrc = null, reason = null, ...music } = makeMusic(plainSong(n))
    const whole = { ...plainSong(n).song, ...song }
    outside.musicbrainz.know(...(music.recordings ?? []))
    outside.deezer.know(...(music.tracks ?? []))
    if (music.match) outside.listenbrainz.know(whole, music.match)
    return { ...whole, truth: { mbid, isrc }, reason }
  })
}

/** The number of kinds: that many songs in a row are all of different kinds. */
export const songKindCount = () => KINDS.length

type CatalogueSong = Omit<HostileSong, 'truth' | 'reason'>

interface PlainSong {
  n: number
  song: CatalogueSong
  /** A recording of the song with these overrides; each `number` is another recording. */
  recording(number: number, overrides?: Partial<KnownRecording>): KnownRecording
  track(overrides?: Partial<KnownTrack>): KnownTrack
  /** An ISRC of this song. */
  code: string
}

interface KnownMusic {
  /** The differences from a plain song. */
  song?: Partial<CatalogueSong>
  mbid?: string
  isrc?: string
  reason?: string
  recordings?: KnownRecording[]
  tracks?: KnownTrack[]
  match?: { mbid: string; artist: string; title: string }
}

type MakeMusic = (plain: PlainSong) => KnownMusic

const ADJECTIVES = ['Velvet', 'Static', 'Northern', 'Paper', 'Copper', 'Midnight', 'Hollow']
const NOUNS = ['River', 'Signal', 'Garden', 'Engine', 'Mirror', 'Harbour', 'Lantern', 'Meadow', 'Ladder']
const BANDS = ['Foxes', 'Sisters', 'Machines', 'Travellers', 'Gardeners']

function plainSong(n: number): PlainSong {
  const artist = `The ${ADJECTIVES[(n * 3) % ADJECTIVES.length]} ${BANDS[n % BANDS.length]} ${n % 90}`
  const title = `${ADJECTIVES[n % ADJECTIVES.length]} ${NOUNS[n % NOUNS.length]} ${n}`
  const durationMs = 150_000 + ((n * 7919) % 200) * 1000
  const year = 1960 + (n % 60)
  const code = `GBHOS${String(n).padStart(7, '0')}`
  return {
    n,
    song: { key: `hostile-${n}`, artist, title, year, durationMs, isrc: null },
    recording: (number, overrides) => ({
      mbid: uuid(n, number),
      title,
      artist,
      // Names repeat after 630 songs.
      artistMbid: uuid(1_000_000 + (n % 630), 0),
      // As a CD counts it, with a pause.
      lengthMs: durationMs + 1800,
      releases: [makeRelease(n, number, { date: `${year}-03-01` })],
      ...overrides,
    }),
    track: (overrides) => ({ title, artist, seconds: Math.floor(durationMs / 1000), ...overrides }),
    code,
  }
}

const uuid = (n: number, number: number) =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

const makeRelease = (n: number, number: number, overrides: Partial<KnownRelease> = {}): KnownRelease => ({
  mbid: uuid(n, 1000 + number),
  ...overrides,
})

const KINDS: MakeMusic[] = [
  // Known to all, with its code at two services.
  ({ recording, track, code }) => ({
    recordings: [recording(0, { isrcs: [code] })],
    tracks: [track({ isrc: code })],
    mbid: recording(0).mbid,
    isrc: code,
  }),
  // Other versions by the same artist, all as long as the song.
  ({ song, recording }) => ({
    recordings: [
      recording(1, { title: `${song.title} (Club Remix)` }),
      recording(2, { title: `${song.title} - Live in Paris` }),
      recording(3, { disambiguation: 'live, 1999-05-01: Olympia, Paris' }),
      recording(4, { title: `${song.title} (Radio Edit)` }),
      recording(5, { title: `${song.title} (Karaoke Version)` }),
      recording(6, { isVideo: true }),
      recording(7, { disambiguation: 'instrumental' }),
      recording(0),
    ],
    mbid: recording(0).mbid,
  }),
  // Another spelling.
  ({ song, recording }) => ({
    song: {
      title: `ÉTOILE & ${song.title.toUpperCase()}`,
      artist: song.artist.replace('The ', '').toLowerCase(),
    },
    recordings: [recording(0, { title: `Etoile and ${song.title}` })],
    mbid: recording(0).mbid,
  }),
  // Two artists of one name, without anything that distinguishes them.
  ({ n, recording }) => ({
    song: { durationMs: null },
    recordings: [recording(0), recording(1, { artistMbid: uuid(2_000_000 + n, 0), lengthMs: 100_000 })],
    reason: 'ambiguous',
  }),
  // Two artists of one name, distinguished by length and year.
  ({ n, recording }) => ({
    recordings: [
      recording(1, {
        artistMbid: uuid(2_000_000 + n, 0),
        lengthMs: 400_000,
        releases: [makeRelease(n, 1, { date: '2024' })],
      }),
      recording(0),
    ],
    mbid: recording(0).mbid,
  }),
  // Only a live take that its title does not name.
  ({ recording }) => ({ recordings: [recording(0, { disambiguation: 'live' })], reason: 'not found' }),
  // Only karaoke and a tribute by others.
  ({ n, song, recording }) => ({
    recordings: [
      recording(0, { artist: 'Karaoke Kings', artistMbid: uuid(3_000_000, 0) }),
      recording(1, {
        title: `${song.title} (In the Style of ${song.artist})`,
        artistMbid: uuid(3_000_001, n),
      }),
    ],
    reason: 'not found',
  }),
  // An edit that its title does not name.
  ({ song, recording }) => ({
    recordings: [recording(0, { lengthMs: (song.durationMs ?? 0) - 30_000 })],
    reason: 'length differs',
  }),
  // Two takes of one artist, without anything that distinguishes them.
  ({ recording }) => ({
    song: { durationMs: null, year: null },
    recordings: [recording(0, { lengthMs: 200_000 }), recording(1, { lengthMs: 260_000 })],
    reason: 'ambiguous',
  }),
  // A second mastering.
  ({ n, recording }) => ({
    song: { year: null },
    recordings: [
      recording(1, { releases: [makeRelease(n, 1, { date: '2009-09-09' })] }),
      recording(0, {
        releases: [makeRelease(n, 0, { date: '1971' }), makeRelease(n, 2, { date: '2009-09-09' })],
      }),
    ],
    mbid: recording(0).mbid,
  }),
  // Its code belongs to another song at Deezer.
  ({ recording, track, code }) => ({
    recordings: [recording(0, { isrcs: [code] })],
    tracks: [track({ title: 'Something Else Entirely', isrc: code }), track()],
    mbid: recording(0).mbid,
  }),
  // ListenBrainz takes it for a remix.
  ({ song, recording }) => ({
    recordings: [recording(0), recording(1, { title: `${song.title} (Dub Mix)` })],
    match: { mbid: recording(1).mbid, artist: song.artist, title: song.title },
    mbid: recording(0).mbid,
  }),
  // ListenBrainz knows it.
  ({ song, recording }) => ({
    recordings: [recording(0)],
    match: { mbid: recording(0).mbid, artist: song.artist, title: song.title },
    mbid: recording(0).mbid,
  }),
  // Nobody knows it.
  () => ({ reason: 'not found' }),
  // The first song of this round again, in another spelling.
  ({ n }) => {
    const { song } = plainSong(n - 14)
    return {
      song: {
        ...song,
        key: `hostile-${n}`,
        title: song.title.toLowerCase(),
        artist: song.artist.toUpperCase(),
      },
      reason: 'duplicate',
    }
  },
  // MusicBrainz has a subtitle more.
  ({ song, recording }) => ({
    recordings: [recording(0, { title: `${song.title} (Where the Water Goes)` })],
    mbid: recording(0).mbid,
  }),
  // The operator knows its code.
  ({ n, recording, code }) => ({
    song: { isrc: code, year: null },
    recordings: [
      recording(1, { releases: [makeRelease(n, 1, { date: '1950' })] }),
      recording(0, { isrcs: [code] }),
    ],
    mbid: recording(0).mbid,
    isrc: code,
  }),
  // Two movements with one code: https://github.com/music-assistant/support/issues/2316
  ({ song, recording, track, code }) => ({
    song: { title: `${song.title}: I. Allegro` },
    recordings: [
      recording(0, { title: `${song.title}: I. Allegro`, isrcs: [code] }),
      recording(1, { title: `${song.title}: II. Andante`, isrcs: [code] }),
    ],
    tracks: [track({ title: `${song.title}: II. Andante`, isrc: code })],
    mbid: recording(0).mbid,
  }),
  // Only on live records.
  ({ n, recording }) => ({
    recordings: [recording(0, { releases: [makeRelease(n, 0, { secondaryTypes: ['Live'] })] })],
    reason: 'not found',
  }),
  // Only a video.
  ({ recording }) => ({ recordings: [recording(0, { isVideo: true })], reason: 'not found' }),
  // A cover by another artist, as long as the song.
  ({ recording }) => ({
    recordings: [recording(0, { artist: 'Somebody Else', artistMbid: uuid(3_000_002, 0) })],
    reason: 'not found',
  }),
  // The song is the live take.
  ({ n, song, recording }) => ({
    song: { title: `${song.title} (Live)` },
    recordings: [
      recording(1),
      recording(0, {
        title: `${song.title} (Live)`,
        releases: [makeRelease(n, 0, { date: `${song.year}`, secondaryTypes: ['Live'] })],
      }),
    ],
    mbid: recording(0).mbid,
  }),
  // A guest.
  ({ song, recording }) => ({
    song: { artist: `${song.artist} feat. A Guest` },
    recordings: [recording(0)],
    mbid: recording(0).mbid,
  }),
  // A recording of another time, and no length.
  ({ n, recording }) => ({
    song: { durationMs: null, year: 1930 },
    recordings: [recording(0, { releases: [makeRelease(n, 0, { date: '1999' })] })],
    reason: 'year differs',
  }),
  // Recorded again by the same artist, decades later, and Deezer has only that.
  ({ n, song, recording, track }) => ({
    song: { durationMs: null, year: 1965 },
    recordings: [
      recording(0, { lengthMs: 150_000, releases: [makeRelease(n, 0, { date: '1965' })] }),
      recording(1, {
        lengthMs: (song.durationMs ?? 0) + 40_000,
        releases: [makeRelease(n, 1, { date: '1995' })],
      }),
    ],
    tracks: [track({ seconds: (song.durationMs ?? 0) / 1000 + 40 })],
    reason: 'year differs',
  }),
  // Deezer has only a live take, whose length is not the song's.
  ({ song, recording, track }) => ({
    song: { durationMs: null },
    recordings: [recording(0), recording(1, { title: `${song.title} (Live)`, lengthMs: 311_000 })],
    tracks: [track({ title: `${song.title} (Live)`, seconds: 311 })],
    mbid: recording(0).mbid,
  }),
]
