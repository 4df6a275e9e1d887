import type { ACTIONS_BY_SUBJECT, CaseSubject, DeskAction } from '../../contract/desk.ts'
import { HttpError } from '../http/HttpError.ts'
import type { CaseHandler, Effect } from './effect.ts'
import { MICROGENRE_CASES } from './microgenres.ts'
import { BIO_CASES, COLLECTION_CASES, PERSON_CASES, PHOTO_CASES } from './people.ts'
import { SONG_CASES } from './songs.ts'
import { SUGGESTION_CASES } from './suggestions.ts'
import { VIDEO_CASES } from './videos.ts'

/** The handlers of all cases, by subject. */
export const CASE_HANDLERS = {
  suggestion: SUGGESTION_CASES,
  video: VIDEO_CASES,
  microgenre: MICROGENRE_CASES,
  song: SONG_CASES,
  person: PERSON_CASES,
  bio: BIO_CASES,
  photo: PHOTO_CASES,
  collection: COLLECTION_CASES,
} satisfies { [Subject in CaseSubject]: CaseHandler<(typeof ACTIONS_BY_SUBJECT)[Subject][number]> }

/** How a decision on a subject is applied. @throws HttpError 400 for one that the subject does not allow. */
export function effectOf(subject: CaseSubject, action: DeskAction): Effect {
  const effects: Partial<Record<DeskAction, Effect>> = CASE_HANDLERS[subject].effects
  const effect = effects[action]
  if (!effect) throw new HttpError(400, 'This decision does not fit the case.')
  return effect
}
