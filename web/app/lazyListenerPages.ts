import { lazyComponent } from '../ui/page/lazyComponent.tsx'

/** A separate module, because both the routes and the pages with music import it. */
export const MapPage = lazyComponent(async () => (await import('../discovery/map/MapPage.tsx')).MapPage)

/** A separate module, because both the routes and the pages with music import it. */
export const ProfilePage = lazyComponent(
  async () => (await import('../profiles/ProfilePage.tsx')).ProfilePage,
)

export const ImportsPage = lazyComponent(async () => (await import('../imports/ImportsPage.tsx')).ImportsPage)

/** In this module for the same reason. */
export const MiniPlayer = lazyComponent(async () => (await import('../playback/MiniPlayer.tsx')).MiniPlayer)
