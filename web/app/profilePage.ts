import { lazyPart } from '../ui/lazyPart.tsx'

/** On its own, because both the routes and the pages with music know it. */
export const ProfilePage = lazyPart(async () => (await import('../profiles/ProfilePage.tsx')).ProfilePage)
