import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ExportFilter, ExportSort } from './exports.ts'
import { Import } from './imports.ts'
import { Success } from './shapes.ts'

/** Songs of a playlist that is sent; further ones are left out (library-35). */
export const MAX_PLAYLIST_SONGS = 1000

/** The account that a listener linked (library-33). Its token is never in an answer. */
export const Listenbrainz = z.object({
  /** 'ListenBrainz', or the host of the service in its place. */
  service: z.string(),
  link: z.nullable(
    z.object({
      userName: z.string(),
      sendsBusts: z.boolean(),
      /** It refuses the token, so nothing is sent. */
      isRefused: z.boolean(),
      /** For half an hour nothing could be sent, or what is there not be read. */
      isFailing: z.boolean(),
      /** Ratings that are there. */
      sent: z.int(),
      /** Bangers that wait for a recording at MusicBrainz. */
      waiting: z.int(),
    }),
  ),
})
export type Listenbrainz = z.infer<typeof Listenbrainz>

export const getListenbrainz = endpoint('GET /api/users/me/listenbrainz', {
  access: 'signed-in',
  summary: "The listener's account at ListenBrainz, if one is linked (library-33).",
  response: Listenbrainz,
})

export const linkListenbrainz = endpoint('PUT /api/users/me/listenbrainz', {
  access: 'signed-in',
  summary: 'Links an account by a user token that ListenBrainz accepts (library-33).',
  body: z.object({
    /** Part of a header. */
    token: z
      .string()
      .check(z.trim(), z.regex(/^[!-~]{8,200}$/, 'must be a token of 8 to 200 letters, digits and signs')),
  }),
  response: Listenbrainz,
  deadline: 20_000,
  fails: [502],
})

export const sendBusts = endpoint('PUT /api/users/me/listenbrainz/busts', {
  access: 'signed-in',
  summary: 'Whether busts become hates (library-34).',
  body: z.object({ send: z.boolean() }),
  response: Listenbrainz,
  fails: [404],
})

export const unlinkListenbrainz = endpoint('DELETE /api/users/me/listenbrainz', {
  access: 'signed-in',
  summary: 'Forgets account and token; what was sent stays there (library-33).',
  response: Success,
})

export const sendPlaylist = endpoint('POST /api/users/me/listenbrainz/playlists', {
  access: 'signed-in',
  summary:
    'Creates a private playlist at ListenBrainz of the bangers, or of those that the filter leaves (library-35).',
  body: z.extend(ExportFilter, { sort: ExportSort }),
  response: z.object({
    /** Its page; null for another service than ListenBrainz. */
    address: z.nullable(z.string()),
    songs: z.int(),
    /** Fewer when the service stopped answering, or is slow. */
    sent: z.int(),
  }),
  deadline: 60_000,
  fails: [404, 409, 502],
})

export const importLoves = endpoint('POST /api/users/me/listenbrainz/imports', {
  access: 'signed-in',
  summary:
    'Reads the loves and hates that are there as an import, which is applied like one of a file (library-36).',
  response: Import,
  deadline: 60_000,
  fails: [404, 409, 413, 502],
})
