import { LEAST_MATCH, type Named, scoreOf, wordsOf } from '../playback/matchScore.ts'

/** How well a video's own words name a song. */
export interface VideoMatch {
  /** 0 to 100. */
  score: number
  titleMatch: boolean
  artistMatch: boolean
}

/** Each of these in a video's title, and not in the song's, makes it somebody else's: it costs this much of 100. */
const FOREIGN = {
  cost: 20,
  words: ['cover', 'karaoke', 'tribute', 'reaction', 'lesson', 'tutorial', 'remix', 'nightcore'],
}

/**
 * Looks for the song's words in the video's title and channel: 'Slowdive - Alison (Official Video)' names
 * 'Alison' by Slowdive whole, and so does 'Alison' on the channel 'Slowdive - Topic'.
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

/** Of 100, how many of the words of `name` stand in `text`. */
function share(name: string, text: string): number {
  const wanted = [...wordsOf(name)]
  const spoken = wordsOf(text)
  if (wanted.length === 0) return text.toLowerCase().includes(name.trim().toLowerCase()) ? 100 : 0
  // Japanese and its like put no spaces between words.
  const unspaced = [...spoken].join('')
  const isThere = (word: string) => spoken.has(word) || (!/^[\w]+$/.test(word) && unspaced.includes(word))
  return (100 * wanted.filter(isThere).length) / wanted.length
}
