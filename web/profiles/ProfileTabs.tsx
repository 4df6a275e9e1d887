import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState, useTransition } from 'react'
import { achievementName } from '../../contract/achievements.ts'
import { listRatings } from '../../contract/library.ts'
import type { Achievement, Rating, Song } from '../../contract/shapes.ts'
import { AchievementCards } from '../achievements/AchievementCards.tsx'
import { useAchievements } from '../achievements/useAchievements.ts'
import { call } from '../api/call.ts'
import { PlayAll } from '../playback/QueueButtons.tsx'
import { AchievementShareDialog } from '../sharing/AchievementShareDialog.tsx'
import { useHasPainted } from '../ui/afterPaint.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { RatedRow } from './RatedRow.tsx'
import { bangersQuery, bustsQuery, type RatedSongs } from './ratedSongs.ts'

const AllRatedSongs = lazyComponent(async () => (await import('./AllRatedSongs.tsx')).AllRatedSongs)
const preloadAllRatedSongs = () => void AllRatedSongs.preload()

/** Bangers, achievements and busts. Tabs count the whole lists, of which few songs are shown (library-10). */
export function ProfileTabs() {
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

interface List<Data> {
  data: Data | undefined
  isError: boolean
  refetch: () => unknown
}

/** The newest bangers or busts, and the others on demand (people-15). */
function RatedTab({ type, list: { data, isError, refetch } }: { type: Rating; list: List<RatedSongs> }) {
  const [showsAll, setShowsAll] = useState(false)
  const [isLoadingAll, startLoadingAll] = useTransition()
  const heading = useRef<HTMLHeadingElement>(null)
  const texts = TAB_TEXTS[type]
  // The short list stays until the code has loaded, and so does the scroll position.
  const showAll = () =>
    startLoadingAll(async () => {
      await AllRatedSongs.preload()
      setShowsAll(true)
    })
  const showFewer = () => {
    setShowsAll(false)
    heading.current?.focus()
  }
  return (
    <>
      <div className="flex min-h-(--size-touch) items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="outline-none">
          {texts.title}
        </h2>
        {showsAll && (
          <Button variant="bare" size="tight" onClick={showFewer}>
            Show fewer
          </Button>
        )}
      </div>
      {type === 'banger' && data && data.total > 0 && (
        <div className="mb-2">
          <PlayAll songs={() => loadAllSongs(data)} />
        </div>
      )}
      {data ? (
        <RatedSongList
          type={type}
          songs={data}
          showsAll={showsAll}
          isLoadingAll={isLoadingAll}
          onShowAll={showAll}
        />
      ) : isError ? (
        <LoadFailure onRetry={refetch}>{texts.failure}</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          {texts.loading}
        </p>
      )}
    </>
  )
}

/** All bangers: the tab has loaded only the newest (people-15). */
async function loadAllSongs({ items, total }: RatedSongs): Promise<Song[]> {
  const all = items.length === total ? items : await call(listRatings, { query: { type: 'banger' } })
  return all.map(({ song }) => song)
}

interface RatedSongListProps {
  type: Rating
  songs: RatedSongs
  showsAll: boolean
  isLoadingAll: boolean
  onShowAll: () => void
}

function RatedSongList({ type, songs, showsAll, isLoadingAll, onShowAll }: RatedSongListProps) {
  // Names first: twenty images at once would delay the list, and so would the locale data for the first date.
  const isPainted = useHasPainted()
  const { items, total } = songs
  const hiddenCount = total - items.length
  const texts = TAB_TEXTS[type]
  if (total === 0) return <p className="text-base text-ink-2">{texts.empty}</p>
  const newestList = (
    <ul>
      {items.map((ratedSong) => (
        <li key={ratedSong.id} className="border-b border-line">
          <RatedRow ratedSong={ratedSong} isPainted={isPainted} />
        </li>
      ))}
    </ul>
  )
  if (showsAll) {
    return (
      <Suspense fallback={newestList}>
        <AllRatedSongs type={type} newestSongs={songs} label={texts.title} failure={texts.failure} />
      </Suspense>
    )
  }
  return (
    <>
      {newestList}
      {hiddenCount > 0 && (
        <Button
          ref={isPainted ? preloadAllRatedSongs : undefined}
          variant="bare"
          size="tight"
          className="-ml-3"
          aria-disabled={isLoadingAll || undefined}
          onClick={onShowAll}
        >
          {texts.more(hiddenCount)}
        </Button>
      )}
    </>
  )
}

function AchievementTab({ list: { data, isError, refetch } }: { list: List<Achievement[]> }) {
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

/** The texts of the tabs (people-15, people-16, library-11). */
const TAB_TEXTS = {
  banger: {
    title: 'Your Bangers Collection',
    loading: 'Finding bangers...',
    empty: 'No bangers found yet. Start discovering music to build your collection!',
    failure: 'Failed to fetch bangers',
    more: (n: number) => `And ${n} more bangers...`,
  },
  bust: {
    title: "Songs You've Passed On",
    loading: 'Finding busts...',
    empty: 'No busts recorded yet. Every song is a potential banger!',
    failure: 'Failed to fetch busts',
    more: (n: number) => `And ${n} more songs passed on...`,
  },
} satisfies Record<Rating, unknown>
