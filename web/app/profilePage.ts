import { lazyComponent } from '../ui/lazyComponent.tsx'

/** A separate module, because both the routes and the pages with music import it. */
export const ProfilePage = lazyComponent(
  async () => (await import('../profiles/ProfilePage.tsx')).ProfilePage,
)
