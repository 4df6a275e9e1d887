import { lazy } from 'react'
import { wasSignedIn } from '../auth/currentUser.ts'

/* Every page is a chunk of its own: the landing page carries nothing of the player and the other way round. */

export const LandingPage = lazy(async () => ({ default: (await importLanding()).LandingPage }))
export const AuthPage = lazy(async () => ({ default: (await import('../auth/AuthPage.tsx')).AuthPage }))
export const LoginPage = lazy(async () => ({ default: (await import('../auth/LoginPage.tsx')).LoginPage }))
export const ListenerPages = lazy(async () => ({ default: (await importListener()).ListenerPages }))
export const PrivacyPage = lazy(async () => ({
  default: (await import('../privacy/PrivacyPage.tsx')).PrivacyPage,
}))
export const NotFoundPage = lazy(async () => ({ default: (await import('./NotFoundPage.tsx')).NotFoundPage }))
export const SharedCollectionPage = lazy(async () => ({
  default: (await import('../sharing/SharedCollectionPage.tsx')).SharedCollectionPage,
}))
export const SharedAchievementPage = lazy(async () => ({
  default: (await import('../sharing/SharedAchievementPage.tsx')).SharedAchievementPage,
}))
export const VerificationPage = lazy(async () => ({
  default: (await import('./LaterPages.tsx')).VerificationPage,
}))
export const AuthTestPage = lazy(async () => ({ default: (await import('./LaterPages.tsx')).AuthTestPage }))
export const YoutubeOptimizationPage = lazy(async () => ({
  default: (await import('./LaterPages.tsx')).YoutubeOptimizationPage,
}))

const importListener = () => import('./ListenerPages.tsx')
const importLanding = () => import('../landing/LandingPage.tsx')

/** Who was signed in last time most likely is: the likely page is fetched while the server is still asked. */
export function preloadLikelyPage(): void {
  if (/^\/profile\/?$/.test(location.pathname) && wasSignedIn()) {
    void Promise.all([importListener(), import('../profiles/ProfilePage.tsx')]).catch(() => {})
  }
  if (location.pathname !== '/') return
  const fetching: Promise<unknown> = wasSignedIn() ? importListener() : importLanding()
  void fetching.catch(() => {})
}

/** Whether the page is the same for everybody, so that nobody has to be asked who is signed in (spec §2). */
export const isSameForAll = (path: string) => /^\/(share\/(collection|achievement)|privacy)(\/|$)/.test(path)
