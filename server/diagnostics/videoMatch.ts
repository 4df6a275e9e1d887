import { LEAST_MATCH, type Named, scoreOf, wordsOf } from '../playback/matchScore.ts'

/** How well a video's title and channel match a song. */
export interface VideoMatch {
  /** 0 to 100. */
  score: number
  titleMatch: boolean
  artistMatch: boolean
}

/**
 * Each of these words in a video's title, but not in the song's, marks a cover version and costs this much of 100.
 */
const FOREIGN = {
  cost: 20,
  words: ['cover', 'karaoke', 'tribute', 'reaction', 'lesson', 'tutorial', 'remix', 'nightcore'],
}

/**
 * Searches the song's words in the video's title and channel: 'Slowdive - Alison (Official Video)' is a full match
 * for 'Alison' by Slowdive, and so is 'Alison' on the channel 'Slowdive - Topic'.
 */
export function matchVideo(song: Named, video: { title: string; channel: string | null }): VideoMatch {
  const title = share(song.title, video.title)
  const artist = share(song.artist, `${video.title} ${video.channel ?? ''}`)
  const spoken = wordsOf(video.title)
  const own = wordsOf(`${song.title} ${song.artist}`)
  const isForeign = FOREIGN.words.some((word) => spoken.has(word) && !own.has(word))
  const titleMatch = title >= LEAST_MATCH
  const artistMatch = artist >= LEAST_MATCH
  const score = scoreOf(title, artist, titleMatch && artistMatch)
  return { score: Math.max(0, score - (isForeign ? FOREIGN.cost : 0)), titleMatch, artistMatch }
}

/** The share of the words of `name` that `text` contains, of 100. */
function share(name: string, text: string): number {
  const wanted = [...wordsOf(name)]
  const spoken = wordsOf(text)
  if (wanted.length === 0) return text.toLowerCase().includes(name.trim().toLowerCase()) ? 100 : 0
  // Japanese and similar scripts have no spaces between words.
  const unspaced = [...spoken].join('')
  const isThere = (word: string) => spoken.has(word) || (!/^[\w]+$/.test(word) && unspaced.includes(word))
  return (100 * wanted.filter(isThere).length) / wanted.length
}
