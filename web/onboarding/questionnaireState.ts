import type { Preferences } from '../../contract/onboarding.ts'
import { storageItem } from '../api/storageItem.ts'

/** The number of questions (onboarding-1); at this step the results show. */
export const QUESTION_COUNT = 4

/** Milliseconds between an answer and the next question (onboarding-3). */
export const ADVANCE_DELAY = 300

export interface QuestionnaireState {
  /** The current question, from 0; 4 when all are answered. */
  step: number
  answers: Partial<Preferences>
  /** An answer was given and the next question is about to appear. */
  isAdvancing: boolean
}

export type QuestionnaireEvent =
  | { type: 'chosen'; answer: Partial<Preferences> }
  | { type: 'advance' }
  | { type: 'back' }
  | { type: 'start-over' }

export const initialQuestionnaire: QuestionnaireState = { step: 0, answers: {}, isAdvancing: false }

/**
 * One question at a time. After an answer the question ignores others until the next one shows, so a double click
 * answers one question (onboarding-3).
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
      return initialQuestionnaire
  }
}

/** The four answers, or null while one is missing, also in the server's answer (onboarding-9). */
export function completePreferences(answers: Partial<Preferences> | null | undefined): Preferences | null {
  const { energyPreference, vocalPreference, familiarityLevel, musicMood } = answers ?? {}
  if (!energyPreference || !vocalPreference || !familiarityLevel || !musicMood) return null
  return { energyPreference, vocalPreference, familiarityLevel, musicMood }
}

const skipped = storageItem('questionnaire-skipped', 'tab')

/** Whether this listener skipped the questionnaire in this tab since signing in (onboarding-7). */
export const hasSkippedQuestionnaire = (userId: string): boolean => skipped.read() === userId

export const rememberQuestionnaireSkip = (userId: string): void => skipped.save(userId)

/** Forgets the skip when the listener signs out. */
export const forgetQuestionnaireSkip = (): void => skipped.save(null)
