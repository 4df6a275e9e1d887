import type { ImportItem, LeftOutReason, RawField, RawSong, ReadContext, Verdict } from './importItems.ts'
import { textOf, toItem } from './importItems.ts'

/** An object of a JSON file, or a row of a table by its normalised header. */
export type Row = Record<string, unknown>
/** Where a field is: keys joined by dots, or a function. */
type Field = string | ((row: Row) => unknown)

/** The columns of one format. */
export interface Shape {
  /** For people. */
  source: string
  /** Without one a row is a play. */
  verdict?: Verdict | ((row: Row) => Verdict)
  fields: Partial<Record<RawField, Field>>
  leaveOut?: (row: Row) => LeftOutReason | null | false
}

/** A format that is found by the names in its rows. */
export interface NamedShape extends Shape {
  /** What a row of this format has, and others have not; nothing where all of `list` are rows. */
  has: string[]
  /** The list of a document that has the rows. */
  list?: string
}

/** The row's song, or why it is left out. */
export function readRow(shape: Shape, row: Row, context: ReadContext): ImportItem {
  context.sources.add(shape.source)
  const reason = shape.leaveOut?.(row)
  if (reason) return { leftOut: reason }
  const { verdict = null } = shape
  const raw: RawSong = { verdict: typeof verdict === 'function' ? verdict(row) : verdict }
  for (const [field, where] of Object.entries(shape.fields) as [RawField, Field][])
    raw[field] = typeof where === 'function' ? where(row) : valueAt(row, where)
  return toItem(raw, context)
}

export function valueAt(row: unknown, path: string): unknown {
  // Most have no dot, in a million rows.
  if (!path.includes('.')) return (row as Row | null | undefined)?.[path]
  let value = row
  for (const key of path.split('.')) value = (value as Row | null | undefined)?.[key]
  return value
}

/** 'Artist - Title' */
const splitName = (field: string) => {
  const part = (group: number) => (row: Row) => /^(.+?) [-–—] (.+)$/.exec(textOf(row[field]).trim())?.[group]
  return { artist: part(1), title: part(2) }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Koito's names are lists of which one is primary. */
const primaryAlias = (owner: unknown) => {
  const aliases = listOf(valueAt(owner, 'aliases'))
  return valueAt(aliases.find((one) => valueAt(one, 'is_primary')) ?? aliases[0], 'alias')
}

/** What YouTube puts around a title, in the languages of most accounts. Portuguese and Chinese have the English word. */
const WATCHED =
  /^(?:Watched|Vous avez regardé|Has visto|Hai guardato|Tittade på|Så på|Ați vizionat|Obejrzano:|Просмотрено видео|Ви дивилися відео|Zhlédli jste video|Pinanood ang|Παρακολουθήσατε το βίντεο|Гледахте|Je hebt naar(?=.* gekeken$)|تمت مشاهدة) | (?:angesehen|gekeken|を視聴しました|을\(를\) 시청했습니다\.?|adlı videoyu izlediniz|katsottiin|izlənildi|देखा)$/g

const watchedTitle = (row: Row) => {
  const title = textOf(row.title)
  return title.includes('://') ? '' : title.replace(WATCHED, '')
}
const channelOf = (row: Row) => textOf(valueAt(row, 'subtitles.0.name'))
/** Other videos have any title, and the name of who uploaded them. */
const isMusicVideo = (row: Row) => channelOf(row).endsWith(' - Topic')

const scoreVerdict = (row: Row): Verdict => (Number(row.score) < 0 ? 'bust' : 'banger')
const ratingVerdict = ({ rating }: Row): Verdict => (rating === 'banger' || rating === 'bust' ? rating : null)

const LISTEN = {
  title: 'track_metadata.track_name',
  artist: 'track_metadata.artist_name',
  isrc: 'track_metadata.additional_info.isrc',
  youtube_id: 'track_metadata.additional_info.youtube_id',
  spotify_id: 'track_metadata.additional_info.spotify_id',
  addresses: 'track_metadata.additional_info.origin_url',
  recording_mbid: (row: Row) =>
    valueAt(row, 'track_metadata.mbid_mapping.recording_mbid') ??
    valueAt(row, 'track_metadata.additional_info.recording_mbid'),
} satisfies Shape['fields']

const SPOTIFY_LIST = {
  has: ['track', 'artist', 'uri'],
  fields: { title: 'track', artist: 'artist', spotify_id: 'uri' },
}

/** Loves come before histories. */
export const JSON_SHAPES: NamedShape[] = [
  { ...SPOTIFY_LIST, source: 'Spotify, library', list: 'tracks', verdict: 'banger' },
  { ...SPOTIFY_LIST, source: 'Spotify, hidden songs', list: 'bannedTracks', verdict: 'bust' },
  {
    source: 'Spotify, playlists',
    list: 'playlists',
    has: ['track', 'localTrack'],
    verdict: 'banger',
    fields: {
      title: 'track.trackName',
      artist: 'track.artistName',
      spotify_id: (row) => valueAt(row, 'track.trackUri') ?? valueAt(row, 'localTrack.uri'),
      at: 'addedDate',
    },
    leaveOut: (row) => !row.track && !row.localTrack && 'not music',
  },
  {
    source: 'ListenBrainz, loves',
    has: ['score', 'recording_mbid'],
    verdict: scoreVerdict,
    fields: { ...LISTEN, recording_mbid: 'recording_mbid', at: 'created' },
    leaveOut: (row) => Number(row.score) === 0 && 'unreadable',
  },
  {
    source: 'Banger or Bust, data',
    list: 'ratings',
    has: ['title', 'artist', 'rating', 'ratedAt'],
    verdict: ratingVerdict,
    fields: {
      title: 'title',
      artist: 'artist',
      microgenre: 'microgenre',
      youtube_id: 'youtubeId',
      spotify_id: 'spotifyId',
      at: 'ratedAt',
    },
    leaveOut: (row) => ratingVerdict(row) === null && 'not loved',
  },
  {
    source: 'Spotify, extended history',
    has: ['ts', 'ms_played', 'master_metadata_track_name'],
    fields: {
      title: 'master_metadata_track_name',
      artist: 'master_metadata_album_artist_name',
      spotify_id: 'spotify_track_uri',
      at: 'ts',
      ms: 'ms_played',
    },
    leaveOut: (row) =>
      (row.incognito_mode === true && 'private') ||
      (!row.master_metadata_track_name && 'not music') ||
      (row.skipped === true && 'short'),
  },
  {
    source: 'Spotify, history',
    has: ['endTime', 'msPlayed'],
    fields: { title: 'trackName', artist: 'artistName', at: 'endTime', ms: 'msPlayed' },
    leaveOut: (row) => !('trackName' in row) && 'not music',
  },
  {
    source: 'ListenBrainz, listens',
    has: ['listened_at', 'track_metadata'],
    fields: { ...LISTEN, at: 'listened_at', seconds: 'track_metadata.additional_info.duration_played' },
  },
  {
    source: 'YouTube, history',
    has: ['header', 'title', 'time'],
    fields: {
      title: (row) => isMusicVideo(row) && watchedTitle(row),
      artist: (row) => isMusicVideo(row) && channelOf(row).replace(/ - Topic$/, ''),
      addresses: 'titleUrl',
      at: 'time',
    },
    leaveOut: (row) =>
      listOf(row.details).some((detail) => valueAt(detail, 'name') === 'From Google Ads') && 'not music',
  },
  {
    source: 'Koito',
    list: 'listens',
    has: ['listened_at', 'track', 'artists'],
    fields: {
      title: (row) => primaryAlias(row.track),
      artist: (row) => listOf(row.artists).map(primaryAlias).map(textOf).filter(Boolean).join(', '),
      recording_mbid: 'track.mbid',
      at: 'listened_at',
    },
  },
  {
    source: 'Maloja',
    list: 'scrobbles',
    has: ['time', 'track'],
    fields: {
      title: 'track.title',
      artist: (row) => listOf(valueAt(row, 'track.artists')).map(textOf).filter(Boolean).join(', '),
      at: 'time',
      seconds: 'duration',
    },
  },
  {
    source: 'Last.fm',
    has: ['name', 'artist', 'album'],
    fields: {
      title: 'name',
      artist: (row) => valueAt(row, 'artist.#text') ?? valueAt(row, 'artist.name'),
      recording_mbid: 'mbid',
      at: 'date.uts',
    },
    // It is playing now.
    leaveOut: (row) => !valueAt(row, 'date.uts') && 'bad date',
  },
  {
    source: 'Playlist (JSPF)',
    list: 'playlist',
    has: [],
    verdict: 'banger',
    fields: { title: 'title', artist: 'creator', addresses: (row) => [row.identifier, row.location].flat() },
  },
]

/** Tables with a header of their own; others are read by the names of columns. */
export const TABLE_SHAPES: NamedShape[] = [
  {
    source: 'Last.fm',
    has: ['uts', 'artist', 'track'],
    fields: { title: 'track', artist: 'artist', recording_mbid: 'trackmbid', at: 'uts' },
  },
  {
    source: 'Apple Music, likes',
    has: ['itemdescription', 'preference'],
    verdict: (row) => (/^dis/i.test(textOf(row.preference)) ? 'bust' : 'banger'),
    fields: { ...splitName('itemdescription'), at: 'created' },
  },
  {
    source: 'Apple Music, daily tracks',
    has: ['trackdescription', 'dateplayed', 'playcount'],
    fields: {
      ...splitName('trackdescription'),
      at: 'dateplayed',
      plays: 'playcount',
      ms: 'playdurationmilliseconds',
    },
  },
  {
    source: 'Apple Music, track history',
    has: ['trackname', 'lastplayeddate'],
    fields: { ...splitName('trackname'), at: 'lastplayeddate' },
  },
  {
    // It names no artist, except in its first versions.
    source: 'Apple Music, play activity',
    has: ['eventtype', 'playdurationmilliseconds'],
    fields: {
      title: (row) => row.songname || row.contentname,
      artist: 'artistname',
      at: 'eventstarttimestamp',
      ms: 'playdurationmilliseconds',
    },
  },
  ...['listeningtime', 'listeningtimes'].map(
    (seconds): NamedShape => ({
      source: 'Deezer',
      has: ['songtitle', 'artist', seconds, 'date'],
      fields: { title: 'songtitle', artist: 'artist', isrc: 'isrc', at: 'date', seconds },
    }),
  ),
]

/** Tables without a header, by the place of their columns. */
export const ROCKBOX: Shape = {
  source: 'Rockbox',
  fields: { artist: '0', title: '2', at: '6', recording_mbid: '7' },
  leaveOut: (row) => row[5] === 'S' && 'short',
}
export const LASTFM_WITHOUT_HEADER: Shape = {
  source: 'Last.fm',
  fields: { artist: '0', title: '2', at: '3' },
}
/** Headers follow the account's language, but not their order. */
export const YOUTUBE_LIBRARY: Shape = {
  source: 'YouTube Music, library',
  verdict: 'banger',
  fields: {
    youtube_id: '0',
    title: '1',
    artist: (row) => Object.values(row).slice(3).map(textOf).filter(Boolean).join(', '),
  },
}
export const YOUTUBE_PLAYLIST: Shape = {
  source: 'YouTube, playlists',
  verdict: 'banger',
  fields: { youtube_id: '0', at: '1' },
}

const NOT_MUSIC = ['Podcast', 'Movie', 'TV Show', 'Audiobook', 'Music Video Rental']
export const XML_SHAPES: NamedShape[] = [
  {
    source: 'Playlist (XSPF)',
    list: 'track',
    has: [],
    verdict: 'banger',
    fields: { title: 'title', artist: 'creator', addresses: (row) => [row.identifier, row.location].flat() },
  },
  {
    source: 'Music.app, library',
    list: 'dict',
    has: ['Track ID', 'Name'],
    verdict: (row) => (row.Loved || row.Favorited ? 'banger' : row.Disliked ? 'bust' : null),
    fields: {
      title: 'Name',
      artist: 'Artist',
      plays: (row) => row['Play Count'] ?? 0,
      at: (row) => (row.Loved || row.Favorited || row.Disliked ? null : row['Play Date UTC']),
    },
    leaveOut: (row) => NOT_MUSIC.some((name) => row[name]) && 'not music',
  },
]
