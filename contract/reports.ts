import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Success } from './shapes.ts'

/** What a listener can report (desk-8). */
export const REPORT_SUBJECTS = ['song', 'person', 'bio', 'photo', 'collection'] as const
export const ReportSubject = z.enum(REPORT_SUBJECTS)
export type ReportSubject = z.infer<typeof ReportSubject>

/** Why a song is reported: each is one press in the player. */
export const SONG_REASONS = ['wrong-song', 'wrong-microgenre', 'does-not-play'] as const
export const SongReason = z.enum(SONG_REASONS)
export type SongReason = z.infer<typeof SongReason>

/** Why a person, a bio, a photo or a collection is reported. */
export const ABUSE_REASONS = ['spam', 'hateful', 'sexual', 'pretends', 'other'] as const
export const AbuseReason = z.enum(ABUSE_REASONS)
export type AbuseReason = z.infer<typeof AbuseReason>

const REPORT_REASONS = [...SONG_REASONS, ...ABUSE_REASONS] as const
export const ReportReason = z.enum(REPORT_REASONS)
export type ReportReason = z.infer<typeof ReportReason>

export const reportSubject = endpoint('POST /api/reports', {
  access: 'signed-in',
  summary:
    'Reports a song, person, bio, photo or collection to the desk. One open report for each reason: repeating it changes nothing (desk-8). 404 for what the caller cannot see.',
  body: z
    .object({
      subject: ReportSubject,
      /** The song’s or person’s id (a person’s also for bio and photo), or the token of a collection’s share link. */
      subjectId: z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be an id')),
      reason: ReportReason,
    })
    .check(
      z.refine(
        ({ subject, reason }) =>
          (subject === 'song') === (SONG_REASONS as readonly string[]).includes(reason),
        'This reason does not fit what is reported.',
      ),
    ),
  response: z.object({ id: Id }),
  fails: [404],
})

export const withdrawReport = endpoint('DELETE /api/reports/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'report',
  summary: 'Withdraws a report. A decided one stays as it is (desk-8).',
  response: Success,
})
