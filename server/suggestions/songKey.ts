import { plainWords } from '../playback/matchScore.ts'

/**
 * Equal for two spellings of one song: case, accents, punctuation, '&' and 'and', 'the', 'feat.', editions such as
 * '(Remastered 2009)', and invisible characters make no difference (desk-5).
 */
export function songKey(artist: string, title: string): string {
  return `${titleKey(artist)}\n${titleKey(title)}`
}

/** The key of a title or a name. */
export function titleKey(text: string): string {
  const words = plainWords(text.replace(INVISIBLE, '').replace(FEATURING, ''))
  const key = words.filter((word) => word !== 'and').join('')
  // A name such as '!!!' or 'The The' has no other words.
  return key || text.replace(INVISIBLE, '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cc}/gu

/** 'Song feat. Somebody', 'Song (ft. Somebody)'. */
const FEATURING = /\s[([]?(feat|ft|featuring)\b\.?\s.*$/i
