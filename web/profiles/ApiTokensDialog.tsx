import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  MAX_API_TOKEN_NAME_LENGTH,
  revokeApiToken,
  SCOPES,
} from '../../contract/apiTokens.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { copyText } from '../sharing/copyText.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { Copy } from '../ui/laterIcons.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

/** Makes, lists and revokes the listener's tokens for programs (signin-27). */
export function ApiTokensDialog({ open, onOpenChange }: OpenState) {
  const tokens = useQuery({ ...query(listApiTokens), staleTime: 0, enabled: open })
  /** The new token, which only this page has: it stays until the listener has stored it, also while the dialog is closed. */
  const [token, setToken] = useState<string | null>(null)
  function showToken(created: string) {
    setToken(created)
    void tokens.refetch()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Tokens for programs"
      description="With a token a program of yours can do what you allow here, and nothing else."
    >
      {token === null ? (
        <ApiTokens tokens={tokens} onCreated={showToken} />
      ) : (
        <NewToken token={token} onStored={() => setToken(null)} />
      )}
    </Dialog>
  )
}

/** The token, which the server does not store. */
function NewToken({ token, onStored }: { token: string; onStored: () => void }) {
  return (
    <section aria-label="Your new token" className="grid gap-3">
      <b className="font-semibold">Your new token</b>
      <code className="rounded-control border border-dashed border-line-strong px-4 py-3 wrap-anywhere select-all">
        {token}
      </code>
      <p className="text-ink-2">It is shown only once. Store it now, such as in a password manager.</p>
      <div className="flex flex-wrap gap-3">
        <Button
          ref={focusElement}
          variant="main"
          onClick={() => void copyText(token, { title: 'Token copied' }, 'token')}
        >
          <Copy />
          Copy
        </Button>
        <Button onClick={onStored}>I have stored it</Button>
      </div>
    </section>
  )
}

interface ApiTokensProps {
  tokens: UseQueryResult<ApiToken[]>
  onCreated: (token: string) => void
}

function ApiTokens({ tokens: { data: tokens, isError, refetch }, onCreated }: ApiTokensProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusFallback(heading)
  if (!tokens)
    return isError ? (
      <LoadFailure onRetry={refetch}>The list of your tokens did not load.</LoadFailure>
    ) : (
      <Loading>Looking for your tokens...</Loading>
    )
  return (
    <div className="grid gap-8">
      <TokenForm onCreated={onCreated} />
      <div className="grid gap-2">
        <h3 ref={heading} tabIndex={-1} className="outline-none">
          Your tokens
        </h3>
        {tokens.length === 0 && <p className="text-ink-2">You have none.</p>}
        <ul className="empty:hidden">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onSettled={refetch} />
          ))}
        </ul>
      </div>
    </div>
  )
}

const SCOPE_NAMES = {
  read: ['Read', 'Your ratings, figures and microgenres.'],
  rate: ['Rate', 'Get songs, rate them, undo.'],
  export: ['Export', 'Download your ratings and bangers.'],
} satisfies Record<Scope, [name: string, description: string]>

function TokenForm({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read'])
  const creating = useMutation({
    mutationFn: () => call(createApiToken, { body: { name, scopes } }),
    onSuccess: ({ token }) => onCreated(token),
    onError: (error) => toast.error(refusalMessage(error) ?? 'No token was made. Please try again.'),
  })
  return (
    <Form onSubmit={() => creating.mutate()} className="grid gap-3">
      <Field
        label="What it is for"
        autoComplete="off"
        dir="auto"
        maxLength={MAX_API_TOKEN_NAME_LENGTH}
        value={name}
        onChange={setName}
      />
      {SCOPES.map((scope) => (
        <SwitchRow
          key={scope}
          name={SCOPE_NAMES[scope][0]}
          isOn={scopes.includes(scope)}
          onChange={(isOn) =>
            setScopes(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope))
          }
        >
          {SCOPE_NAMES[scope][1]}
        </SwitchRow>
      ))}
      <SubmitButton
        disabled={name.trim() === '' || scopes.length === 0}
        pending={creating.isPending}
        pendingText="Making..."
      >
        Make a token
      </SubmitButton>
    </Form>
  )
}

function TokenRow({ token, onSettled }: { token: ApiToken; onSettled: () => unknown }) {
  const { id, name, scopes, createdAt, lastUsedAt } = token
  const revoking = useMutation({
    mutationFn: () => call(revokeApiToken, { params: { id } }),
    onSuccess: () => toast({ title: 'Token revoked', description: 'It no longer works.', tone: 'success' }),
    onError: () => toast.error('The token was not revoked. Please try again.'),
    // Also after a failure: it may be gone already.
    onSettled,
  })
  return (
    <li className="flex min-h-16 items-center gap-4 border-b border-line py-2">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <bdi className="text-left font-semibold wrap-anywhere">{name}</bdi>
        <span className="flex flex-wrap gap-x-4 text-xs text-ink-2">
          <span>{scopes.map((scope) => SCOPE_NAMES[scope][0]).join(', ')}</span>
          <span>Made {formatDate(createdAt)}</span>
          <span>{lastUsedAt ? `Last used ${formatDate(lastUsedAt)}` : 'Not used yet'}</span>
        </span>
      </div>
      <Button
        size="tight"
        pending={revoking.isPending}
        aria-label={`Revoke ${name}`}
        onClick={() => revoking.mutate()}
      >
        {revoking.isPending ? 'Revoking...' : 'Revoke'}
      </Button>
    </li>
  )
}
