import { stored } from '../api/stored.ts'

const skipped = stored('questionnaire-skipped', 'tab')

/** Whether this listener skipped the questionnaire in this tab since signing in (onboarding-7). */
export const isSkipped = (userId: string): boolean => skipped.read() === userId

export const rememberSkip = (userId: string): void => skipped.save(userId)

/** Forgets the skip when the listener signs out. */
export const forgetSkip = (): void => skipped.save(null)
