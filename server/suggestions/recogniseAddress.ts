import { setTimeout as wait } from 'node:timers/promises'
import type { RecognisedSong } from '../../contract/suggestions.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Integrations } from '../integrations/integrations.ts'
import { findCatalogueSongs } from './catalogueSongs.ts'
import { parseSongAddress, type SongAddress } from './songAddress.ts'
import { findOpenSuggestion } from './suggestions.ts'

/**
 * Recognises the song at an address. Only the service's configured address is requested, with the id that was found
 * (desk-3).
 * @throws HttpError 400 for an address that is not a song's, with what to do.
 */
export async function recogniseAddress(
  { db, env, integrations }: Pick<Context, 'db' | 'env' | 'integrations'>,
  typedAddress: string,
): Promise<RecognisedSong> {
  const songAddress = parseSongAddress(typedAddress)
  if ('refusal' in songAddress) throw new HttpError(400, songAddress.refusal)
  const { title, artist, year, message } = await lookUpSong(integrations, songAddress)
  const candidate = { ...songAddress.ids, title: title ?? '', artist: artist ?? '' }
  const [catalogueSongs = []] = await findCatalogueSongs(db, env, [candidate])
  const open = await findOpenSuggestion(db, candidate)
  return {
    service: songAddress.service,
    address: songAddress.address,
    title,
    artist,
    year,
    message,
    known: catalogueSongs[0] ?? null,
    votes: open?.votes ?? 0,
  }
}

type LookUpResult = Pick<RecognisedSong, 'title' | 'artist' | 'year' | 'message'>

async function lookUpSong(
  { youtube, deezer, spotify, musicbrainz }: Integrations,
  { service, ids }: SongAddress,
): Promise<LookUpResult> {
  switch (service) {
    case 'youtube':
      return lookUpVideo(youtube, ids.youtubeId ?? '')
    case 'deezer': {
      const answer = await deezer.find(ids.deezerTrackId ?? '')
      if ('error' in answer) return unknownSong(noAnswerFrom('Deezer'))
      const [track] = answer.tracks
      if (!track) throw new HttpError(400, 'There is no such track at Deezer.')
      return { title: track.title, artist: track.artist || null, year: null, message: null }
    }
    case 'spotify': {
      const answer = await spotify.find(ids.spotifyId ?? '')
      if (!Array.isArray(answer)) return unknownSong(noAnswerFrom('Spotify'))
      const [track] = answer
      if (!track) throw new HttpError(400, 'There is no such track at Spotify.')
      return {
        title: track.name,
        artist: track.artists.filter(Boolean).join(', ') || null,
        year: null,
        message: null,
      }
    }
    case 'bandcamp':
      return unknownSong('Bandcamp has no look-up. Please type title and artist.')
    case 'musicbrainz':
      return lookUpRecording(musicbrainz, ids.recordingMbid ?? '')
  }
}

async function lookUpVideo(youtube: Integrations['youtube'], id: string): Promise<LookUpResult> {
  const answers = await youtube.check([id])
  const video = answers === 'bad-key' ? undefined : answers.get(id)
  if (!video || 'error' in video) return unknownSong(noAnswerFrom('YouTube'))
  if (!video.exists) throw new HttpError(400, video.problem ?? 'There is no such video.')
  const name = video.title === null ? null : parseVideoTitle(video.title, video.channel)
  const message = video.embeddable
    ? name?.artist
      ? null
      : 'Please check title and artist.'
    : 'This video cannot be played here. If you know another video of the song, please use that one.'
  return { title: name?.title ?? null, artist: name?.artist ?? null, year: null, message }
}

/** Milliseconds. The client of MusicBrainz waits longer, because it also serves long runs. */
const MUSICBRAINZ_TIMEOUT = 3500

async function lookUpRecording(musicbrainz: Integrations['musicbrainz'], id: string): Promise<LookUpResult> {
  const timeout = wait(MUSICBRAINZ_TIMEOUT, { error: 'late' }, { ref: false })
  const answer = await Promise.race([musicbrainz.find([id]), timeout])
  if ('error' in answer) return unknownSong(noAnswerFrom('MusicBrainz'))
  const recording = answer.recordings.find(({ mbid }) => mbid === id)
  if (!recording)
    return unknownSong('MusicBrainz does not know this recording. Please type title and artist.')
  const { title, artist, firstReleased } = recording
  return { title, artist, year: yearOf(firstReleased), message: null }
}

const yearOf = (date: string | null) => Number(/^(\d{4})/.exec(date ?? '')?.[1]) || null

const unknownSong = (message: string): LookUpResult => ({ title: null, artist: null, year: null, message })

const noAnswerFrom = (service: string) =>
  `${service} does not answer right now. The address is noted; please type title and artist.`

/** Title and artist of a video; the artist is null when unknown. */
interface ParsedVideoTitle {
  title: string
  artist: string | null
}

/**
 * 'Slowdive - Alison (Official Video)' is 'Alison' by Slowdive, and so is 'Alison' on the channel 'Slowdive - Topic',
 * where YouTube puts the recordings of labels. Any other channel may be anybody's.
 */
export function parseVideoTitle(title: string, channel: string | null): ParsedVideoTitle {
  const cleanTitle = title.replace(TITLE_EXTRAS, ' ').replace(/\s+/g, ' ').trim() || title
  const topic = /^(.+) - Topic$/.exec(channel ?? '')?.[1]
  if (topic) return { title: cleanTitle, artist: topic }
  const [, artist, name] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(cleanTitle) ?? []
  return artist && name
    ? { title: name.replace(/^["“'](.+)["”']$/, '$1'), artist }
    : { title: cleanTitle, artist: null }
}

/** What channels add to a title, in brackets. */
const TITLE_EXTRAS =
  /\s*[([][^)\]]*\b(official|video|audio|lyrics?|visuali[sz]er|hd|hq|4k|remaster(ed)?)\b[^)\]]*[)\]]/gi
