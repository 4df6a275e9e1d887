import { pathHere } from '../api/address.ts'
import { hasSession } from '../api/config.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { MapPage } from './mapPage.ts'
import { ProfilePage } from './profilePage.ts'

/* Every page is a separate chunk: the landing page contains nothing of the player, and vice versa. */

export const LandingPage = lazyPart(async () => (await import('../landing/LandingPage.tsx')).LandingPage)
export const AuthPage = lazyPart(async () => (await import('../auth/AuthPage.tsx')).AuthPage)
export const SignedInAlready = lazyPart(
  async () => (await import('../auth/SignedInAlready.tsx')).AlreadySignedIn,
)
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

/** Preloads the most likely page while authentication is being checked. */
export async function preloadLikelyPage(): Promise<void> {
  const path = pathHere()
  if (path === '/') await (hasSession ? ListenerPages : LandingPage).preload()
  else if (/^\/profile\/?$/.test(path) && hasSession)
    await Promise.all([ListenerPages.preload(), ProfilePage.preload()])
  else if (/^\/microgenres\/?$/.test(path) && hasSession)
    await Promise.all([ListenerPages.preload(), MapPage.preload()])
}
