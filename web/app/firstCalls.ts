import type { getCurrentUser } from '../../contract/auth.ts'
import type { getLongTail } from '../../contract/community.ts'
import type { getMap, getNextSong, listMicrogenres, OfferedSong } from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { listRatings } from '../../contract/library.ts'
import type { getPreferences } from '../../contract/onboarding.ts'
import type { getMyStats } from '../../contract/profiles.ts'
import type { getSharedAchievement, getSharedCollection, getSharedMix } from '../../contract/sharing.ts'
import { config, hasSession } from '../api/config.ts'
import { startEarlyCall } from '../api/earlyCalls.ts'
import { currentPath, fillPath } from '../api/paths.ts'
import { pickFirstMicrogenre } from '../discovery/picker/pickMicrogenre.ts'
import { MAX_PROFILE_SONGS } from '../profiles/maxProfileSongs.ts'
import { preloadArt } from '../ui/art/artAddress.ts'

/*
 * Begins the first calls of a page while the rest of its code is on its way (screens-22). A chunk of its own, which
 * loads first, so it has the paths of the contract as text: the endpoints would bring their schemas.
 */

const USER_PATH: typeof getCurrentUser.path = '/api/auth/user'
const MICROGENRES_PATH: typeof listMicrogenres.path = '/api/microgenres'
const NEXT_SONG_PATH: typeof getNextSong.path = '/api/microgenres/:id/next-song'
const PREFERENCES_PATH: typeof getPreferences.path = '/api/users/me/preferences'
const STATS_PATH: typeof getMyStats.path = '/api/users/me/stats'
const RATINGS_PATH: typeof listRatings.path = '/api/users/me/ratings'
const MAP_PATH: typeof getMap.path = '/api/microgenres/map'
const SHARED_PATHS = {
  collection: '/api/share/collection/:shareToken' satisfies typeof getSharedCollection.path,
  achievement: '/api/share/achievement/:shareToken' satisfies typeof getSharedAchievement.path,
  mix: '/api/share/mix/:shareToken' satisfies typeof getSharedMix.path,
}
const LONG_TAIL_PATH: typeof getLongTail.path = '/api/community/long-tail'

/** Public paths other than those of shared items; some only while visitors may hear (visitors-1). */
export const publicPage = config.visitors
  ? /^\/(?:privacy|fairness|(?:invite|microgenres)\/[^/]+)\/?$/
  : /^\/(?:privacy|fairness|invite\/[^/]+)\/?$/

startFirstCalls(currentPath())

/** Whether the page is the same for everybody and needs no authentication (screens-2). */
export function isPublicPath(path: string): boolean {
  return /^\/share\/(collection|achievement|mix|blind)(\/|$)/.test(path) || publicPage.test(path)
}

function startFirstCalls(path: string): void {
  const [, kind, shareToken] = /^\/share\/(collection|achievement|mix)\/([\w-]+)\/?$/.exec(path) ?? []
  if (shareToken)
    startEarlyCall(fillPath({ path: SHARED_PATHS[kind as keyof typeof SHARED_PATHS] }, { shareToken }))
  if (/^\/fairness\/?$/.test(path)) startEarlyCall(LONG_TAIL_PATH)
  if (isPublicPath(path)) return
  if (hasSession && path === '/') startDiscoveryCalls()
  startEarlyCall(USER_PATH, {}, (body) => {
    const user: ResponseOf<typeof getCurrentUser> = JSON.parse(body)
    showsSongs = user?.earFirst === false
  })
  if (hasSession && /^\/profile\/?$/.test(path)) {
    startEarlyCall(STATS_PATH)
    startEarlyCall(`${RATINGS_PATH}?type=banger`, { Range: `items=0-${MAX_PROFILE_SONGS.banger - 1}` })
  }
  if (hasSession && /^\/microgenres\/?$/.test(path)) startEarlyCall(MAP_PATH)
}

/** What the main screen shows first, of the microgenre in the address or of one at random (discover-1). */
function startDiscoveryCalls(): void {
  startEarlyCall(MICROGENRES_PATH, {}, (body) => {
    const microgenres: ResponseOf<typeof listMicrogenres> = JSON.parse(body)
    const wantedId = new URLSearchParams(location.search).get('microgenre')
    const firstMicrogenre = microgenres.find(({ id }) => id === wantedId) ?? pickFirstMicrogenre(microgenres)
    if (!firstMicrogenre) return
    const path = `${fillPath({ path: NEXT_SONG_PATH }, { id: firstMicrogenre.id })}?_t=${Date.now()}`
    startEarlyCall(path, {}, (song) => preloadSong(JSON.parse(song) as OfferedSong))
  })
  startEarlyCall(STATS_PATH)
  startEarlyCall(PREFERENCES_PATH)
}

/** Whether the listener may see the first song before its verdict (discover-92); false until that is known. */
let showsSongs = false

/** The picture of the first song, and the connection to the host of its video. */
function preloadSong({ albumArt, youtubeId, youtubeBlocked }: OfferedSong): void {
  if (!showsSongs) return
  preloadArt(albumArt)
  if (!youtubeId || youtubeBlocked) return
  const link = document.createElement('link')
  Object.assign(link, { rel: 'preconnect', href: config.youtubePlayerUrl })
  document.head.append(link)
}
