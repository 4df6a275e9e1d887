import { lazyComponent } from '../ui/lazyComponent.tsx'

/** A separate module, because both the routes and the pages with music import it. */
export const MapPage = lazyComponent(async () => (await import('../discovery/map/MapPage.tsx')).MapPage)
