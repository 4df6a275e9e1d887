import { useQuery } from '@tanstack/react-query'
import { ADMIN_PAGE_SIZE, type AuditLogEntry, listAuditLog } from '../../contract/admin.ts'
import { query } from '../api/query.ts'
import { DiagnosticFrame, DiagnosticRow } from '../diagnostics/DiagnosticFrame.tsx'
import { PaginatedList, usePagination } from '../ui/controls/Pagination.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { AccountsTab } from './AccountsTab.tsx'
import { InvitationsTab } from './InvitationsTab.tsx'
import { JobsTab } from './JobsTab.tsx'
import { LimitsTab } from './LimitsTab.tsx'

/** What operators do with accounts, invitations and limits (accounts-1). */
export function AdminPage() {
  return (
    <DiagnosticFrame
      title="Accounts"
      description="Accounts, invitations and limits. Everything that is done here is written into the trail. The command npm run account does the same with accounts and invitations."
    >
      <Tabs defaultValue="accounts">
        <TabList label="Accounts">
          <Tab value="accounts">Accounts</Tab>
          <Tab value="invitations">Invitations</Tab>
          <Tab value="limits">Limits</Tab>
          <Tab value="jobs">Jobs</Tab>
          <Tab value="trail">Trail</Tab>
        </TabList>
        <TabPanel value="accounts">
          <AccountsTab />
        </TabPanel>
        <TabPanel value="invitations">
          <InvitationsTab />
        </TabPanel>
        <TabPanel value="limits">
          <LimitsTab />
        </TabPanel>
        <TabPanel value="jobs">
          <JobsTab />
        </TabPanel>
        <TabPanel value="trail">
          <AuditLogTab />
        </TabPanel>
      </Tabs>
    </DiagnosticFrame>
  )
}

/** Which operator did what and when, newest first (accounts-5). */
function AuditLogTab() {
  const pages = usePagination()
  const page = useQuery({
    ...query(listAuditLog, { query: { before: pages.cursor } }),
    refetchOnMount: 'always',
  })
  return (
    <PaginatedList
      pagination={pages}
      items={page.data}
      size={ADMIN_PAGE_SIZE}
      className="grid-cols-[minmax(0,1fr)]"
    >
      {page.isError && <LoadFailure onRetry={page.refetch}>The trail did not load.</LoadFailure>}
      {page.data?.length === 0 && <p className="text-ink-2">Nothing was done yet.</p>}
      {page.data && page.data.length > 0 && (
        <ul aria-label="Trail">
          {page.data.map(({ id, by, isCommand, label, action, createdAt }) => (
            <DiagnosticRow
              key={id}
              title={
                <span>
                  {ACTION_LABELS[action]}: <bdi>{label}</bdi>
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
    </PaginatedList>
  )
}

const ACTION_LABELS = {
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
} satisfies Record<AuditLogEntry['action'], string>
