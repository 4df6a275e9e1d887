import type { SharedAchievement, SharedCollection, Sharer } from '../../contract/sharing.ts'
import { sharedWordsOf } from '../../contract/sharing.ts'
import type { Subject } from './pictures/picture.ts'

/** What the pictures of a collection show: nothing that every view changes, or each would be another picture. */
export function collectionSubject({ name, items, user }: SharedCollection): Subject {
  const genres = items.map(({ microgenre }) => ({ name: microgenre.name, color: microgenre.color }))
  return { kind: 'collection', name, genres, creator: sharerName(user) }
}

export function achievementSubject({ type, microgenre, user }: SharedAchievement): Subject {
  return { kind: 'achievement', type, ...sharedWordsOf(type), genre: microgenre, creator: sharerName(user) }
}

/** First and last name joined (spec §3). */
export function sharerName({ firstName, lastName }: Pick<Sharer, 'firstName' | 'lastName'>): string {
  return [firstName?.trim(), lastName?.trim()].filter(Boolean).join(' ') || 'Music Explorer'
}
