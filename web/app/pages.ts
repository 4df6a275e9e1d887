import { hasSession } from '../api/config.ts'
import { currentPath } from '../api/paths.ts'
import { lazyComponent, lazyFirstPage } from '../ui/page/lazyComponent.tsx'
import { isPublicPath } from './firstCalls.ts'
import { MapPage, MicrogenrePage, ProfilePage } from './lazyPages.ts'

/* Every page is a separate chunk: the landing page contains nothing of the player, and vice versa. */

export const LandingPage = lazyFirstPage(async () => (await import('../landing/LandingPage.tsx')).LandingPage)
export const AuthPage = lazyFirstPage(async () => (await import('../auth/AuthPage.tsx')).AuthPage)
export const SignedInAlready = lazyComponent(
  async () => (await import('../auth/SignInError.tsx')).AlreadySignedIn,
)
export const LoginPage = lazyFirstPage(async () => (await import('../auth/LoginPage.tsx')).LoginPage)
export const ListenerPages = lazyFirstPage(async () => (await import('./ListenerPages.tsx')).ListenerPages)
export const NotFoundPage = lazyFirstPage(async () => (await import('../ui/page/DeadEnd.tsx')).NotFoundPage)
export const SharedCollectionPage = lazyFirstPage(
  async () => (await import('../sharing/SharedPages.tsx')).SharedCollectionPage,
)
export const SharedAchievementPage = lazyFirstPage(
  async () => (await import('../sharing/SharedPages.tsx')).SharedAchievementPage,
)
export const LaterPages = lazyComponent(async () => (await import('./LaterPages.tsx')).LaterPages)

/** Preloads the most likely page while authentication is being checked, or while the server's words show. */
export async function preloadLikelyPage(): Promise<void> {
  const path = currentPath()
  if (isPublicPath(path)) {
    if (path.startsWith('/microgenres')) await Promise.all([LaterPages.preload(), MicrogenrePage.preload()])
  } else if (path === '/') await (hasSession ? ListenerPages : LandingPage).preload()
  else if (/^\/profile\/?$/.test(path) && hasSession)
    await Promise.all([ListenerPages.preload(), ProfilePage.preload()])
  else if (/^\/microgenres\/?$/.test(path) && hasSession)
    await Promise.all([ListenerPages.preload(), MapPage.preload()])
}
