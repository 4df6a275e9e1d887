import type { SharedPage } from '../../contract/sharedPage.ts'
import type { Subject } from './pictures/picture.ts'

/** The content of a shared page's pictures, without what changes with each view. */
export function toPictureSubject({ title, text, type, medal, genre, creator, entries }: SharedPage): Subject {
  if (medal !== null) {
    // With a raw type, the text would only repeat the tag.
    const meaning = type === null ? text : null
    return { kind: 'achievement', type: medal, name: title, text: meaning, genre, creator: creator.name }
  }
  const genres = entries.map(({ name, color }) => ({ name, color }))
  return { kind: 'collection', name: title, genres, creator: creator.name }
}
