import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { LibrarySort } from '../../contract/exports.ts'
import { MAX_PLAYLIST_SONGS } from '../../contract/listenbrainz.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { MAX_TRACKS_PER_ADD } from '../integrations/listenbrainzAccounts.ts'
import { chooseBangers } from '../library/exportBangers.ts'
import { writeJspf } from '../profiles/playlistFiles.ts'
import { explainTrouble, markRefused, requireLink } from './links.ts'

interface Choice {
  microgenre?: string | undefined
  search?: string | undefined
  sort: LibrarySort
}

/** Milliseconds after which nothing more is added, so that the answer comes before the call's deadline. */
const MAX_DURATION = 40_000

/**
 * Sends the bangers of a filter as a playlist (library-35). What is there when the service stops answering stays.
 * @throws HttpError 400, 404, 409 or 502 when there is no playlist.
 */
export async function sendPlaylist(context: Context, listener: string, choice: Choice) {
  const { db, integrations } = context
  const { name, createPlaylist, addTracks } = integrations.listenbrainzAccounts
  const { link, token } = await requireLink(context, listener)
  const { title, songs } = await chooseBangers(db, listener, { ...choice, form: 'jspf' })
  const jspf = JSON.parse(await text(Readable.from(writeJspf(songs, title)))) as {
    playlist: { title: string; track: object[] }
  }
  const { track, ...playlist } = jspf.playlist
  const tracks = track.slice(0, MAX_PLAYLIST_SONGS)
  if (tracks.length === 0) throw new HttpError(400, 'None of these songs has a recording at MusicBrainz yet.')

  const created = await createPlaylist(token, playlist)
  if ('trouble' in created) {
    if (created.trouble === 'refused') await markRefused(db, link)
    throw explainTrouble(name, created.trouble)
  }
  let sent = 0
  const end = Date.now() + MAX_DURATION
  while (sent < tracks.length && Date.now() < end) {
    const batch = tracks.slice(sent, sent + MAX_TRACKS_PER_ADD)
    const added = await addTracks(token, created.value, batch)
    if ('trouble' in added) break
    sent += batch.length
  }
  const address = name === 'ListenBrainz' ? `https://listenbrainz.org/playlist/${created.value}` : null
  return { address, songs: tracks.length, sent }
}
