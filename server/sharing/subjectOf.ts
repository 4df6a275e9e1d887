import type { SharedPage } from '../../contract/sharedPage.ts'
import type { Subject } from './pictures/picture.ts'

/** What the pictures of a shared page show: nothing that every view changes, or each would be another picture. */
export function subjectOf({ title, text, medal, genre, creator, entries }: SharedPage): Subject {
  if (medal !== null)
    return { kind: 'achievement', type: medal, name: title, text: text ?? '', genre, creator: creator.name }
  const genres = entries.map(({ name, color }) => ({ name, color }))
  return { kind: 'collection', name: title, genres, creator: creator.name }
}
