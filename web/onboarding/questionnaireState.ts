import type { Preferences } from '../../contract/onboarding.ts'

/** How many there are (spec §9); at this step the results are shown. */
export const QUESTION_COUNT = 4

/** Milliseconds between an answer and the next question (spec §9). */
export const ADVANCE_DELAY = 300

export interface QuestionnaireState {
  /** The question that is asked, from 0; 4 when all are answered. */
  step: number
  answers: Partial<Preferences>
  /** An answer was just given, and the next question is on its way. */
  isAdvancing: boolean
}

export type QuestionnaireEvent =
  | { type: 'chosen'; answer: Partial<Preferences> }
  | { type: 'advance' }
  | { type: 'back' }
  | { type: 'start-over' }

export const untouched: QuestionnaireState = { step: 0, answers: {}, isAdvancing: false }

/**
 * One question after the other. Once an answer is given the question takes no other until the next one is
 * there, so that a double click answers one question only (QUESTIONNAIRE-07).
 */
export function stepQuestionnaire(state: QuestionnaireState, event: QuestionnaireEvent): QuestionnaireState {
  switch (event.type) {
    case 'chosen':
      if (state.isAdvancing || state.step >= QUESTION_COUNT) return state
      return { ...state, answers: { ...state.answers, ...event.answer }, isAdvancing: true }
    case 'advance':
      return state.isAdvancing ? { ...state, step: state.step + 1, isAdvancing: false } : state
    case 'back':
      return { ...state, step: Math.max(0, state.step - 1), isAdvancing: false }
    case 'start-over':
      return untouched
  }
}

/** The four answers, or null while one is missing: also for an answer of the server that is not whole (D-71). */
export function wholePreferences(answers: Partial<Preferences> | null | undefined): Preferences | null {
  const { energyPreference, vocalPreference, familiarityLevel, musicMood } = answers ?? {}
  if (!energyPreference || !vocalPreference || !familiarityLevel || !musicMood) return null
  return { energyPreference, vocalPreference, familiarityLevel, musicMood }
}
