import type { ACTIONS_OF, CaseSubject, DeskAction } from '../../contract/desk.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Effect, Kind } from './effect.ts'
import { MICROGENRES } from './microgenres.ts'
import { BIOS, COLLECTIONS, PEOPLE, PHOTOS } from './people.ts'
import { SONGS } from './songs.ts'
import { SUGGESTIONS } from './suggestions.ts'
import { VIDEOS } from './videos.ts'

/** All that the desk decides, by what a case is about. */
export const KINDS = {
  suggestion: SUGGESTIONS,
  video: VIDEOS,
  microgenre: MICROGENRES,
  song: SONGS,
  person: PEOPLE,
  bio: BIOS,
  photo: PHOTOS,
  collection: COLLECTIONS,
} satisfies { [Subject in CaseSubject]: Kind<(typeof ACTIONS_OF)[Subject][number]> }

/** How a decision on a subject is carried out. @throws HttpError 400 for one that the subject does not allow. */
export function effectOf(subject: CaseSubject, action: DeskAction): Effect {
  const effects: Partial<Record<DeskAction, Effect>> = KINDS[subject].effects
  const effect = effects[action]
  if (!effect) throw new HttpError(400, 'This decision does not fit the case.')
  return effect
}
