import { useQuery } from '@tanstack/react-query'
import { achievementName } from '../../contract/achievementNames.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { AchievementCards } from '../achievements/AchievementCards.tsx'
import { useAchievements } from '../achievements/useAchievements.ts'
import { useQueueSteps } from '../playback/useQueueSteps.ts'
import { AchievementShareDialog } from '../sharing/AchievementShareDialog.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { useHasPainted } from '../ui/useHasPainted.ts'
import { RatedTab } from './RatedTab.tsx'
import { bangersQuery, bustsQuery } from './ratedSongs.ts'

/** Bangers, achievements and busts. Tabs count the whole lists, of which few songs are shown (library-10). */
export function ProfileTabs() {
  // This page has no bar of the current song.
  useQueueSteps(true)
  const bangers = useQuery(bangersQuery)
  const achievements = useAchievements()
  // The visible list is loaded first.
  const isPainted = useHasPainted(!bangers.isPending)
  const busts = useQuery({ ...bustsQuery, enabled: isPainted })
  // Spreading reads every property: TanStack Query renders again only for what was read, and a hidden tab reads nothing.
  return (
    <>
      <Tabs defaultValue="bangers" className="@container">
        <TabList label="Your music">
          <Tab value="bangers">{withCount('Bangers', bangers.data?.total)}</Tab>
          <Tab value="achievements">{withCount('Achievements', achievements.data?.length)}</Tab>
          <Tab value="busts">{withCount('Busts', busts.data?.total)}</Tab>
        </TabList>
        <TabPanel value="bangers">
          <RatedTab type="banger" list={{ ...bangers }} />
        </TabPanel>
        <TabPanel value="achievements">
          <AchievementTab list={{ ...achievements }} />
        </TabPanel>
        <TabPanel value="busts">
          <RatedTab type="bust" list={{ ...busts }} />
        </TabPanel>
      </Tabs>
      {achievements.data && <AchievementShareDialog achievements={achievements.data} />}
    </>
  )
}

/** Without the count until it is loaded (people-14). */
const withCount = (name: string, count: number | undefined) =>
  count === undefined ? name : `${name} (${count})`

interface AchievementTabProps {
  list: { data: Achievement[] | undefined; isError: boolean; refetch: () => unknown }
}

function AchievementTab({ list: { data, isError, refetch } }: AchievementTabProps) {
  return (
    <>
      <h2 className="mb-3">Your Achievements</h2>
      {data ? (
        <>
          {data.length === 0 && (
            <p className="mb-3 text-base text-ink-2">
              No achievements unlocked yet. Keep discovering music to earn your first achievement!
            </p>
          )}
          <AchievementCards achievements={data} nameOf={achievementName} label="Your achievements" />
        </>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>Failed to fetch achievements</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          Loading achievements...
        </p>
      )}
    </>
  )
}
