import type {
  CaseSubject,
  Decision,
  DeskAction,
  SongChanges,
  VideoDoubt,
  VideoSource,
} from '../../contract/desk.ts'

/** What a case is. */
export const subjectWords: Record<CaseSubject, string> = {
  suggestion: 'Suggestion',
  video: 'Video for a song',
  microgenre: 'New microgenre',
  song: 'Reported song',
  person: 'Reported person',
  bio: 'Reported bio',
  photo: 'Reported photo',
  collection: 'Reported collection',
}

/** What was decided. */
export const decidedWords: Record<Decision['action'], string> = {
  approve: 'Approved',
  correct: 'Corrected',
  merge: 'Merged',
  reject: 'Rejected',
  dismiss: 'Dismissed',
  retire: 'Retired',
  block: 'Blocked',
  undo: 'Undone',
}

/** The decisions of the two large keys: ← and →, as bust and banger in the player. */
export const keyActions: Record<
  CaseSubject,
  Record<'left' | 'right', { action: DeskAction; name: string }>
> = {
  suggestion: {
    left: { action: 'reject', name: 'Reject' },
    right: { action: 'approve', name: 'Approve' },
  },
  video: {
    left: { action: 'reject', name: 'Reject' },
    right: { action: 'approve', name: 'Approve' },
  },
  microgenre: {
    left: { action: 'reject', name: 'Reject' },
    right: { action: 'approve', name: 'Approve' },
  },
  song: {
    left: { action: 'retire', name: 'Retire' },
    right: { action: 'dismiss', name: 'Keep' },
  },
  person: block('Suspend'),
  bio: block('Clear'),
  photo: block('Clear'),
  collection: block('Hide'),
}

function block(name: string) {
  return {
    left: { action: 'block', name },
    right: { action: 'dismiss', name: 'Dismiss' },
  } as const
}

/** The values of a song that can be corrected. */
export const fieldWords: Record<keyof SongChanges, string> = {
  title: 'Title',
  artist: 'Artist',
  year: 'Year',
  microgenreId: 'Microgenre',
  youtubeId: 'YouTube ID',
  spotifyId: 'Spotify ID',
  deezerTrackId: 'Deezer ID',
  recordingMbid: 'MusicBrainz ID',
}

/** What named a video. */
export const sourceWords: Record<VideoSource, string> = {
  musicbrainz: 'MusicBrainz',
  wikidata: 'Wikidata',
  youtube: 'YouTube’s search',
}

/** Why a video was not taken. */
export const doubtWords: Record<VideoDoubt, string> = {
  weak: 'The names do not agree entirely, or nothing proves that it is this recording.',
  regional: 'It is blocked in many countries.',
  'length differs': 'Its length differs from the song’s.',
}

/** How well a video fits, of 100. */
export const fitWords = (score: number): string =>
  `${score >= 80 ? 'A good match' : score >= 60 ? 'A fair match' : 'A weak match'}, ${score} of 100`

/** A long name is smaller, so that it can be read without scrolling. */
export const sizeOf = (name: string): string => (name.length > 40 ? 'text-sm' : '')
