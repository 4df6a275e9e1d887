import { wasSignedIn } from '../auth/currentUser.ts'
import { askForBangersAhead } from '../profiles/ratedSongs.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { ProfilePage } from './profilePage.ts'

/* Every page is a chunk of its own: the landing page carries nothing of the player and the other way round. */

export const LandingPage = lazyPart(async () => (await import('../landing/LandingPage.tsx')).LandingPage)
export const AuthPage = lazyPart(async () => (await import('../auth/AuthPage.tsx')).AuthPage)
export const LoginPage = lazyPart(async () => (await import('../auth/LoginPage.tsx')).LoginPage)
export const ListenerPages = lazyPart(async () => (await import('./ListenerPages.tsx')).ListenerPages)
export const PrivacyPage = lazyPart(async () => (await import('../privacy/PrivacyPage.tsx')).PrivacyPage)
export const NotFoundPage = lazyPart(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)
export const SharedCollectionPage = lazyPart(
  async () => (await import('../sharing/SharedCollectionPage.tsx')).SharedCollectionPage,
)
export const SharedAchievementPage = lazyPart(
  async () => (await import('../sharing/SharedAchievementPage.tsx')).SharedAchievementPage,
)
export const DiagnosticPages = lazyPart(async () => (await import('./DiagnosticPages.tsx')).DiagnosticPages)

/**
 * Fetches the page that this visit most likely opens with, while the server is still asked who is signed in: who
 * was signed in last time most likely is.
 */
export async function preloadLikelyPage(): Promise<void> {
  const { pathname } = location
  if (pathname === '/') await (wasSignedIn() ? ListenerPages : LandingPage).preload()
  else if (/^\/profile\/?$/.test(pathname) && wasSignedIn()) {
    askForBangersAhead()
    await Promise.all([ListenerPages.preload(), ProfilePage.preload()])
  }
}

/** Whether the page is the same for everybody, so that nobody has to be asked who is signed in (spec §2). */
export const isSameForAll = (path: string) => /^\/(share\/(collection|achievement)|privacy)(\/|$)/.test(path)
