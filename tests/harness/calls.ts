import { setTimeout as wait } from 'node:timers/promises'
import { createInvitation, listLimits } from '../../contract/admin.ts'
import { decideCase } from '../../contract/desk.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getPasskeyChallenge, getPasskeyOptions, listPasskeys } from '../../contract/passkeys.ts'
import {
  createMultipart,
  getUploadParameters,
  requestPhotoUpload,
  setPhoto,
  signPart,
} from '../../contract/uploads.ts'
import { createLink } from '../../server/auth/magicLink.ts'
import { createSession } from '../../server/auth/sessions.ts'
import type { Database } from '../../server/db/connection.ts'
import { rate } from '../factories.ts'
import { makePlainPicture } from '../pictures.ts'
import { uploadImport, uploadPhoto } from './multipart.ts'
import { type OwnerFixture, QUESTIONNAIRE_ANSWERS } from './ownerFixture.ts'
import { makePasskey } from './passkeys.ts'
import { pathOf, type Visitor } from './visitor.ts'

/** A call as it is sent, with parameters, query and body as in the contract. */
export interface CallContext {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  /** For an endpoint that accepts a file. */
  bytes?: string
}

/**
 * What the tests of all endpoints need to know about one. A new endpoint needs a row: how its owner calls it, and any
 * unusual statuses. `tests/api/everyCall.test.ts` fails until it has one.
 */
export interface Call {
  /** The input of a successful call by the owner of the fixture, made anew for each caller. */
  input?(fixture: OwnerFixture): CallContext | Promise<CallContext>
  /** The owner's status; default 200. */
  ownerStatus?: number
  /**
   * The status of another listener who makes exactly the owner's call. Default 200, for calls about the caller.
   * Where the contract says `owns` it must be 404.
   */
  otherStatus?: number
  /** A visitor's status; default 401. Required where the contract says that the call is public. */
  visitorStatus?: number
  /** Fields whose values only the fixture has. Generated requests keep them. */
  fixedFields?: string[]
  /** What the call ends for the caller. */
  consumes?: 'session' | 'account' | 'reservation'
  /** Fifty times slower than other calls, so fewer generated requests use it. */
  isSlow?: true
}

/** The parameters of a signed address. */
export const SIGNED_URL_FIELDS = ['part', 'size', 'limit', 'expires', 'signature'] as const

const UPLOAD_CALL: Call = {
  input: withUpload,
  otherStatus: 404,
  fixedFields: ['key'],
  consumes: 'reservation',
}
const IMPORT_CALL: Call = { input: withImport, otherStatus: 404 }
const COLLECTION_CALL: Call = {
  input: ({ collection }) => ({ params: { id: collection.id } }),
  otherStatus: 404,
}

/** One row for each endpoint of the contract, by method and path. */
export const CALLS: Record<string, Call> = {
  'GET /api/auth/user': {},
  'POST /api/auth/magic-link/send': {
    input: ({ owner }) => ({ body: { email: `friend-of-${owner.id}@example.test` } }),
    visitorStatus: 200,
  },
  'GET /sign-in/link': { input: withLink, visitorStatus: 200, fixedFields: ['token'] },
  'POST /sign-in/link': {
    input: withLink,
    ownerStatus: 302,
    otherStatus: 302,
    visitorStatus: 302,
    fixedFields: ['token'],
    consumes: 'session',
  },
  'POST /api/auth/magic-link/code': {
    input: () => ({ body: { code: '123 456' } }),
    ownerStatus: 403,
    otherStatus: 403,
    visitorStatus: 403,
  },
  'POST /api/auth/invitation': { input: () => ({ body: { token: 'unknown' } }), visitorStatus: 200 },
  'GET /api/logout': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302, consumes: 'session' },
  'GET /api/auth/google': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/auth/facebook': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/login': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/auth/oidc': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  // A callback without a start leads to the sign-in screen.
  'GET /api/auth/google/callback': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/auth/facebook/callback': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/callback': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/auth/oidc/callback': { ownerStatus: 302, otherStatus: 302, visitorStatus: 302 },
  'GET /api/auth/sessions': {},
  'DELETE /api/auth/sessions/:id': {
    async input({ db, owner }) {
      await createSession(db, owner.id, null)
      const [row] = await db<{ id: string }[]>`select id from sessions where user_id = ${owner.id} limit 1`
      return { params: { id: row?.id ?? '' } }
    },
    otherStatus: 404,
    consumes: 'session',
  },
  'DELETE /api/auth/sessions': { consumes: 'session' },
  'GET /api/auth/tokens': {},
  'POST /api/auth/tokens': { input: () => ({ body: { name: 'Backup', scopes: ['read', 'export'] } }) },
  'DELETE /api/auth/tokens/:id': {
    async input({ db, owner }) {
      const [row] = await db<{ id: string }[]>`
        insert into api_tokens (token_hash, user_id, name, scopes)
        values (uuid_send(gen_random_uuid()), ${owner.id}, 'Backup', '{read}') returning id`
      return { params: { id: row?.id ?? '' } }
    },
    otherStatus: 404,
  },
  'GET /api/auth/passkeys': {},
  'GET /api/auth/passkeys/new': {},
  'POST /api/auth/passkeys': {
    async input({ db, owner, publicUrl }) {
      await db`delete from passkeys where user_id = ${owner.id}`
      const { body } = await owner.call(getPasskeyOptions)
      return { body: makePasskey(publicUrl).register(body) }
    },
    // The challenge is for the owner.
    otherStatus: 409,
  },
  'PUT /api/auth/passkeys/:id': {
    input: async (fixture) => ({ params: await withPasskey(fixture), body: { name: 'Laptop' } }),
    otherStatus: 404,
  },
  'DELETE /api/auth/passkeys/:id': {
    input: async (fixture) => ({ params: await withPasskey(fixture) }),
    otherStatus: 404,
  },
  'GET /api/auth/passkeys/challenge': { visitorStatus: 200 },
  'POST /api/auth/passkeys/sign-in': {
    async input({ db, owner, publicUrl }) {
      const passkey = makePasskey(publicUrl)
      await passkey.store(db, await makeAccount(db, 'Keyed'))
      const { body } = await owner.call(getPasskeyChallenge)
      return { body: passkey.signIn(body) }
    },
    visitorStatus: 200,
    consumes: 'session',
  },

  'GET /api/microgenres': {},
  'GET /api/microgenres/stats': {},
  'GET /api/microgenres/map': {},
  'GET /api/microgenres/suggestions': {
    input: ({ genre }) => ({ query: { exclude: genre.id, limit: '4' } }),
  },
  'GET /api/microgenres/:id/next-song': {
    input: ({ genre }) => ({ params: { id: genre.id }, query: { prefetch: 'true', _t: '1' } }),
  },
  'PUT /api/songs/:id/more-like-this': {
    input: ({ genre }) => ({ params: { id: genre.songs[1] ?? '' } }),
    ownerStatus: 409,
    otherStatus: 409,
  },
  'DELETE /api/songs/:id/more-like-this': {
    input: ({ genre }) => ({ params: { id: genre.songs[1] ?? '' } }),
  },
  'GET /api/songs/:id/why': { input: ({ genre }) => ({ params: { id: genre.songs[1] ?? '' } }) },
  'DELETE /api/microgenres/:id/progress': { input: ({ genre }) => ({ params: { id: genre.id } }) },
  'POST /api/batch/rate-and-advance': {
    input: ({ genre }) => ({ body: { microgenreId: genre.id, songId: genre.songs[1], rating: 'bust' } }),
  },
  'POST /api/batch/not-now': {
    input: ({ genre }) => ({ body: { microgenreId: genre.id, songId: genre.songs[2], again: false } }),
  },
  'DELETE /api/batch/not-now/:songId': {
    input: ({ genre }) => ({
      params: { songId: genre.songs[2] ?? '' },
      query: { saidAt: '2026-11-23T12:00:00.000000Z' },
    }),
  },
  'GET /api/community/stats': {},
  'GET /api/community/trending': {},
  'GET /api/community/divided': {},
  'GET /api/community/long-tail': { visitorStatus: 200 },

  'GET /api/users/me/ratings': { input: () => ({ query: { type: 'banger' } }) },
  'POST /api/users/me/ratings': {
    input: ({ genre }) => ({
      body: {
        ratings: [{ songId: genre.songs[0], rating: 'bust', ratedAt: '2026-11-23T12:00:00.000Z' }],
      },
    }),
  },
  'GET /api/users/me/bangers/export': { input: () => ({ query: { form: 'csv' } }) },
  'GET /api/users/me/bangers/export/counts': {},
  'GET /api/users/me/ratings/changes': { input: () => ({ query: { since: '2026-11-23T12:00:00.000Z' } }) },
  'DELETE /api/users/me/ratings/:songId': {
    async input({ owner, genre }) {
      const [songId = ''] = genre.songs
      await rate(owner, genre.id, songId)
      return { params: { songId }, query: { undo: 'false' } }
    },
    otherStatus: 404,
  },

  'GET /api/users/:id/profile': { input: ofOwner, otherStatus: 404 },
  'GET /api/users/:id/stats': { input: ofOwner, otherStatus: 404 },
  'GET /api/users/:id/follow-status': { input: ofOwner, otherStatus: 404 },
  'POST /api/users/:id/follow': { input: ({ publicId }) => ({ params: { id: publicId } }) },
  'DELETE /api/users/:id/follow': { input: ({ publicId }) => ({ params: { id: publicId } }) },
  'GET /api/users/:id/followers': { input: ofOwner, otherStatus: 404 },
  'GET /api/users/:id/following': { input: ofOwner, otherStatus: 404 },
  'GET /api/users/discover': { input: () => ({ query: { search: 'ada' } }) },
  'PUT /api/users/me/profile': {
    input: () => ({ body: { bio: 'Another one', isPublic: false, firstName: 'Ada', lastName: null } }),
  },
  'GET /api/users/me/stats': {},
  'GET /api/users/me/stats/daily': { input: () => ({ query: { tz: 'Europe/Berlin' } }) },
  'GET /api/users/me/stats/agreement': { input: () => ({ query: { tz: 'Europe/Berlin' } }) },
  'GET /api/users/me/stats/story.png': { isSlow: true },
  'GET /api/microgenres/map/story.png': { isSlow: true },
  'GET /api/users/me/export': { input: () => ({ query: { format: 'csv' } }) },
  // The confirmation is the owner's e-mail, which no other listener has.
  'DELETE /api/users/me': {
    input: ({ owner }) => ({ body: { confirmation: owner.email } }),
    otherStatus: 400,
    fixedFields: ['confirmation'],
    consumes: 'account',
  },

  'GET /api/users/me/achievements': {},
  'GET /api/users/me/achievements/progress': {},
  'POST /api/users/me/achievements/check': {},
  'POST /api/achievements/:id/share': {
    input: ({ achievement }) => ({ params: { id: achievement.id } }),
    otherStatus: 404,
  },

  'GET /api/collections': {},
  'PUT /api/collections/:id': {
    input: ({ collection, genre }) => ({
      params: { id: collection.id },
      body: { name: 'Mornings', microgenreIds: [genre.id] },
    }),
    otherStatus: 404,
  },
  'DELETE /api/collections/:id/share': COLLECTION_CALL,
  'POST /api/collections': { input: () => ({ body: { name: 'Evenings', description: 'Late ones' } }) },
  'POST /api/collections/:id/items': {
    input: ({ collection, genre }) => ({ params: { id: collection.id }, body: { microgenreId: genre.id } }),
    otherStatus: 404,
  },
  'POST /api/collections/:id/share': COLLECTION_CALL,
  'DELETE /api/collections/:id': {
    async input({ db, owner }) {
      const [row] = await db<{ id: string }[]>`
        insert into collections (user_id, name) values (${owner.id}, 'Short-lived') returning id`
      return { params: { id: row?.id ?? '' } }
    },
    otherStatus: 404,
  },

  'GET /api/mixes': {},
  'POST /api/mixes': {
    input: ({ genre }) => ({ body: { name: 'Evenings', songIds: genre.songs.slice(0, 1) } }),
    otherStatus: 404,
  },
  'PUT /api/mixes/:id': {
    input: ({ mix, genre }) => ({ params: { id: mix.id }, body: { songIds: genre.songs.slice(0, 1) } }),
    otherStatus: 404,
  },
  'DELETE /api/mixes/:id': {
    async input({ db, owner }) {
      const [row] = await db<{ id: string }[]>`
        insert into mixes (user_id, name, song_ids) values (${owner.id}, 'Short-lived', '{}') returning id`
      return { params: { id: row?.id ?? '' } }
    },
    otherStatus: 404,
  },

  'GET /api/share/collection/:shareToken': { input: linkTo('collection'), visitorStatus: 200 },
  'GET /api/share/achievement/:shareToken': { input: linkTo('achievement'), visitorStatus: 200 },
  'GET /share/:kind/:shareToken/preview.png': { input: linkTo('mix'), visitorStatus: 200, isSlow: true },
  'GET /share/:kind/:shareToken/story.png': { input: linkTo('mix'), visitorStatus: 200, isSlow: true },
  'GET /api/share/mix/:shareToken': { input: linkTo('mix'), visitorStatus: 200 },
  'GET /api/share/mix/:shareToken/export': {
    input: (fixture) => ({ ...linkTo('mix')(fixture), query: { form: 'csv' } }),
    visitorStatus: 200,
  },

  'GET /api/blind-round': {},
  'POST /api/blind-round': { input: blindRound, otherStatus: 409 },
  'DELETE /api/blind-round': {},
  'GET /api/share/blind/:shareToken': { input: blindRound, visitorStatus: 200 },
  'POST /api/share/blind/:shareToken': {
    input: async (fixture) => ({ ...(await blindRound(fixture)), body: { verdicts: [] } }),
    ...{ ownerStatus: 409, otherStatus: 409, visitorStatus: 409 },
  },

  'GET /api/users/me/preferences': {},
  'POST /api/users/me/preferences': {
    input: () => ({ body: { ...QUESTIONNAIRE_ANSWERS, musicMood: 'rhythmic' } }),
  },
  'GET /api/questionnaire/recommendations': { input: () => ({ query: QUESTIONNAIRE_ANSWERS }) },

  'GET /microgenres/:key/preview.png': {
    input: () => ({ params: { key: 'zydeco' } }),
    visitorStatus: 200,
    isSlow: true,
  },
  'GET /sitemap.xml': { visitorStatus: 200 },
  'GET /robots.txt': { visitorStatus: 200 },
  'GET /api/visitors/songs/:id/preview': {
    async input({ db, genre: { songs } }) {
      await db`
        update songs set preview_url = 'https://preview.example/1', preview_expires_at = now() + interval '1 hour'
        where id = ${songs[0] ?? ''}`
      return { params: { id: songs[0] ?? '' } }
    },
    visitorStatus: 200,
  },
  'GET /api/visitors/tryout': { input: () => ({ query: { microgenre: 'zydeco' } }), visitorStatus: 200 },
  'GET /api/music/search': { input: () => ({ query: { artist: 'Somebody', title: 'Something' } }) },
  'POST /api/listening/progress': {
    input: ({ genre }) => ({ body: { songId: genre.songs[0], secondsListened: 20, totalDuration: 30 } }),
  },
  'POST /api/playback/reports': {
    async input({ db }) {
      const { songId, videoId } = await withVideo(db)
      return { body: { reports: [{ songId, videoId, outcome: 'ready', previewUsed: false }] } }
    },
    fixedFields: ['reports'],
  },

  'GET /api/songs/count': {},
  'POST /api/verify-youtube-batch': { input: () => ({ body: { batchSize: 2, offset: 0 } }) },
  'GET /api/test/auth-status': {},
  'POST /api/test/user-creation': {},
  'GET /api/spotify/search': { input: () => ({ query: { artist: 'Somebody', title: 'Something' } }) },
  'POST /api/youtube/find-replacement': {
    input: () => ({ body: { artist: 'Somebody', title: 'Something' } }),
  },
  'GET /api/verify-youtube/:videoId': {
    input: () => ({ params: { videoId: 'dQw4w9WgXcQ' }, query: { strategy: 'enhanced' } }),
  },
  'GET /api/debug/test-preview-availability': {},
  'GET /api/debug/samples': {},
  'GET /api/debug/playback-health': {},
  'GET /api/debug/coverage': {},
  'POST /api/debug/playback-health/:songId/verify': {
    input: async ({ db }) => ({ params: { songId: (await withVideo(db)).songId } }),
  },

  'GET /api/uploads/settings': {},
  'POST /api/profile-photo/upload': { input: () => ({ body: { size: 1000 } }), consumes: 'reservation' },
  'PUT /uploads/:owner/:object': {
    input: withAddress,
    visitorStatus: 200,
    fixedFields: [...SIGNED_URL_FIELDS],
    consumes: 'reservation',
  },
  // Another listener's picture is rejected.
  'PUT /api/profile-photo': {
    input: async ({ owner }) => ({ body: { photoURL: await uploadPicture(owner) } }),
    otherStatus: 400,
    fixedFields: ['photoURL'],
    consumes: 'reservation',
    isSlow: true,
  },
  'DELETE /api/profile-photo': {},
  'GET /covers/:cover': {
    input: ({ genre }) => ({ params: { cover: `${genre.songs[0]}-320.webp` } }),
    ownerStatus: 404,
    otherStatus: 404,
    visitorStatus: 404,
  },
  'GET /photos/:photo': { input: withPhoto, visitorStatus: 200, consumes: 'reservation', isSlow: true },
  'POST /companion/s3/multipart': {
    input: () => ({ body: { filename: 'song.flac', type: 'audio/flac', metadata: { a: 1 }, size: 1000 } }),
    consumes: 'reservation',
  },
  'GET /companion/s3/multipart/:uploadId': UPLOAD_CALL,
  'GET /companion/s3/multipart/:uploadId/:partNumber': UPLOAD_CALL,
  'POST /companion/s3/multipart/:uploadId/complete': {
    async input(fixture) {
      const upload = await withUpload(fixture)
      return { ...upload, body: { parts: [await sendPart(fixture.owner, upload)] } }
    },
    otherStatus: 404,
    fixedFields: ['key', 'parts'],
    consumes: 'reservation',
  },
  'DELETE /companion/s3/multipart/:uploadId': UPLOAD_CALL,
  'GET /companion/s3/params': {
    input: () => ({ query: { filename: 'song.flac', type: 'audio/flac', size: '1000' } }),
    consumes: 'reservation',
  },
  'GET /companion/s3/sts': { ownerStatus: 404, otherStatus: 404 },
  'GET /uploads/:owner/:object': { input: withFile, otherStatus: 404, consumes: 'reservation' },

  'POST /api/imports': {
    input: async ({ owner }) => ({ body: { key: (await uploadImport(owner, 'title,artist')).key } }),
    otherStatus: 404,
    fixedFields: ['key'],
    consumes: 'reservation',
  },
  'GET /api/imports': {},
  'GET /api/imports/:id': IMPORT_CALL,
  'GET /api/imports/:id/songs': {
    input: async (fixture) => ({
      ...(await withImport(fixture)),
      query: { heap: 'doubtful', after: '0', limit: '5' },
    }),
    otherStatus: 404,
  },
  'PUT /api/imports/:id/songs/:place': {
    async input(fixture) {
      const { params } = await withImport(fixture)
      return { params: { ...params, place: '1' }, body: { isSame: true } }
    },
    otherStatus: 404,
  },
  'POST /api/imports/:id/apply': {
    input: async (fixture) => ({
      ...(await withImport(fixture)),
      body: { bangers: true, busts: false, plays: true },
    }),
    otherStatus: 404,
  },
  'DELETE /api/imports/:id': IMPORT_CALL,

  'POST /api/suggestions/recognise': {
    input: () => ({ body: { address: 'https://somebody.bandcamp.com/track/something' } }),
    fixedFields: ['address'],
  },
  'GET /api/suggestions/search': { input: () => ({ query: { words: 'somebody something' } }) },
  'POST /api/suggestions': {
    async input({ db, owner, genre }) {
      // Otherwise suggestions of other calls count against the daily limit.
      await db`delete from suggestion_votes where user_id = ${owner.id}`
      return {
        body: {
          microgenreId: genre.id,
          title: 'Something',
          artist: 'Somebody',
          year: 1999,
          address: 'https://somebody.bandcamp.com/track/something',
        },
      }
    },
    fixedFields: ['microgenreId', 'address'],
  },
  'GET /api/suggestions': {},
  'DELETE /api/suggestions/:id': {
    input: async ({ db, owner, genre }) => ({ params: { id: await makeSuggestion(db, owner.id, genre.id) } }),
    otherStatus: 404,
  },
  'POST /api/reports': {
    input: ({ genre }) => ({
      body: { subject: 'song', subjectId: genre.songs[0], reason: 'wrong-song' },
    }),
    fixedFields: ['subjectId'],
  },
  'DELETE /api/reports/:id': {
    async input({ db, owner }) {
      const [row] = await db<{ id: string }[]>`
        insert into reports (user_id, subject, subject_id, reason)
        values (${owner.id}, 'song', (random() * 1e9)::bigint + 1, 'wrong-song') returning id`
      return { params: { id: row?.id ?? '' } }
    },
    otherStatus: 404,
  },
  'GET /api/desk/cases': { input: () => ({ query: { offset: '0' } }) },
  'GET /api/desk/decisions': { input: () => ({ query: { before: '999' } }) },
  'POST /api/desk/decisions': {
    input: async ({ db, owner, genre }) => ({
      body: {
        subject: 'suggestion',
        subjectId: await makeSuggestion(db, owner.id, genre.id),
        action: 'reject',
        reason: 'A live recording',
      },
    }),
    fixedFields: ['subject', 'subjectId', 'action'],
  },
  'POST /api/desk/decisions/:id/undo': {
    input: async (fixture) => ({ params: { id: await makeDecision(fixture) } }),
  },
  'POST /api/desk/suggesters/:id/approve': {
    async input({ db, genre, publicId }) {
      await db`
        with made as (
          insert into suggestions (song_key, title, artist, microgenre_id, state, song_id, decided_at)
          select 'approved ' || n, 'Song', 'Artist', ${genre.id}, 'approved', ${genre.songs[0] ?? ''}, now()
          from generate_series(1, 10) n returning id)
        insert into suggestion_votes (suggestion_id, user_id) select id, ${publicId} from made`
      return { params: { id: publicId } }
    },
  },
  'POST /api/desk/batches/:id/undo': {
    async input(fixture) {
      const id = await makeDecision(fixture)
      await fixture.db`update decisions set batch = id where id = ${id}`
      return { params: { id } }
    },
  },

  'GET /api/admin/accounts': { input: () => ({ query: { search: 'ada', before: '999' } }) },
  'POST /api/admin/accounts/:id/email': { input: ofPublic },
  'POST /api/admin/accounts/:id/actions': {
    input: async ({ db }) => ({
      params: { id: await makeAccount(db, 'Noisy') },
      body: { action: 'suspend' },
    }),
  },
  'DELETE /api/admin/accounts/:id': {
    input: async ({ db }) => ({
      params: { id: await makeAccount(db, 'Gone') },
      body: { confirmation: 'Gone' },
    }),
    fixedFields: ['confirmation'],
  },
  'GET /api/admin/invitations': { input: () => ({ query: { before: '999' } }) },
  'POST /api/admin/invitations': { input: () => ({ body: { note: 'A choir', days: 7, uses: 20 } }) },
  'DELETE /api/admin/invitations/:id': {
    input: async ({ owner }) => ({
      params: { id: (await owner.call(createInvitation, { body: { days: 1, uses: 1 } })).body.id },
    }),
  },
  'GET /api/admin/limits': {},
  'DELETE /api/admin/limits/:limit': {
    async input({ db, owner, publicId }) {
      await db`
        insert into limit_counters (key, count, expires_at)
        values (${`preview:${publicId}`}, 120, now() + interval '1 day')
        on conflict (key) do update set count = 120`
      const { reached } = (await owner.call(listLimits)).body
      return { params: { limit: reached[0]?.id ?? '' } }
    },
  },
  'GET /api/admin/jobs': {},
  'GET /api/admin/acts': { input: () => ({ query: { before: '999' } }) },

  'GET /api/users/me/data': {},
  'GET /api/users/me/listenbrainz': {},
  // The stand-in has no accounts.
  'PUT /api/users/me/listenbrainz': {
    input: () => ({ body: { token: 'a-listeners-token' } }),
    ownerStatus: 400,
    otherStatus: 400,
  },
  'PUT /api/users/me/listenbrainz/busts': {
    input: async (fixture) => ({ body: { send: await withRefusedLink(fixture) } }),
    otherStatus: 404,
  },
  'POST /api/users/me/listenbrainz/playlists': {
    input: async (fixture) => ({ body: (await withRefusedLink(fixture)) ? { sort: 'newest' } : {} }),
    ownerStatus: 409,
    otherStatus: 404,
  },
  'POST /api/users/me/listenbrainz/imports': {
    input: async (fixture) => ((await withRefusedLink(fixture)) ? {} : {}),
    ownerStatus: 409,
    otherStatus: 404,
  },
  'DELETE /api/users/me/listenbrainz': {},
  'POST /api/contact/operator': {
    input: ({ owner }) => ({ body: { email: owner.email, message: 'Who are you?' } }),
    visitorStatus: 200,
  },
  'GET /api/feedback': { input: () => ({ query: { before: '999' } }) },
  'POST /api/contact': { input: ({ owner }) => ({ body: { email: owner.email, message: 'Hello' } }) },
}

/** Makes the call of a row, again while the server is busy: a picture can take longer than a call may. */
export async function send(
  caller: Visitor,
  endpoint: Endpoint,
  { params, query, body, bytes }: CallContext,
  { method = endpoint.method, headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): ReturnType<Visitor['raw']> {
  const path = pathOf(endpoint, { params, query } as Parameters<typeof pathOf>[1])
  const own = method === 'HEAD' ? {} : endpoint.body ? { json: body ?? {} } : { body: bytes }
  for (let tries = 1; ; tries++) {
    const answer = await caller.raw(path, { method, headers, ...own })
    if (answer.status !== 503 || tries === MAX_TRIES) return answer
    await wait(500)
  }
}

const MAX_TRIES = 20

async function makeAccount(db: Database, firstName: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`insert into users (first_name) values (${firstName}) returning id`
  return row?.id ?? ''
}

/** A suggestion with the listener's vote. */
async function makeSuggestion(db: Database, userId: string, microgenreId: string): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    with made as (
      insert into suggestions (song_key, title, artist, microgenre_id)
      values (gen_random_uuid()::text, 'Suggested', 'Somebody', ${microgenreId}) returning id)
    insert into suggestion_votes (suggestion_id, user_id) select id, ${userId} from made
    returning suggestion_id as id`
  return row?.id ?? ''
}

/** A rejection, which can be undone. */
async function makeDecision({ db, owner, genre }: OwnerFixture): Promise<string> {
  const subjectId = await makeSuggestion(db, owner.id, genre.id)
  const body = { subject: 'suggestion', subjectId, action: 'reject', reason: 'A live recording' } as const
  return (await owner.call(decideCase, { body })).body.id
}

function ofPublic({ publicId }: OwnerFixture): CallContext {
  return { params: { id: publicId } }
}

function ofOwner({ owner }: OwnerFixture): CallContext {
  return { params: { id: owner.id } }
}

/** The link to something of the owner's. */
function linkTo(kind: 'collection' | 'mix' | 'achievement') {
  return (fixture: OwnerFixture): CallContext => ({ params: { kind, shareToken: fixture[kind].shareToken } })
}

/** Of the song that the owner rated. */
async function blindRound({ db, owner, genre }: OwnerFixture): Promise<CallContext> {
  const shareToken = owner.id.padStart(32, 'a')
  await db`
    insert into blind_rounds (user_id, token, song_ids)
    values (${owner.id}, ${shareToken}, ${genre.songs}) on conflict do nothing`
  return { params: { shareToken } }
}

/** A song of the catalogue that has a video. */
async function withVideo(db: Database): Promise<{ songId: string; videoId: string }> {
  const [song] = await db<{ songId: string; videoId: string }[]>`
    select id as song_id, youtube_id as video_id from songs where youtube_id is not null order by id limit 1`
  if (!song) throw new Error('The test catalogue has no video.')
  return song
}

/** A link requested outside a browser: everybody who opens it sees the button. */
async function withLink({ db, owner }: OwnerFixture): Promise<CallContext> {
  const token = await createLink(db, `friend-of-${owner.id}@example.test`, null)
  return { query: { token } }
}

/** Links the owner to an account whose token is refused. */
async function withRefusedLink({ db, owner }: OwnerFixture): Promise<true> {
  await db`
    insert into listenbrainz_links (user_id, user_name, token, refused_at)
    values (${owner.id}, 'ada', 'sealed', now()) on conflict do nothing`
  return true
}

/** The id of the owner's only passkey. */
async function withPasskey({ db, owner, publicUrl }: OwnerFixture) {
  await db`delete from passkeys where user_id = ${owner.id}`
  await makePasskey(publicUrl).store(db, owner.id)
  const [passkey] = (await owner.call(listPasskeys)).body
  return { id: passkey?.id ?? '' }
}

/** The address to upload a profile photo of 4 bytes to. */
async function withAddress({ owner }: OwnerFixture): Promise<CallContext> {
  const { body } = await owner.call(requestPhotoUpload, { body: { size: 4 } })
  const { pathname, searchParams } = new URL(body.uploadURL)
  const [, , who = '', object = ''] = pathname.split('/')
  return { params: { owner: who, object }, query: Object.fromEntries(searchParams), bytes: 'GIF8' }
}

const uploadPicture = async (owner: Visitor) => uploadPhoto(owner, await makePlainPicture(16, 16))

async function withPhoto({ owner }: OwnerFixture): Promise<CallContext> {
  const { body } = await owner.call(setPhoto, { body: { photoURL: await uploadPicture(owner) } })
  return { params: { photo: body.profileImageUrl?.split('/').at(-1) ?? '' } }
}

/** A dry run with one doubtful song. */
async function withImport({ db, owner, genre }: OwnerFixture) {
  const [row] = await db<{ id: string }[]>`
    with made as (insert into imports (user_id, status) values (${owner.id}, 'ready') returning id)
    insert into import_songs (import_id, place, heap, key, title, artist, song_id)
    select id, 1, 'doubtful', 'song', 'Song', 'Artist', ${genre.songs[1] ?? ''} from made returning import_id as id`
  return { params: { id: row?.id ?? '' } }
}

/** A multipart upload without parts. */
async function withUpload({
  owner,
}: OwnerFixture): Promise<CallContext & { params: { uploadId: string; partNumber: string } }> {
  const { body } = await owner.call(createMultipart, { body: { filename: 'song.flac', size: 4 } })
  return { params: { uploadId: body.uploadId, partNumber: '1' }, query: { key: body.key } }
}

async function sendPart(
  owner: OwnerFixture['owner'],
  { params, query }: Awaited<ReturnType<typeof withUpload>>,
) {
  const { body } = await owner.call(signPart, { params, query: { key: query?.key ?? '' } })
  const { headers } = await owner.raw(pathAndQuery(body.url), { method: 'PUT', body: 'part' })
  return { PartNumber: 1, ETag: headers.etag ?? '' }
}

async function withFile({ owner }: OwnerFixture): Promise<CallContext> {
  const { body } = await owner.call(getUploadParameters, { query: { filename: 'song.flac', size: '4' } })
  await owner.raw(pathAndQuery(body.url), { method: 'PUT', body: 'file' })
  const [, , who = '', object = ''] = new URL(body.url).pathname.split('/')
  return { params: { owner: who, object } }
}

function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
