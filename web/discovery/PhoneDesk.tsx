import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { VolumeControl } from '../playback/VolumeControl.tsx'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { todayQuery } from './todayQuery.ts'

/**
 * The desk of a phone: the mute button, today's ratings by the listener's time zone (discover-16, discover-17), and
 * `children`.
 */
export function PhoneDesk({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(
    '(max-width: 44.9375rem) and ((orientation: portrait) or (max-width: 33.6875rem))',
  )
  const { data, isError, refetch } = useQuery({ ...todayQuery(), enabled: isPhone })
  if (!isPhone) return null
  return (
    <div className="stage-desk">
      <VolumeControl />
      {isError && !data ? (
        <button type="button" onClick={() => void refetch()} className="min-h-(--size-touch) underline">
          Did not load. Try again
        </button>
      ) : (
        // In two lines when it is long: what follows keeps its place.
        <p className={`flex min-w-0 flex-wrap gap-x-2.5 whitespace-nowrap ${data ? '' : 'invisible'}`}>
          <span className="max-[23.75rem]:sr-only">Today</span>
          <span>
            <b className="font-semibold text-hot tabular-nums">{data?.dailyBangers ?? 0}</b> Bangers
          </span>
          <span>
            <b className="font-semibold text-ink tabular-nums">{data?.dailyRatings ?? 0}</b> rated
          </span>
        </p>
      )}
      {children}
    </div>
  )
}
