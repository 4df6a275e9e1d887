import { useQuery } from '@tanstack/react-query'
import { getMyStats } from '../../contract/profiles.ts'
import { useAchievements } from '../achievements/useAchievements.ts'
import { query } from '../api/query.ts'
import { Figure, Figures } from '../ui/Figures.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** The listener's figures, once loaded (people-13). Their space is reserved meanwhile. */
export function ProfileFigures() {
  const { data, isError, refetch } = useQuery(query(getMyStats))
  const achievements = useAchievements()
  if (!data) {
    return (
      <div className="grid min-h-[9.75rem] content-center border-y border-line wide:min-h-[6.0625rem]">
        {isError && <LoadFailure onRetry={refetch}>Your numbers did not load.</LoadFailure>}
      </div>
    )
  }
  return (
    <Figures>
      <Figure name="Bangers Found" tone="text-hot">
        {data.totalBangers.toLocaleString()}
      </Figure>
      <Figure name="Busts Avoided">{(data.totalRatings - data.totalBangers).toLocaleString()}</Figure>
      <Figure name="Songs Rated">{data.totalRatings.toLocaleString()}</Figure>
      <Figure name="Achievements">
        {achievements.data?.length.toLocaleString() ?? (achievements.isError ? 'Not loaded' : '–')}
      </Figure>
    </Figures>
  )
}
