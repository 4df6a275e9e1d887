import { ACTIONS_OF, type CaseSubject, type DeskAction } from '../../contract/desk.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Effect } from './effect.ts'
import { MICROGENRE_EFFECTS } from './microgenreEffects.ts'
import { BLOCK_EFFECTS } from './peopleEffects.ts'
import { SONG_EFFECTS } from './songEffects.ts'
import { SUGGESTION_EFFECTS } from './suggestionEffects.ts'
import { VIDEO_EFFECTS } from './videoEffects.ts'

/** How a decision on a subject is carried out. @throws HttpError 400 for one that the subject does not allow. */
export function effectOf(subject: CaseSubject, action: DeskAction, label: () => Promise<string>): Effect {
  const allowed: readonly DeskAction[] = ACTIONS_OF[subject]
  if (!allowed.includes(action)) throw new HttpError(400, 'This decision does not fit the case.')
  if (action === 'dismiss') return dismissal(label)
  const effect = effectsOf(subject)[action]
  if (!effect) throw new Error(`No effect of ${action} on ${subject}.`)
  return effect
}

function effectsOf(subject: CaseSubject): Partial<Record<DeskAction, Effect>> {
  if (subject === 'suggestion') return SUGGESTION_EFFECTS
  if (subject === 'video') return VIDEO_EFFECTS
  if (subject === 'microgenre') return MICROGENRE_EFFECTS
  return subject === 'song' ? SONG_EFFECTS : { block: BLOCK_EFFECTS[subject] }
}

/** Only closes the reports. */
const dismissal = (label: () => Promise<string>): Effect => ({
  decide: async () => ({ label: await label() }),
  async undo() {},
  async redo() {},
})
