import { Link } from 'wouter'
import { mapAddress } from '../discovery/map/mapAddress.ts'
import { usePlacePart } from '../ui/place.ts'
import { CommunityFigures } from './CommunityFigures.tsx'
import { DividedSongs } from './DividedSongs.tsx'
import { Leaderboard } from './Leaderboard.tsx'
import { PeriodButtons } from './PeriodButtons.tsx'
import { TrendingBangers } from './TrendingBangers.tsx'
import { YourAchievements } from './YourAchievements.tsx'
import './layouts.css'

/** Community Insights: everybody's bangers, and the listener's achievements. */
export function CommunitySection() {
  const microgenre = usePlacePart('microgenre')
  return (
    <div className="community">
      <div className="@container">
        <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 wide:mb-6">
          <h1>Community Insights</h1>
          <PeriodButtons />
        </div>
        <CommunityFigures />
        <div className="mt-7 grid gap-8 @2xl:grid-cols-2 @2xl:gap-10">
          <TrendingBangers />
          <Leaderboard />
          <DividedSongs />
        </div>
        <p className="mt-7 flex flex-wrap gap-x-6 text-ink-2">
          <Link href="/fairness" className="inline-block py-3 underline underline-offset-3 hover:text-ink">
            How fairly songs are heard
          </Link>
          <Link
            href={mapAddress(microgenre)}
            className="inline-block py-3 underline underline-offset-3 hover:text-ink"
          >
            The map of microgenres
          </Link>
        </p>
      </div>
      <YourAchievements />
    </div>
  )
}
