import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Account,
  type AccountAction,
  actOnAccount,
  deleteAnyAccount,
  listAccounts,
  listAuditLog,
  readAccountEmail,
} from '../../contract/admin.ts'
import { foldText } from '../../contract/foldText.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { config } from '../api/config.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Fact, Facts } from '../diagnostics/DiagnosticFrame.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form } from '../ui/controls/Form.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { toast } from '../ui/toast.ts'

interface AccountDialogProps {
  account: Account
  onChanged: (account: Account) => void
  onClose: () => void
}

/** One account, and what an operator can do with it (accounts-4). */
export function AccountDialog({ account, onChanged, onClose }: AccountDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title={`Account ${account.id}`} width="34rem">
      <AccountNames account={account} />
      <AccountFacts account={account} />
      <AccountActions account={account} onChanged={onChanged} />
      {!account.isOperator && <DeleteForm account={account} onDeleted={onClose} />}
    </Dialog>
  )
}

/** Names, which may be long, get the whole width. */
function AccountNames({ account: { name, invitation } }: { account: Account }) {
  return (
    <div className="grid gap-0.5">
      <b className="font-semibold wrap-anywhere">
        <bdi>{name}</bdi>
      </b>
      {invitation && (
        <span className="text-xs text-ink-2 wrap-anywhere">
          invited by <bdi>{invitation}</bdi>
        </span>
      )}
    </div>
  )
}

function AccountFacts({ account }: { account: Account }) {
  const { id, createdAt, lastSeenAt, ratings, sessions, suspendedAt, isSuspendedBySteward } = account
  return (
    <Facts>
      <Fact name="E-mail">
        <AccountEmail key={id} account={account} />
      </Fact>
      <Fact name="Joined">{formatDate(createdAt)}</Fact>
      <Fact name="Last seen">{lastSeenAt && formatDate(lastSeenAt)}</Fact>
      <Fact name="Ratings">{ratings.toLocaleString()}</Fact>
      <Fact name="Signs in with">{signInMethods(account)}</Fact>
      <Fact name="Browsers">{`${sessions.toLocaleString()} signed in`}</Fact>
      {suspendedAt && (
        <Fact name="Suspended">
          {formatDate(suspendedAt)}
          {isSuspendedBySteward && ' by a steward'}
        </Fact>
      )}
    </Facts>
  )
}

/** The ways in which an account can sign in. */
export function signInMethods({ email, providers }: Pick<Account, 'email' | 'providers'>): string {
  const names = {
    google: 'Google',
    facebook: 'Facebook',
    replit: 'Replit',
    oidc: config.openIdName ?? 'OpenID',
  }
  const methods = [...(email === null ? [] : ['e-mail']), ...providers.map((provider) => names[provider])]
  return methods.join(', ') || 'nothing'
}

/** The masked address, until the operator asks for the whole one (accounts-3). */
function AccountEmail({ account: { id, email } }: { account: Account }) {
  const queryClient = useQueryClient()
  const emailRequest = useMutation({
    mutationFn: () => call(readAccountEmail, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: query(listAuditLog).queryKey }),
    onError: (error) => toast.error(refusalMessage(error) ?? 'The address did not load. Please try again.'),
  })
  if (email === null) return 'none'
  const fullEmail = emailRequest.data?.email
  if (fullEmail) return <a href={`mailto:${fullEmail}`}>{fullEmail}</a>
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {email}
      <Button size="tight" pending={emailRequest.isPending} onClick={() => emailRequest.mutate()}>
        Show address
      </Button>
    </span>
  )
}

function AccountActions({ account, onChanged }: Omit<AccountDialogProps, 'onClose'>) {
  const { id, isOperator, isSteward, suspendedAt, isSuspendedBySteward } = account
  const refresh = useRefreshAccounts()
  const acting = useMutation({
    mutationFn: (action: AccountAction) => call(actOnAccount, { params: { id }, body: { action } }),
    onSuccess(changed, action) {
      onChanged(changed)
      toast({ title: DONE_TITLES[action], description: changed.name, tone: 'success' })
    },
    onError: (error) => toast.error(refusalMessage(error) ?? 'Nothing was changed. Please try again.'),
    onSettled: refresh,
  })
  const actions: AccountAction[] = [
    ...(!isOperator && suspendedAt ? (['restore'] as const) : []),
    // An operator's suspension replaces a steward's, which stewards can lift.
    ...(!isOperator && (!suspendedAt || isSuspendedBySteward) ? (['suspend'] as const) : []),
    ...(isOperator ? [] : (['sign-out'] as const)),
    isSteward ? 'unsteward' : 'steward',
  ]
  return (
    <div className="grid gap-3">
      {isOperator && (
        <p className="text-ink-2">
          This person runs the service: only the command npm run account can suspend, sign out or delete them.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {actions.map((action) => (
          <Button key={action} pending={acting.isPending} onClick={() => acting.mutate(action)}>
            {ACTION_LABELS[action]}
          </Button>
        ))}
      </div>
    </div>
  )
}

function DeleteForm({ account: { id, name }, onDeleted }: { account: Account; onDeleted: () => void }) {
  const [confirmation, setConfirmation] = useState('')
  const isConfirmed = foldText(confirmation.trim()) === foldText(name)
  const refresh = useRefreshAccounts()
  const deleting = useMutation({
    mutationFn: () => call(deleteAnyAccount, { params: { id }, body: { confirmation } }),
    onSuccess() {
      onDeleted()
      toast({ title: 'Account deleted', description: 'All of its data is gone.', tone: 'success' })
    },
    onError: (error) =>
      toast.error(refusalMessage(error) ?? 'The account was not deleted. Please try again.'),
    onSettled: refresh,
  })

  return (
    <Form onSubmit={() => deleting.mutate()} className="grid gap-3 border-t border-line pt-5">
      <p className="text-ink-2">
        Deleting removes the account with ratings, profile, collections and files, at once and for good.
      </p>
      <Field
        label={`To delete it, type ${name}`}
        value={confirmation}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={setConfirmation}
      />
      <Button
        type="submit"
        disabled={!isConfirmed}
        pending={deleting.isPending}
        className="justify-self-start enabled:border-danger! enabled:text-danger!"
      >
        {deleting.isPending ? 'Deleting...' : 'Delete account'}
      </Button>
    </Form>
  )
}

/** Refetches the lists, also after a failure: another operator may have been first. */
function useRefreshAccounts() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [listAccounts, listAuditLog].map((list) =>
        queryClient.invalidateQueries({ queryKey: query(list).queryKey }),
      ),
    )
}

const ACTION_LABELS = {
  suspend: 'Suspend',
  restore: 'End suspension',
  'sign-out': 'Sign out everywhere',
  steward: 'Make steward',
  unsteward: 'Unmake steward',
} satisfies Record<AccountAction, string>

const DONE_TITLES = {
  suspend: 'Suspended',
  restore: 'Suspension ended',
  'sign-out': 'Signed out everywhere',
  steward: 'Steward now',
  unsteward: 'No steward any more',
} satisfies Record<AccountAction, string>
