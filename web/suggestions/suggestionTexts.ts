import { isolateName, songName } from '../../contract/isolateName.ts'
import type { CatalogueSong, OwnSuggestion } from '../../contract/suggestions.ts'

export const formatCatalogueLocation = ({ microgenre }: CatalogueSong): string =>
  `Here already, in ${isolateName(microgenre)}`

/** How many listeners ask for a song. */
export const formatVotes = (votes: number): string =>
  votes === 1 ? 'One listener asks for it' : `${votes} listeners ask for it`

/** How many more songs the listener can suggest today (desk-6). */
export function formatRemaining(remaining: number): string {
  if (remaining === 0) return 'You can suggest no more songs today. Please come back tomorrow.'
  return remaining === 1
    ? 'You can suggest one more song today.'
    : `You can suggest ${remaining} more songs today.`
}

/** What became of an own suggestion (desk-7). */
export function formatSuggestionState({ state, votes, song, reason }: OwnSuggestion): string {
  switch (state) {
    case 'waiting':
      return votes > 1 ? `Waits at the desk. ${formatVotes(votes)}.` : 'Waits at the desk.'
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
