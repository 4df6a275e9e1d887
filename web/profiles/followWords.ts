import type { ProfileList } from '../ui/place.ts'

export const listTitles: Record<ProfileList, string> = { followers: 'Followers', following: 'Following' }

/** '1 follower', '2 followers', '3 following'. */
export const countOf = (list: ProfileList, n: number): string => `${n.toLocaleString()} ${nounOf(list, n)}`

export const nounOf = (list: ProfileList, n: number): string =>
  list === 'followers' && n === 1 ? 'follower' : list
