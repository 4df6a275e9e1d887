import { useQuery } from '@tanstack/react-query'
import { type Act, ADMIN_PAGE, listActs } from '../../contract/admin.ts'
import { query } from '../api/query.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Paged, usePages } from '../ui/Pages.tsx'
import { AdminRow } from './AdminRow.tsx'

/** Which operator did what and when, newest first (accounts-5). */
export function ActsTab() {
  const pages = usePages()
  const page = useQuery({
    ...query(listActs, { query: { before: pages.before } }),
    refetchOnMount: 'always',
  })
  return (
    <Paged pages={pages} items={page.data} size={ADMIN_PAGE} className="grid-cols-[minmax(0,1fr)]">
      {page.isError && <LoadFailure onRetry={page.refetch}>The trail did not load.</LoadFailure>}
      {page.data?.length === 0 && <p className="text-ink-2">Nothing was done yet.</p>}
      {page.data && page.data.length > 0 && (
        <ul aria-label="Trail" className="border-t border-line">
          {page.data.map(({ id, by, isCommand, label, action, createdAt }) => (
            <AdminRow
              key={id}
              title={
                <span>
                  {WORDS[action]}: <bdi>{label}</bdi>
                </span>
              }
              facts={[
                isCommand ? 'npm run account' : <bdi key="by">{by ?? 'A deleted account'}</bdi>,
                <time key="at" dateTime={createdAt}>
                  {new Date(createdAt).toLocaleString()}
                </time>,
              ]}
            />
          ))}
        </ul>
      )}
    </Paged>
  )
}

const WORDS = {
  suspend: 'Suspended',
  restore: 'Suspension ended',
  'sign-out': 'Signed out everywhere',
  steward: 'Made steward',
  unsteward: 'Steward no more',
  create: 'Account made in advance',
  delete: 'Deleted',
  email: 'E-mail address shown',
  invite: 'Invitation made',
  revoke: 'Invitation revoked',
  clear: 'Limit cleared',
} satisfies Record<Act['action'], string>
