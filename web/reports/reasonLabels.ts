import type { AbuseReason, ReportReason, SongReason } from '../../contract/reports.ts'

const songReasonLabels = {
  'wrong-song': 'Wrong song',
  'wrong-microgenre': 'Wrong microgenre',
  'does-not-play': 'Does not play',
} satisfies Record<SongReason, string>

const abuseReasonLabels = {
  spam: 'Spam or advertising',
  hateful: 'Hateful',
  sexual: 'Sexual',
  pretends: 'Pretends to be somebody',
  other: 'Something else',
} satisfies Record<AbuseReason, string>

/** The reasons of reports in words (desk-8). */
export const reasonLabels: Record<ReportReason, string> = { ...songReasonLabels, ...abuseReasonLabels }
