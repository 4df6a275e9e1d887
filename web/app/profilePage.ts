import { lazyPage } from '../ui/lazyPage.tsx'

/** On its own, because both the routes and the pages with music know it. */
export const ProfilePage = lazyPage(async () => (await import('../profiles/ProfilePage.tsx')).ProfilePage)
