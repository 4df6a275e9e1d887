import type { ProfileList } from '../ui/screenParams.ts'

export const listTitles: Record<ProfileList, string> = { followers: 'Followers', following: 'Following' }

/** '1 follower', '2 followers', '3 following'. */
export const formatFollowCount = (list: ProfileList, n: number): string =>
  `${n.toLocaleString()} ${followNoun(list, n)}`

export const followNoun = (list: ProfileList, n: number): string =>
  list === 'followers' && n === 1 ? 'follower' : list
