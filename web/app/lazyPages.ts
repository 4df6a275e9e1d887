import { lazyComponent } from '../ui/page/lazyComponent.tsx'

/* A separate module, because both the routes and the pages that they show import these. */

export const MapPage = lazyComponent(async () => (await import('../discovery/map/MapPage.tsx')).MapPage)

export const ProfilePage = lazyComponent(
  async () => (await import('../profiles/ProfilePage.tsx')).ProfilePage,
)

export const ImportsPage = lazyComponent(async () => (await import('../imports/ImportsPage.tsx')).ImportsPage)

export const MiniPlayer = lazyComponent(async () => (await import('../playback/MiniPlayer.tsx')).MiniPlayer)

export const MicrogenrePage = lazyComponent(
  async () => (await import('../sharing/MicrogenrePage.tsx')).MicrogenrePage,
)
