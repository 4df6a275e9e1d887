import { describe, expect, test } from 'vitest'
import * as contract from '../../contract/onboarding.ts'
import { questions } from './QuestionnaireDialog.tsx'
import {
  completePreferences,
  initialQuestionnaire,
  QUESTION_COUNT,
  type QuestionnaireEvent,
  stepQuestionnaire,
} from './questionnaireState.ts'

const slow: QuestionnaireEvent = { type: 'chosen', answer: { energyPreference: 'slow' } }
const fast: QuestionnaireEvent = { type: 'chosen', answer: { energyPreference: 'fast' } }
const both: QuestionnaireEvent = { type: 'chosen', answer: { vocalPreference: 'both' } }
const advance: QuestionnaireEvent = { type: 'advance' }
const stateAfter = (...events: QuestionnaireEvent[]) => events.reduce(stepQuestionnaire, initialQuestionnaire)

describe('stepQuestionnaire', () => {
  test('an answer is kept, and the next question follows (onboarding-3)', () => {
    const chosen = stateAfter(slow)
    expect(chosen).toEqual({ step: 0, answers: { energyPreference: 'slow' }, isAdvancing: true })
    expect(stepQuestionnaire(chosen, advance)).toEqual({ ...chosen, step: 1, isAdvancing: false })
  })

  test('a double click answers one question (onboarding-3)', () => {
    expect(stateAfter(slow, slow, advance, advance).step).toBe(1)
    expect(stateAfter(slow, fast, advance).answers).toEqual({ energyPreference: 'slow' })
  })

  test('back shows the previous answer, which can be changed', () => {
    const back = stateAfter(slow, advance, { type: 'back' })
    expect(back).toEqual({ step: 0, answers: { energyPreference: 'slow' }, isAdvancing: false })
    expect(stepQuestionnaire(back, fast).answers).toEqual({ energyPreference: 'fast' })
    expect(stateAfter({ type: 'back' })).toEqual(initialQuestionnaire)
  })

  test('back right after an answer cancels moving on', () => {
    expect(stateAfter(slow, advance, both, { type: 'back' }, advance).step).toBe(0)
  })

  test('start over clears everything (onboarding-6)', () => {
    expect(stateAfter(slow, advance, both, { type: 'start-over' })).toEqual(initialQuestionnaire)
  })
})

describe('wholePreferences', () => {
  const preferences = {
    energyPreference: 'slow',
    vocalPreference: 'both',
    familiarityLevel: 'indie',
    musicMood: 'ambient',
  } as const

  test('fewer than four answers count as none (onboarding-9)', () => {
    for (const nothing of [null, undefined, {}, { ...preferences, musicMood: undefined }]) {
      expect(completePreferences(nothing)).toBeNull()
    }
    expect(completePreferences(preferences)).toEqual(preferences)
  })
})

test('four questions, with exactly the answers of the contract (onboarding-2, onboarding-1)', () => {
  expect(questions).toHaveLength(QUESTION_COUNT)
  const { shape } = contract.Preferences
  expect(
    Object.fromEntries(questions.map(({ key, options }) => [key, options.map(({ value }) => value)])),
  ).toEqual({
    energyPreference: shape.energyPreference.options,
    vocalPreference: shape.vocalPreference.options,
    familiarityLevel: shape.familiarityLevel.options,
    musicMood: shape.musicMood.options,
  })
})
