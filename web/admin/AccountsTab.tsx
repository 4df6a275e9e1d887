import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, ADMIN_PAGE_SIZE, listAccounts } from '../../contract/admin.ts'
import { query } from '../api/query.ts'
import { DiagnosticRow, Tag } from '../diagnostics/DiagnosticFrame.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { PaginatedList, usePagination } from '../ui/controls/Pagination.tsx'
import { SearchField, useDebouncedValue } from '../ui/controls/SearchField.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { AccountDialog, signInMethods } from './AccountDialog.tsx'

/** The accounts, newest first, or those that a search finds (accounts-2). */
export function AccountsTab() {
  const [searchText, setSearchText] = useState('')
  const search = useDebouncedValue(searchText.trim())
  const pages = usePagination()
  const [showsSuspendedOnly, setShowsSuspendedOnly] = useState(false)
  /** In the dialog; null while it is closed. */
  const [openAccount, setOpenAccount] = useState<Account | null>(null)
  const page = useQuery({
    ...query(listAccounts, {
      query: { search, before: pages.cursor, ...(showsSuspendedOnly && { only: 'suspended' }) },
    }),
    refetchOnMount: 'always',
  })

  return (
    <div className="grid gap-4">
      <SearchField
        label="A whole e-mail, a number, or a part of a name"
        placeholder="E-mail, number or name"
        maxLength={254}
        value={searchText}
        onChange={(text) => {
          setSearchText(text)
          pages.showFirst()
        }}
        className=""
      />
      <div className="max-w-176">
        <SwitchRow
          name="Suspended only"
          isOn={showsSuspendedOnly}
          onChange={(on) => {
            setShowsSuspendedOnly(on)
            pages.showFirst()
          }}
        >
          Shows only accounts that cannot sign in.
        </SwitchRow>
      </div>
      <PaginatedList
        pagination={pages}
        items={page.data}
        size={ADMIN_PAGE_SIZE}
        className="grid-cols-[minmax(0,1fr)]"
      >
        {page.isError && <LoadFailure onRetry={page.refetch}>The accounts did not load.</LoadFailure>}
        <p role="status" className="text-ink-2">
          {page.data?.length === 0 &&
            (search !== ''
              ? 'No account was found.'
              : showsSuspendedOnly
                ? 'Nobody is suspended.'
                : 'There are no older accounts.')}
        </p>
        {page.data && page.data.length > 0 && (
          <ul aria-label="Accounts" className="border-t border-line">
            {page.data.map((each) => (
              <AccountRow key={each.id} account={each} onOpen={() => setOpenAccount(each)} />
            ))}
          </ul>
        )}
      </PaginatedList>
      {openAccount && (
        <AccountDialog
          account={openAccount}
          onChanged={(changed) => setOpenAccount((open) => (open?.id === changed.id ? changed : open))}
          onClose={() => setOpenAccount(null)}
        />
      )}
    </div>
  )
}

function AccountRow({ account, onOpen }: { account: Account; onOpen: () => void }) {
  const { name, email, createdAt, lastSeenAt, ratings, invitation } = account
  return (
    <DiagnosticRow
      title={
        <>
          <bdi>{name}</bdi>
          {account.isOperator && <Tag>Operator</Tag>}
          {account.isSteward && <Tag>Steward</Tag>}
          {account.suspendedAt && <Tag tone="poor">Suspended</Tag>}
        </>
      }
      facts={[
        email,
        `joined ${formatDate(createdAt)}`,
        lastSeenAt && `last seen ${formatDate(lastSeenAt)}`,
        `${ratings.toLocaleString()} ${ratings === 1 ? 'rating' : 'ratings'}`,
        `signs in with ${signInMethods(account)}`,
        invitation && (
          <>
            invited by <bdi>{invitation}</bdi>
          </>
        ),
      ]}
    >
      <Button size="tight" aria-label={`Manage ${name}`} onClick={onOpen}>
        Manage
      </Button>
    </DiagnosticRow>
  )
}
