import type { SharedPage } from '../../contract/sharedPage.ts'
import type { Subject } from './pictures/picture.ts'

/** The content of a shared page's pictures, without anything that changes with each view. */
export function subjectOf({ title, text, medal, genre, creator, entries }: SharedPage): Subject {
  if (medal !== null)
    return { kind: 'achievement', type: medal, name: title, text: text ?? '', genre, creator: creator.name }
  const genres = entries.map(({ name, color }) => ({ name, color }))
  return { kind: 'collection', name: title, genres, creator: creator.name }
}
