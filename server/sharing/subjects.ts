import {
  type SharedAchievement,
  type SharedCollection,
  sharedWordsOf,
  sharerName,
} from '../../contract/sharing.ts'
import type { Subject } from './pictures/picture.ts'

/** What the pictures of a collection show: nothing that every view changes, or each would be another picture. */
export function collectionSubject({ name, items, user }: SharedCollection): Subject {
  const genres = items.map(({ microgenre }) => ({ name: microgenre.name, color: microgenre.color }))
  return { kind: 'collection', name, genres, creator: sharerName(user) }
}

export function achievementSubject({ type, microgenre, user }: SharedAchievement): Subject {
  return { kind: 'achievement', type, ...sharedWordsOf(type), genre: microgenre, creator: sharerName(user) }
}
