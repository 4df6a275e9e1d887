import { normalizeHeader } from '../songFiles/columns.ts'
import { textOf, type Verdict } from './importItems.ts'
import type { Row, Shape } from './shapes.ts'

/* Lists of songs that many programs write, with a column for each value in any order. */

/** What such a list says beside the songs, by its names in lower-case letters. */
const EXTRAS = {
  lovedAt:
    'addedat added addeddate addedon dateadded timeadded lovedat likedat ratedat created createdat playlistvideocreationtimestamp',
  playedAt: 'playedat listenedat lastplayed dateplayed timestamp uts utctime date',
  plays: 'plays playcount scrobbles listens',
  rating: 'rating verdict loved liked love score',
}
const EXTRA_BY_NAME = new Map(
  Object.entries(EXTRAS).flatMap(([extra, names]) =>
    names.split(' ').map((name): [string, string] => [name, extra]),
  ),
)

export const extraOf = (name: string): string | undefined => EXTRA_BY_NAME.get(normalizeHeader(name))

/** Services, by columns that only they write. */
const WRITERS: [source: string, ...names: string[]][] = [
  ['TuneMyMusic', 'trackname', 'playlistname', 'type'],
  ['Exportify', 'trackuri', 'artistnames'],
  ['YouTube Music, library', 'songtitle', 'artistname1'],
  ['YouTube, playlists', 'videoid', 'playlistvideocreationtimestamp'],
  ['YouTube, playlists', 'videoid', 'timeadded'],
  ['Banger or Bust, bangers', 'title', 'mbid', 'microgenre'],
  ['Banger or Bust, ratings', 'title', 'rating', 'microgenre', 'ratedat'],
]

/** The shape of rows whose values have the names of our columns. Songs of a list without plays are loved. */
export function listShape(source: string, names: string[]): Shape {
  const extras = names.map(extraOf)
  const hasPlays = extras.includes('plays')
  const isHistory = hasPlays || (extras.includes('playedAt') && !extras.includes('lovedAt'))
  const isRated = extras.includes('rating')
  // One of several stars is no love.
  const loved = names.includes('rating') ? LOVED : LOVED_OR_1
  const verdictOf = (row: Row): Verdict =>
    loved.test(textOf(row.rating)) ? 'banger' : HATED.test(textOf(row.rating)) ? 'bust' : null
  const [writer = source] = WRITERS.find(([, ...own]) => own.every((name) => names.includes(name))) ?? []
  return {
    source: writer,
    verdict: (row) => (isRated ? verdictOf(row) : isHistory ? null : 'banger'),
    fields: {
      ...Object.fromEntries(LISTED_COLUMNS.map((column) => [column, column])),
      at: (row) => (isHistory ? row.playedAt : row.lovedAt || row.playedAt),
      plays: (row) => (hasPlays ? row.plays || 0 : isHistory ? 1 : 0),
      // Others mean any style.
      ...(writer.startsWith('Banger or Bust') && { microgenre: 'microgenre' }),
    },
    leaveOut: (row) => isRated && !isHistory && verdictOf(row) === null && 'not loved',
  }
}

const LISTED_COLUMNS = ['title', 'artist', 'isrc', 'recording_mbid', 'spotify_id', 'youtube_id'] as const

const LOVED = /^\s*(banger|loved?|liked?|favou?rited?|true|yes)\s*$/i
const LOVED_OR_1 = new RegExp(`${LOVED.source}|^1$`, 'i')
const HATED = /^\s*(bust|hated?|disliked?|banned|-1)\s*$/i
