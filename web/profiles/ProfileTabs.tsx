import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'radix-ui'
import { useAchievements } from '../achievements/useAchievements.ts'
import { usePainted } from '../ui/usePainted.ts'
import { AchievementGrid } from './AchievementGrid.tsx'
import { RatedList, type RatedListTexts } from './RatedList.tsx'
import { bangersQuery, bustsQuery } from './ratedSongs.ts'

/** Bangers, achievements and busts; the counts on the tabs are of the whole lists (D-67). */
export function ProfileTabs() {
  // What was asked for ahead and failed is not asked again for that the page appears (API-05).
  const bangers = useQuery({ ...bangersQuery, retryOnMount: false })
  const achievements = useAchievements()
  // Of two long lists the one that is shown comes first.
  const shown = usePainted(!bangers.isPending)
  const busts = useQuery({ ...bustsQuery, enabled: shown })
  return (
    <Tabs.Root defaultValue="bangers" className="@container mt-8">
      <div className="mb-5 border-b border-line">
        <Tabs.List
          aria-label="Your music"
          className="-mx-1 flex gap-2 overflow-x-auto [scrollbar-width:none] wide:gap-4"
        >
          <Tabs.Trigger value="bangers" className={tab}>
            Bangers ({bangers.data?.length ?? 0})
          </Tabs.Trigger>
          <Tabs.Trigger value="achievements" className={tab}>
            Achievements ({achievements.data?.length ?? 0})
          </Tabs.Trigger>
          <Tabs.Trigger value="busts" className={tab}>
            Busts ({busts.data?.length ?? 0})
          </Tabs.Trigger>
        </Tabs.List>
      </div>
      <Tabs.Content value="bangers">
        <RatedList list={bangers} texts={bangerTexts} limit={20} />
      </Tabs.Content>
      <Tabs.Content value="achievements">
        <AchievementGrid list={achievements} />
      </Tabs.Content>
      <Tabs.Content value="busts">
        <RatedList list={busts} texts={bustTexts} limit={15} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

const tab =
  'flex min-h-(--size-touch) items-center border-b-2 px-1 border-transparent font-semibold whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink'

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
