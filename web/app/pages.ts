import { lazy } from 'react'
import { wasSignedIn } from '../auth/currentUser.ts'

/* Every page is a chunk of its own: the landing page carries nothing of the player and the other way round. */

export const LandingPage = lazy(async () => ({
  default: (await import('../landing/LandingPage.tsx')).LandingPage,
}))
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

/** Who was signed in last time most likely is: their page is fetched while the server is still asked. */
export function preloadLikelyPage(): void {
  if (location.pathname === '/' && wasSignedIn()) void importListener().catch(() => {})
}
