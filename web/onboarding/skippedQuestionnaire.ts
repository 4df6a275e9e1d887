import { storageItem } from '../api/storageItem.ts'

const skipped = storageItem('questionnaire-skipped', 'tab')

/** Whether this listener skipped the questionnaire in this tab since signing in (onboarding-7). */
export const hasSkippedQuestionnaire = (userId: string): boolean => skipped.read() === userId

export const rememberQuestionnaireSkip = (userId: string): void => skipped.save(userId)

/** Forgets the skip when the listener signs out. */
export const forgetQuestionnaireSkip = (): void => skipped.save(null)
