import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { maxCharacters, VisibleLine } from './texts.ts'

/** Characters of a title or an artist's name (desk-2). */
export const MAX_SONG_TEXT_LENGTH = 200

/** Characters of the address of a song (desk-2). */
export const MAX_ADDRESS_LENGTH = 500

/** Suggestions in 24 hours (desk-6): of an account that is younger than seven days, and of any other. */
export const MAX_SUGGESTIONS_PER_DAY = { newAccount: 5, account: 20 } as const

/** The caller's suggestions per response. */
export const MAX_OWN_SUGGESTIONS = 100

/** Songs per response of the search. */
export const MAX_SEARCH_RESULTS = 12

/** The first year that a song can have. */
export const MIN_SONG_YEAR = 1890

/** Services whose addresses are recognised (desk-2). */
export const Service = z.enum(['youtube', 'spotify', 'deezer', 'bandcamp', 'musicbrainz'])
export type Service = z.infer<typeof Service>

/**
 * `waiting`: at the desk. `approved`: its song is in the catalogue. `merged`: the song was there already. `rejected`:
 * with a reason. `withdrawn`: by its suggester.
 */
export const SuggestionState = z.enum(['waiting', 'approved', 'merged', 'rejected', 'withdrawn'])
export type SuggestionState = z.infer<typeof SuggestionState>

/** A song of the catalogue that can be rated now, as suggestions name it. */
export const CatalogueSong = z.object({
  id: Id,
  title: z.string(),
  artist: z.string(),
  year: z.nullable(z.int()),
  microgenreId: Id,
  microgenre: z.string(),
  albumArt: z.nullable(z.string()),
})
export type CatalogueSong = z.infer<typeof CatalogueSong>

export const RecognisedSong = z.object({
  service: Service,
  /** The address without tracking parameters: send this one with the suggestion. */
  address: z.string(),
  /** Null when the service has no such look-up or did not answer: the listener types it (desk-3). */
  title: z.nullable(z.string()),
  /** Null like the title. */
  artist: z.nullable(z.string()),
  year: z.nullable(z.int()),
  /** A hint for the listener, such as that the service did not answer; null when everything was found. */
  message: z.nullable(z.string()),
  /** The song, if it is in the catalogue already. */
  known: z.nullable(CatalogueSong),
  /** Votes of its open suggestion; 0 without one. */
  votes: z.int(),
})
export type RecognisedSong = z.infer<typeof RecognisedSong>

/** A song that the search found: in the catalogue (`known`) or at Deezer. */
export const FoundSong = z.object({
  title: z.string(),
  artist: z.string(),
  albumArt: z.nullable(z.string()),
  /** Its page at Deezer, to send with the suggestion; null for a song of the catalogue. */
  address: z.nullable(z.string()),
  /** The song, if it is in the catalogue already. */
  known: z.nullable(CatalogueSong),
})
export type FoundSong = z.infer<typeof FoundSong>

/** A suggestion as seen by the listeners who voted for it. */
export const OwnSuggestion = z.object({
  id: Id,
  title: z.string(),
  artist: z.string(),
  year: z.nullable(z.int()),
  microgenreId: Id,
  microgenre: z.string(),
  address: z.nullable(z.string()),
  state: SuggestionState,
  /** Why it was rejected, in the steward's words; null in every other state. */
  reason: z.nullable(z.string()),
  /** Votes, the caller's included. */
  votes: z.int(),
  /** The song of an approved or merged suggestion, while it can be rated. */
  song: z.nullable(CatalogueSong),
  /** When the caller suggested it, or voted for it. */
  createdAt: Moment,
  /** Null while it waits, and when it was withdrawn. */
  decidedAt: z.nullable(Moment),
})
export type OwnSuggestion = z.infer<typeof OwnSuggestion>

/** Whether typed text looks like an address, not like words of title and artist. */
export const looksLikeAddress = (text: string): boolean =>
  /^\s*(https?:|spotify:|[\w-]+(\.[\w-]+)+\/)/i.test(text)

const Address = z.string().check(z.trim(), z.minLength(1, 'is missing'), maxCharacters(MAX_ADDRESS_LENGTH))

/** A title or an artist's name. */
export const SongText = VisibleLine.check(maxCharacters(MAX_SONG_TEXT_LENGTH))

export const SongYear = z.int().check(z.minimum(MIN_SONG_YEAR), z.maximum(2100))

export const recogniseSong = endpoint('POST /api/suggestions/recognise', {
  access: 'signed-in',
  summary:
    'Recognises the song at an address of YouTube, Spotify, Deezer, Bandcamp or MusicBrainz. 400 for any other address, with what to do (desk-2, desk-3).',
  body: z.object({ address: Address }),
  response: RecognisedSong,
})

export const searchSongs = endpoint('GET /api/suggestions/search', {
  access: 'signed-in',
  summary:
    'Songs for words of title and artist: first those of the catalogue, then those of Deezer (desk-4). `deezer` is false when Deezer did not answer.',
  query: z.object({
    words: z.string().check(z.trim(), z.minLength(2), z.maxLength(MAX_SONG_TEXT_LENGTH, 'is too long')),
  }),
  response: z.object({ songs: z.array(FoundSong), deezer: z.boolean() }),
})

export const suggestSong = endpoint('POST /api/suggestions', {
  access: 'signed-in',
  summary:
    'Suggests a song for a microgenre, or adds a vote to its open suggestion (desk-5). Idempotent. 409 when the song is in the catalogue, 429 when the limit of the day is reached (desk-6).',
  body: z.object({
    microgenreId: Id,
    title: SongText,
    artist: SongText,
    year: z.optional(z.nullable(SongYear)),
    /** As typed, or from the response of `recogniseSong`. */
    address: z.optional(z.nullable(Address)),
  }),
  response: z.object({
    suggestion: OwnSuggestion,
    /** It added a vote to an open suggestion. */
    isVote: z.boolean(),
    /** Suggestions that the listener can still make today. */
    left: z.int(),
  }),
  fails: [404, 409],
})

export const listSuggestions = endpoint('GET /api/suggestions', {
  access: 'signed-in',
  summary: 'The caller’s suggestions with their state, newest first, at most 100 (desk-7).',
  response: z.object({
    suggestions: z.array(OwnSuggestion),
    /** Suggestions that the listener can still make today. */
    left: z.int(),
  }),
})

export const withdrawSuggestion = endpoint('DELETE /api/suggestions/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'suggestion',
  summary:
    'Withdraws the caller’s vote while the suggestion waits; other votes stay (desk-7). Idempotent; 409 when it was decided.',
  response: Success,
  fails: [409],
})
