import type { CaseSubject, Decision, DeskAction, SongChanges } from '../../contract/desk.ts'

/** What a case is. */
export const subjectWords: Record<CaseSubject, string> = {
  suggestion: 'Suggestion',
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

/** A long name is smaller, so that it can be read without scrolling. */
export const sizeOf = (name: string): string => (name.length > 40 ? 'text-sm' : '')
