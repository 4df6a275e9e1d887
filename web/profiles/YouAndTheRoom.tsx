import { useQuery } from '@tanstack/react-query'
import { type Agreement, getAgreement } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** How often the listener agrees with the majority, by month (people-30). It takes the same space in every state. */
export function YouAndTheRoom() {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { data, isError, refetch } = useQuery(query(getAgreement, { query: { tz } }))
  return (
    <section aria-label="You and the room" className="grid min-h-60 content-start gap-3">
      <h2>You and the room</h2>
      {data ? (
        <>
          <p className="text-ink-2">{sayAll(data)}</p>
          <ol className="agreement">
            {data.map((month) => (
              <Month key={month.month} {...month} />
            ))}
          </ol>
        </>
      ) : (
        isError && <LoadFailure onRetry={refetch}>You and the room did not load.</LoadFailure>
      )}
    </section>
  )
}

function Month({ month, songs, agreed }: Agreement) {
  const name = new Date(`${month}-01T12:00Z`)
  const percent = Math.floor((100 * agreed) / songs)
  return (
    <li>
      <span className="sr-only">{`${name.toLocaleString([], LONG)}: ${agreed.toLocaleString()} of ${songs.toLocaleString()}`}</span>
      <span aria-hidden="true">{percent}</span>
      <span aria-hidden="true" className="agreement-bar" style={{ '--part': percent / 100 }} />
      <span aria-hidden="true">{name.toLocaleString([], { month: 'narrow', timeZone: 'UTC' })}</span>
    </li>
  )
}

const LONG = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const

function sayAll(months: Agreement[]): string {
  if (months.length === 0) return 'Rate songs that others have rated, too: here you see how often you agree.'
  const songs = months.reduce((sum, month) => sum + month.songs, 0)
  const agreed = months.reduce((sum, month) => sum + month.agreed, 0)
  return `You agreed with most listeners on ${agreed.toLocaleString()} of ${songs.toLocaleString()} songs, by month in per cent:`
}
