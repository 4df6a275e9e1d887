import type {
  CaseSubject,
  Decision,
  DeskAction,
  SongChanges,
  VideoDoubt,
  VideoSource,
} from '../../contract/desk.ts'
import type { matchLevel } from '../../contract/diagnostics.ts'

/** What was decided. */
export const decisionLabels: Record<Decision['action'], string> = {
  approve: 'Approved',
  correct: 'Corrected',
  merge: 'Merged',
  reject: 'Rejected',
  dismiss: 'Dismissed',
  retire: 'Retired',
  block: 'Blocked',
  undo: 'Undone',
}

type DecisionKey = { action: DeskAction; name: string }

interface CaseKind {
  name: string
  left: DecisionKey
  right: DecisionKey
}

const judgeKeys = {
  left: { action: 'reject', name: 'Reject' },
  right: { action: 'approve', name: 'Approve' },
} as const

const blockKeys = (name: string) =>
  ({ left: { action: 'block', name }, right: { action: 'dismiss', name: 'Dismiss' } }) as const

/** The kinds of cases, with their decisions for ← and →, as bust and banger in the player. */
export const caseKinds = {
  suggestion: { name: 'Suggestion', ...judgeKeys },
  video: { name: 'Video for a song', ...judgeKeys },
  microgenre: { name: 'New microgenre', ...judgeKeys },
  song: {
    name: 'Reported song',
    left: { action: 'retire', name: 'Retire' },
    right: { action: 'dismiss', name: 'Keep' },
  },
  person: { name: 'Reported person', ...blockKeys('Suspend') },
  bio: { name: 'Reported bio', ...blockKeys('Clear') },
  photo: { name: 'Reported photo', ...blockKeys('Clear') },
  collection: { name: 'Reported collection', ...blockKeys('Hide') },
} satisfies Record<CaseSubject, CaseKind>

/** The values of a song that can be corrected. */
export const fieldLabels: Record<keyof SongChanges, string> = {
  title: 'Title',
  artist: 'Artist',
  year: 'Year',
  microgenreId: 'Microgenre',
  youtubeId: 'YouTube ID',
  spotifyId: 'Spotify ID',
  deezerTrackId: 'Deezer ID',
  recordingMbid: 'MusicBrainz ID',
}

/** Where a video was found. */
export const sourceLabels: Record<VideoSource, string> = {
  catalogue: 'The catalogue',
  musicbrainz: 'MusicBrainz',
  wikidata: 'Wikidata',
  discogs: 'Discogs',
  youtube: 'YouTube’s search',
}

/** Why a video was not taken. */
export const doubtTexts: Record<VideoDoubt, string> = {
  weak: 'The names do not agree entirely, or nothing proves that it is this recording.',
  regional: 'It is blocked in many countries.',
  'length differs': 'Its length differs from the song’s.',
}

export const matchLabels: Record<ReturnType<typeof matchLevel>, string> = {
  good: 'A good match',
  fair: 'A fair match',
  poor: 'A weak match',
}

/** Long names are smaller, so that they can be read without scrolling. */
export const titleSize = (name: string): string => (name.length > 40 ? 'text-sm' : '')
