import { isolateName, songName } from '../../contract/isolateName.ts'
import type { CatalogueSong, OwnSuggestion } from '../../contract/suggestions.ts'

export const hereAlready = ({ microgenre }: CatalogueSong): string =>
  `Here already, in ${isolateName(microgenre)}`

/** How many listeners ask for a song. */
export const listenersAsk = (votes: number): string =>
  votes === 1 ? 'One listener asks for it' : `${votes} listeners ask for it`

/** How many more songs a listener can suggest (desk-6). */
export function leftWords(left: number): string {
  if (left === 0) return 'You can suggest no more songs today. Please come back tomorrow.'
  return left === 1 ? 'You can suggest one more song today.' : `You can suggest ${left} more songs today.`
}

/** What became of an own suggestion (desk-7). */
export function stateWords({ state, votes, song, reason }: OwnSuggestion): string {
  switch (state) {
    case 'waiting':
      return votes > 1 ? `Waits at the desk. ${listenersAsk(votes)}.` : 'Waits at the desk.'
    case 'approved':
      return song ? `Approved: it is in ${isolateName(song.microgenre)} now.` : 'Approved.'
    case 'merged':
      return song ? `Here already, in ${isolateName(song.microgenre)}: ${songName(song)}.` : 'Here already.'
    case 'rejected':
      return `Not taken: ${reason ?? 'no reason'}`
    case 'withdrawn':
      return 'Taken back.'
  }
}
