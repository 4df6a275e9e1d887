import { useQuery } from '@tanstack/react-query'
import { useAchievements } from '../achievements/useAchievements.ts'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { usePainted } from '../ui/usePainted.ts'
import { AchievementGrid } from './AchievementGrid.tsx'
import { RatedList, type RatedListTexts } from './RatedList.tsx'
import { bangersQuery, bustsQuery } from './ratedSongs.ts'

/** Bangers, achievements and busts; the counts on the tabs are of the whole lists, of which few songs are shown (D-67). */
export function ProfileTabs() {
  // What was asked for ahead and failed is not asked again for that the page appears (API-05).
  const bangers = useQuery({ ...bangersQuery, retryOnMount: false })
  const achievements = useAchievements()
  // The list that is shown comes first.
  const shown = usePainted(!bangers.isPending)
  const busts = useQuery({ ...bustsQuery, enabled: shown })
  return (
    <Tabs defaultValue="bangers" className="@container mt-8">
      <TabList label="Your music">
        <Tab value="bangers">Bangers ({bangers.data?.total ?? 0})</Tab>
        <Tab value="achievements">Achievements ({achievements.data?.length ?? 0})</Tab>
        <Tab value="busts">Busts ({busts.data?.total ?? 0})</Tab>
      </TabList>
      <TabPanel value="bangers">
        <RatedList list={bangers} texts={bangerTexts} />
      </TabPanel>
      <TabPanel value="achievements">
        <AchievementGrid list={achievements} />
      </TabPanel>
      <TabPanel value="busts">
        <RatedList list={busts} texts={bustTexts} />
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
