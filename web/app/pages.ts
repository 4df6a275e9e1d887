import { getCurrentUser } from '../../contract/auth.ts'
import { pathHere } from '../api/address.ts'
import { findEmbedded } from '../api/embeddedResponse.ts'
import { wasSignedIn } from '../auth/currentUser.ts'
import { prefetchBangers } from '../profiles/ratedSongs.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { MapPage } from './mapPage.ts'
import { ProfilePage } from './profilePage.ts'

/* Every page is a separate chunk: the landing page contains nothing of the player, and vice versa. */

export const LandingPage = lazyPart(async () => (await import('../landing/LandingPage.tsx')).LandingPage)
export const AuthPage = lazyPart(async () => (await import('../auth/AuthPage.tsx')).AuthPage)
export const LoginPage = lazyPart(async () => (await import('../auth/LoginPage.tsx')).LoginPage)
export const ListenerPages = lazyPart(async () => (await import('./ListenerPages.tsx')).ListenerPages)
export const NotFoundPage = lazyPart(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)
export const SharedCollectionPage = lazyPart(
  async () => (await import('../sharing/SharedCollectionPage.tsx')).SharedCollectionPage,
)
export const SharedAchievementPage = lazyPart(
  async () => (await import('../sharing/SharedAchievementPage.tsx')).SharedAchievementPage,
)
export const LaterPages = lazyPart(async () => (await import('./LaterPages.tsx')).LaterPages)

/**
 * Preloads the most likely page while authentication is being checked: a listener's if the HTML brought who is signed in,
 * or somebody was signed in last time.
 */
export async function preloadLikelyPage(): Promise<void> {
  const path = pathHere()
  const isListener = findEmbedded(getCurrentUser.path) !== undefined || wasSignedIn()
  if (path === '/') await (isListener ? ListenerPages : LandingPage).preload()
  else if (/^\/profile\/?$/.test(path) && isListener) {
    prefetchBangers()
    await Promise.all([ListenerPages.preload(), ProfilePage.preload()])
  } else if (/^\/microgenres\/?$/.test(path) && isListener)
    await Promise.all([ListenerPages.preload(), MapPage.preload()])
}

/** Whether the page is the same for everybody and needs no authentication (screens-2). */
export const isSameForAll = (path: string) =>
  /^\/(share\/(collection|achievement)|privacy|fairness|invite)(\/|$)/.test(path)
