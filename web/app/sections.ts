import { ChartNoAxesColumn, Disc3, Library, type LucideIcon } from 'lucide-react'

export type Section = 'discover' | 'library' | 'community'

/** The three sections of the main screen: their names in the header and in the bottom nav, and their keys. */
export const sections: readonly {
  id: Section
  name: string
  short: string
  key: string
  icon: LucideIcon
}[] = [
  { id: 'discover', name: 'Discover', short: 'Discover', key: '1', icon: Disc3 },
  { id: 'library', name: 'My Library', short: 'Library', key: '2', icon: Library },
  { id: 'community', name: 'Community', short: 'Community', key: '3', icon: ChartNoAxesColumn },
]
