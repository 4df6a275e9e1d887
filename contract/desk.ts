import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { REPORT_SUBJECTS, ReportReason } from './reports.ts'
import { Id, IdParams, Moment, SONG_ID_PATTERNS } from './shapes.ts'
import { CatalogueSong, Service, SongText, SongYear, SuggestionState } from './suggestions.ts'
import { maxCharacters, VisibleLine } from './texts.ts'

/** Characters of a microgenre's name, family and description, as in the starter catalogue (desk-27). */
export const MAX_MICROGENRE_LENGTHS = { name: 60, family: 40, description: 300 }

/** A genre of MusicBrainz that may become a microgenre (desk-26). */
export const FoundMicrogenre = z.object({
  id: Id,
  name: z.string(),
  /** The nearest microgenre's family. */
  family: z.string(),
  /** The nearest microgenre: most of the songs were found while the catalogue grew it. */
  near: z.string(),
  /** The colour of that microgenre, `#rrggbb`. */
  color: z.string(),
  /** Songs that carry the genre, and their artists. */
  songs: z.int(),
  artists: z.int(),
  /** Some of the songs, by different artists. */
  examples: z.array(
    z.object({
      recordingMbid: z.string(),
      title: z.string(),
      artist: z.string(),
      year: z.nullable(z.int()),
    }),
  ),
})
export type FoundMicrogenre = z.infer<typeof FoundMicrogenre>

/** What a steward writes about a new microgenre. */
export const MicrogenreDetails = z.object({
  name: VisibleLine.check(maxCharacters(MAX_MICROGENRE_LENGTHS.name)),
  /** An existing family. */
  family: VisibleLine.check(maxCharacters(MAX_MICROGENRE_LENGTHS.family)),
  description: VisibleLine.check(maxCharacters(MAX_MICROGENRE_LENGTHS.description)),
})
export type MicrogenreDetails = z.infer<typeof MicrogenreDetails>

export const DESK_PAGE_SIZE = 30

export const DECISIONS_PAGE_SIZE = 50

export const MAX_REASON_LENGTH = 200

/** A listener is trusted when this many of their last decided suggestions were all approved (desk-20). */
export const TRUSTED_AFTER_APPROVALS = 10

/** What a case is about: a suggestion, a video or microgenre that the catalogue found, or a reported subject. */
const CASE_SUBJECTS = ['suggestion', 'video', 'microgenre', ...REPORT_SUBJECTS] as const
export const CaseSubject = z.enum(CASE_SUBJECTS)
export type CaseSubject = z.infer<typeof CaseSubject>

/**
 * `approve` adds the suggested song, gives the song the video, or adds the microgenre with the given words. `correct`
 * adds a suggested song with other values, or changes a reported song; another microgenre retires that song and adds a
 * new one there. `merge` points a suggestion to a song of the catalogue. `reject` needs a reason for a suggestion.
 * `dismiss` closes reports without cause. `retire` takes a song out. `block` suspends a person, clears a bio or a photo,
 * or makes a collection private.
 */
const DESK_ACTIONS = ['approve', 'correct', 'merge', 'reject', 'dismiss', 'retire', 'block'] as const
const DECISION_ACTIONS = [...DESK_ACTIONS, 'undo'] as const
export const DeskAction = z.enum(DESK_ACTIONS)
export type DeskAction = z.infer<typeof DeskAction>

/** The decisions that each subject allows (desk-13). */
export const ACTIONS_BY_SUBJECT = {
  suggestion: ['approve', 'correct', 'merge', 'reject'],
  video: ['approve', 'reject'],
  microgenre: ['approve', 'reject'],
  song: ['correct', 'retire', 'dismiss'],
  person: ['block', 'dismiss'],
  bio: ['block', 'dismiss'],
  photo: ['block', 'dismiss'],
  collection: ['block', 'dismiss'],
} as const satisfies Record<CaseSubject, readonly DeskAction[]>

/** A listener as the desk shows them: the name only if the profile is public, never the e-mail. */
const Suggester = z.object({
  id: Id,
  name: z.nullable(z.string()),
  /** Their last ten decided suggestions were all approved (desk-20). */
  isTrusted: z.boolean(),
  waiting: z.int(),
})

/** A song’s values. A null year or id is unknown. */
const SongValues = z.object({
  title: z.string(),
  artist: z.string(),
  year: z.nullable(z.int()),
  microgenreId: Id,
  microgenre: z.string(),
  /** Its microgenre’s colour, `#rrggbb`. */
  color: z.string(),
  albumArt: z.nullable(z.string()),
  youtubeId: z.nullable(z.string()),
  spotifyId: z.nullable(z.string()),
  deezerTrackId: z.nullable(z.string()),
  recordingMbid: z.nullable(z.string()),
})

const SuggestedSong = z.extend(SongValues, {
  id: Id,
  state: SuggestionState,
  address: z.nullable(z.string()),
  service: z.nullable(Service),
  /** The first listener whose vote stands; null without one. */
  suggester: z.nullable(Suggester),
  /** 0 to 100: how well a song that the catalogue found fits; null for a listener's suggestion. */
  foundScore: z.nullable(z.int()),
  /**
   * Possible duplicates in the catalogue, at most three: with the same video or track, or a similar title and artist.
   */
  alike: z.array(CatalogueSong),
})

/** Sources of video candidates, the most trusted first. */
export const VideoSource = z.enum(['catalogue', 'musicbrainz', 'wikidata', 'discogs', 'youtube'])
export type VideoSource = z.infer<typeof VideoSource>

/** Why a video candidate waits for a steward. */
export const VideoDoubt = z.enum(['weak', 'regional', 'length differs'])
export type VideoDoubt = z.infer<typeof VideoDoubt>

/** A video for a song that has none; `youtubeId` and `albumArt` are the video’s (desk-25). */
const OfferedVideo = z.extend(SongValues, {
  /** The candidate's id, not the song's. */
  id: Id,
  videoTitle: z.string(),
  channel: z.nullable(z.string()),
  /** Of the video in milliseconds; null when unknown. */
  videoMs: z.nullable(z.int()),
  /** Of the song in milliseconds; null when unknown. */
  songMs: z.nullable(z.int()),
  source: VideoSource,
  /** 0 to 100: how well it matches the song. */
  score: z.int(),
  doubt: VideoDoubt,
})

const ReportedPerson = z.object({
  id: Id,
  name: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
})

const ReportedCollection = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  microgenres: z.array(z.string()),
  owner: ReportedPerson,
})

/**
 * One case: a suggestion, a video, a microgenre, or all open reports on one subject. Only the field of its subject is
 * not null.
 */
export const DeskCase = z.object({
  subject: CaseSubject,
  /** Of the suggestion, video, microgenre, song or collection; the person’s for person, bio and photo. */
  subjectId: Id,
  /** Listeners who voted for it or reported it. */
  votes: z.int(),
  /** When the first of them did so, the video was judged, or the microgenre was found. */
  since: Moment,
  /** Number of reports by reason, the most frequent first. */
  reasons: z.array(z.object({ reason: ReportReason, votes: z.int() })),
  suggestion: z.nullable(SuggestedSong),
  video: z.nullable(OfferedVideo),
  microgenre: z.nullable(FoundMicrogenre),
  song: z.nullable(z.extend(SongValues, { id: Id })),
  person: z.nullable(ReportedPerson),
  collection: z.nullable(ReportedCollection),
})
export type DeskCase = z.infer<typeof DeskCase>

/** A value before and after a decision. */
const Change = z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })

/** A row of the trail (desk-18). */
export const Decision = z.object({
  id: Id,
  /** The steward’s display name; null for a deleted account. Only stewards see it. */
  steward: z.nullable(z.string()),
  subject: CaseSubject,
  /** Null for a deleted account. */
  subjectId: z.nullable(Id),
  /** The subject's name at that time, such as 'Title by Artist'. */
  label: z.string(),
  /** `undo`: it undoes the decision `undoes`. */
  action: z.enum(DECISION_ACTIONS),
  reason: z.nullable(z.string()),
  changes: z.array(Change),
  undoes: z.nullable(Id),
  /** Decisions of one press share a batch (desk-20). */
  batch: z.nullable(Id),
  /** Whether it can be undone now: it is the last one on its subject. */
  canUndo: z.boolean(),
  createdAt: Moment,
})
export type Decision = z.infer<typeof Decision>

export const listCases = endpoint('GET /api/desk/cases', {
  access: 'steward',
  summary:
    'Waiting cases from `offset` on, by votes, then the oldest first; at most 30 (desk-12). `waiting` counts all.',
  query: z.object({
    offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
  }),
  response: z.object({ waiting: z.int(), cases: z.array(DeskCase) }),
})

/** Changed values. Omitted: unchanged. Null: unknown. */
export const SongChanges = z.object({
  title: z.optional(SongText),
  artist: z.optional(SongText),
  year: z.nullish(SongYear),
  microgenreId: z.optional(Id),
  youtubeId: z.nullish(
    z.string().check(z.regex(SONG_ID_PATTERNS.youtubeId, 'must be a YouTube video ID of 11 characters')),
  ),
  spotifyId: z.nullish(z.string().check(z.regex(SONG_ID_PATTERNS.spotifyId, 'must be a Spotify track ID'))),
  deezerTrackId: z.nullish(
    z.string().check(z.regex(SONG_ID_PATTERNS.deezerTrackId, 'must be a Deezer track ID')),
  ),
  recordingMbid: z.nullish(
    z
      .string()
      .check(z.toLowerCase(), z.regex(SONG_ID_PATTERNS.recordingMbid, 'must be a MusicBrainz recording ID')),
  ),
})
export type SongChanges = z.infer<typeof SongChanges>

export const decideCase = endpoint('POST /api/desk/decisions', {
  access: 'steward',
  summary:
    'Decides a case (desk-13). Idempotent for the same steward; 409 when another steward was first, or the decision does not fit the case.',
  body: z.object({
    subject: CaseSubject,
    subjectId: Id,
    action: DeskAction,
    /** For `reject` of a suggestion: the suggester reads it. */
    reason: z.optional(VisibleLine.check(maxCharacters(MAX_REASON_LENGTH))),
    /** For `approve` of a microgenre. */
    microgenre: z.optional(MicrogenreDetails),
    /** For `merge`: the song of the catalogue. */
    songId: z.optional(Id),
    /** For `correct`. */
    changes: z.optional(SongChanges),
  }),
  response: Decision,
  fails: [404, 409],
})

export const undoDecision = endpoint('POST /api/desk/decisions/:id/undo', {
  params: IdParams,
  access: 'steward',
  summary:
    'Undoes a decision, or an undo (desk-17). Idempotent; 409 when a later decision on the same subject stands.',
  response: Decision,
  fails: [409],
})

export const listDecisions = endpoint('GET /api/desk/decisions', {
  access: 'steward',
  summary: 'The trail: who decided what and when, newest first, 50 at a time, with ids below `before`.',
  query: z.object({ before: z.optional(Id) }),
  response: z.array(Decision),
})

/** What a batch did: `left` are suggestions that could not be approved and stay at the desk. */
const BatchResult = z.object({ batch: z.nullable(Id), decided: z.int(), left: z.int() })

export const approveTrusted = endpoint('POST /api/desk/suggesters/:id/approve', {
  // Up to forty decisions.
  deadline: 30_000,
  params: IdParams,
  access: 'steward',
  summary:
    'Approves all waiting suggestions of a trusted suggester, each as a decision of its own (desk-20). 409 when they are not trusted.',
  response: BatchResult,
  fails: [409],
})

export const undoBatch = endpoint('POST /api/desk/batches/:id/undo', {
  // Up to forty decisions.
  deadline: 30_000,
  params: IdParams,
  access: 'steward',
  summary: 'Undoes the decisions of a batch that still stand (desk-20).',
  response: BatchResult,
})
