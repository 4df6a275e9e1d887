import { useQuery } from '@tanstack/react-query'
import { getCommunityStats } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { Figure, Figures } from '../ui/Figures.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** Four figures over all listeners. The discovery rate is constant (community-3). */
export function CommunityFigures() {
  const { data, isError, refetch } = useQuery({ ...query(getCommunityStats), staleTime: 0 })
  return (
    <>
      <Figures>
        <Figure name="Total Bangers">{show(data?.totalBangers)}</Figure>
        <Figure name="Active Users">{show(data?.activeUsers)}</Figure>
        <Figure name="Songs Rated">{show(data?.totalRatings)}</Figure>
        <Figure name="Discovery Rate">73%</Figure>
      </Figures>
      {isError && !data && (
        <div className="mt-4">
          <LoadFailure onRetry={refetch}>The community's numbers did not load.</LoadFailure>
        </div>
      )}
    </>
  )
}

const show = (figure: number | undefined) => figure?.toLocaleString() ?? '–'
