import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Moment, Rating, Success } from './shapes.ts'
import { BY_TOKEN, Sharer } from './sharing.ts'
import { maxCharacters, VisibleLine } from './texts.ts'
import { VisitorSong } from './visitors.ts'

/** Songs of a round, and how many bangers and busts it has at least (sharing-31). */
export const [ROUND_SONGS, MIN_OF_EACH_VERDICT] = [10, 3]

/** Results that a round takes, and characters of a visitor's name (sharing-33). */
export const [MAX_ROUND_RESULTS, MAX_VISITOR_NAME_LENGTH] = [100, 40]

const OwnBlindRound = z.object({
  shareToken: z.string(),
  /** Newest first. Anonymous ones have no name; `agreed` of `songs` verdicts are equal. */
  results: z.array(
    z.object({ name: z.nullable(z.string()), agreed: z.int(), songs: z.int(), createdAt: Moment }),
  ),
})
export type OwnBlindRound = z.infer<typeof OwnBlindRound>

const SharedBlindRound = z.object({ createdAt: Moment, user: Sharer, songs: z.array(VisitorSong) })
export type SharedBlindRound = z.infer<typeof SharedBlindRound>

const Verdict = z.object({ songId: Id, rating: Rating })
export type Verdict = z.infer<typeof Verdict>

export const getBlindRound = endpoint('GET /api/blind-round', {
  access: 'signed-in',
  summary: "The listener's blind round with its results, or null.",
  response: z.nullable(OwnBlindRound),
})

export const shareBlindRound = endpoint('POST /api/blind-round', {
  access: 'signed-in',
  summary: 'Makes a round of ten own ratings, or returns the one that there is (sharing-31).',
  response: OwnBlindRound,
  fails: [409],
})

export const unshareBlindRound = endpoint('DELETE /api/blind-round', {
  access: 'signed-in',
  summary: 'Deletes the round, its link and its results.',
  response: Success,
})

export const getSharedBlindRound = endpoint('GET /api/share/blind/:shareToken', {
  ...BY_TOKEN,
  summary: 'The songs of a blind round, without verdicts (sharing-32).',
  response: SharedBlindRound,
})

export const compareVerdicts = endpoint('POST /api/share/blind/:shareToken', {
  ...BY_TOKEN,
  summary:
    "The maker's verdicts, for verdicts on all songs. Stores only `result`, for the maker (sharing-33).",
  body: z.object({
    verdicts: z.array(Verdict).check(z.maxLength(ROUND_SONGS, 'has too many items')),
    result: z.optional(
      z.object({ name: z.nullable(VisibleLine.check(maxCharacters(MAX_VISITOR_NAME_LENGTH))) }),
    ),
  }),
  response: z.object({ verdicts: z.array(Verdict) }),
  fails: [409],
})
