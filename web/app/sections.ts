import type { Icon } from '../ui/icon.tsx'
import { ChartNoAxesColumn, Disc3, Library } from '../ui/icons.ts'
import type { Section } from '../ui/screenParams.ts'

/** The sections of the main screen: names in the header and bottom navigation, and their keys. */
export const sections: readonly {
  id: Section
  name: string
  short: string
  key: string
  icon: Icon
}[] = [
  { id: 'discover', name: 'Discover', short: 'Discover', key: '1', icon: Disc3 },
  { id: 'library', name: 'My Library', short: 'Library', key: '2', icon: Library },
  { id: 'community', name: 'Community', short: 'Community', key: '3', icon: ChartNoAxesColumn },
]
