import { useQuery } from '@tanstack/react-query'
import { useAchievements } from '../achievements/useAchievements.ts'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { usePainted } from '../ui/usePainted.ts'
import { AchievementGrid } from './AchievementGrid.tsx'
import { RatedList, type RatedListTexts } from './RatedList.tsx'
import { bangersQuery, bustsQuery } from './ratedSongs.ts'

/** Bangers, achievements and busts. Tabs count the whole lists, of which few songs are shown (library-10). */
export function ProfileTabs() {
  // A preload that failed is not repeated on mount (calls-3).
  const bangers = useQuery({ ...bangersQuery, retryOnMount: false })
  const achievements = useAchievements()
  // The visible list is loaded first.
  const shown = usePainted(!bangers.isPending)
  const busts = useQuery({ ...bustsQuery, enabled: shown })
  // Spread, so that this component renders again for a failure, too: TanStack Query notifies only of properties that
  // were read, and the content of a hidden tab has read none.
  return (
    <Tabs defaultValue="bangers" className="@container mt-8">
      <TabList label="Your music">
        <Tab value="bangers">Bangers ({bangers.data?.total ?? 0})</Tab>
        <Tab value="achievements">Achievements ({achievements.data?.length ?? 0})</Tab>
        <Tab value="busts">Busts ({busts.data?.total ?? 0})</Tab>
      </TabList>
      <TabPanel value="bangers">
        <RatedList list={{ ...bangers }} texts={bangerTexts} />
      </TabPanel>
      <TabPanel value="achievements">
        <AchievementGrid list={{ ...achievements }} />
      </TabPanel>
      <TabPanel value="busts">
        <RatedList list={{ ...busts }} texts={bustTexts} />
      </TabPanel>
    </Tabs>
  )
}

const bangerTexts: RatedListTexts = {
  title: 'Your Bangers Collection',
  loading: 'Finding bangers...',
  empty: 'No bangers found yet. Start discovering music to build your collection!',
  failure: 'Failed to fetch bangers',
  more: (n) => `And ${n} more bangers...`,
}

const bustTexts: RatedListTexts = {
  title: "Songs You've Passed On",
  loading: 'Finding busts...',
  empty: 'No busts recorded yet. Every song is a potential banger!',
  failure: 'Failed to fetch busts',
  more: (n) => `And ${n} more songs passed on...`,
}
