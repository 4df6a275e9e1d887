import type { ListenerStats } from '../../contract/profiles.ts'

/** The listener's figures as a sentence (sharing-8). */
export function statsText({ totalBangers, totalRatings, favoriteMicrogenre }: ListenerStats): string {
  const found = `I found ${formatCount(totalBangers, 'banger')} in ${formatCount(totalRatings, 'song')} on Banger or Bust.`
  return favoriteMicrogenre ? `${found} My favourite microgenre is ${favoriteMicrogenre}.` : found
}

const formatCount = (n: number, thing: string) => `${n.toLocaleString('en')} ${thing}${n === 1 ? '' : 's'}`
