import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  ADMIN_PAGE_SIZE,
  createInvitation,
  INVITATION_DAYS,
  INVITATION_USES,
  type Invitation,
  listInvitations,
  MAX_NOTE_LENGTH,
  revokeInvitation,
} from '../../contract/admin.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { DiagnosticRow, Tag, type Tone } from '../diagnostics/DiagnosticFrame.tsx'
import { copyText } from '../sharing/copyText.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { PaginatedList, usePagination } from '../ui/controls/Pagination.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

/** Makes invitations, lists and revokes them (accounts-8). */
export function InvitationsTab() {
  const pages = usePagination()
  const page = useQuery({
    ...query(listInvitations, { query: { before: pages.cursor } }),
    refetchOnMount: 'always',
  })
  const { registration, invitations } = page.data ?? {}
  return (
    <div className="grid gap-8">
      {registration && registration !== 'invite' && (
        <p className="text-ink-2">
          Invitations have no effect: REGISTRATION is {registration}. They need REGISTRATION=invite.
        </p>
      )}
      <InvitationForm invitations={invitations} onCreated={pages.showFirst} />
      <PaginatedList
        pagination={pages}
        items={invitations}
        size={ADMIN_PAGE_SIZE}
        className="grid-cols-[minmax(0,1fr)]"
      >
        {page.isError && <LoadFailure onRetry={page.refetch}>The invitations did not load.</LoadFailure>}
        {invitations?.length === 0 && <p className="text-ink-2">There are no invitations.</p>}
        {invitations && invitations.length > 0 && (
          <ul aria-label="Invitations" className="border-t border-line">
            {invitations.map((each) => (
              <InvitationRow key={each.id} invitation={each} />
            ))}
          </ul>
        )}
      </PaginatedList>
    </div>
  )
}

interface InvitationFormProps {
  invitations: readonly Invitation[] | undefined
  onCreated: () => void
}

function InvitationForm({ invitations, onCreated }: InvitationFormProps) {
  const [note, setNote] = useState('')
  const [uses, setUses] = useState(String(INVITATION_USES.default))
  const [days, setDays] = useState(String(INVITATION_DAYS.default))
  const refresh = useRefreshInvitations()
  const creating = useMutation({
    mutationFn: () => call(createInvitation, { body: { note, uses: Number(uses), days: Number(days) } }),
    onSuccess() {
      setNote('')
      onCreated()
      return refresh()
    },
    onError: (error) => toast.error(refusalMessage(error) ?? 'No invitation was made. Please try again.'),
  })

  const created = creating.data
  const isClosed = invitations?.some(({ id, state }) => id === created?.id && state !== 'open')

  return (
    <div className="grid max-w-176 gap-4">
      <Form onSubmit={() => creating.mutate()} className="grid gap-3">
        <Field
          label="Whom or what it is for"
          note="only operators and the invited see it"
          autoComplete="off"
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={setNote}
        />
        <Field
          label="Accounts that it makes"
          type="number"
          required
          min={1}
          max={INVITATION_USES.max}
          value={uses}
          onChange={setUses}
        />
        <Field
          label="Days until it expires"
          type="number"
          required
          min={1}
          max={INVITATION_DAYS.max}
          value={days}
          onChange={setDays}
        />
        <SubmitButton pending={creating.isPending} pendingText="Making...">
          Make invitation
        </SubmitButton>
      </Form>
      <div role="status">{created && !isClosed && <InvitationLink invitation={created} />}</div>
    </div>
  )
}

/** The link, which the server does not store. */
function InvitationLink({ invitation: { link } }: { invitation: { link: string } }) {
  return (
    <div className="grid gap-1.5 rounded-control border border-dashed border-line-strong px-4 py-3">
      <b className="font-semibold">The link of the invitation</b>
      <span className="text-xs text-ink-2">Copy it now: it is shown only once.</span>
      <span className="min-h-6 wrap-anywhere">{link}</span>
      <Button className="justify-self-start" onClick={() => void copyText(link, { title: 'Link copied' })}>
        Copy link
      </Button>
    </div>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, note, state, uses, maxUses, createdAt, expiresAt } = invitation
  const name = note ?? `Invitation ${id}`
  const refresh = useRefreshInvitations()
  const revoking = useMutation({
    mutationFn: () => call(revokeInvitation, { params: { id } }),
    onSuccess: () =>
      toast({
        title: 'Invitation revoked',
        description: `It makes no account any more: ${name}`,
        tone: 'success',
      }),
    onError: (error) => toast.error(refusalMessage(error) ?? 'It was not revoked. Please try again.'),
    onSettled: refresh,
  })
  return (
    <DiagnosticRow
      title={
        <>
          <bdi>{name}</bdi>
          <Tag tone={STATE_TONES[state]}>{STATE_LABELS[state]}</Tag>
        </>
      }
      facts={[
        `${uses.toLocaleString()} of ${maxUses.toLocaleString()} used`,
        `made ${formatDate(createdAt)}`,
        `until ${formatDate(expiresAt)}`,
      ]}
    >
      {state === 'open' && (
        <Button
          size="tight"
          aria-label={`Revoke ${name}`}
          pending={revoking.isPending}
          onClick={() => revoking.mutate()}
        >
          Revoke
        </Button>
      )}
    </DiagnosticRow>
  )
}

function useRefreshInvitations() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: query(listInvitations).queryKey })
}

const STATE_LABELS = { open: 'Open', used: 'Used', expired: 'Expired', revoked: 'Revoked' } satisfies Record<
  Invitation['state'],
  string
>

const STATE_TONES = { open: 'good', used: 'plain', expired: 'fair', revoked: 'poor' } satisfies Record<
  Invitation['state'],
  Tone
>
