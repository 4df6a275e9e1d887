import { lazyPart } from '../ui/lazyPart.tsx'

/** A separate module, because both the routes and the pages with music import it. */
export const MapPage = lazyPart(async () => (await import('../discovery/map/MapPage.tsx')).MapPage)
