import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getMyStats } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { toastError } from '../ui/toast.ts'

/** The number of bangers, linked to the profile page. Two lines where there is little width. */
export function BangersCounter() {
  const { data, isError } = useQuery(query(getMyStats))
  const hasFailed = isError && !data
  // The counter has no room for an error; the profile page that it links to offers a retry.
  useEffect(() => {
    if (hasFailed) toastError('Your bangers could not be counted.')
  }, [hasFailed])
  return (
    <ButtonTo to="/profile" variant="bare" className="bangers-counter">
      <b className="font-display text-[1.0625rem] font-extrabold text-hot tabular-nums font-stretch-125%">
        {data ? data.totalBangers.toLocaleString() : '–'}
      </b>{' '}
      <span className="wide:max-roomy:sr-only max-[23.375rem]:sr-only">Bangers</span>
    </ButtonTo>
  )
}
