import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endAllSessions, endSession, listSessions, type Session } from '../../contract/auth.ts'
import { listPasskeys } from '../../contract/passkeys.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LogOut } from '../ui/icons.tsx'
import { Globe, Monitor, Smartphone } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

/** Where the listener is signed in, with buttons to sign out. */
export function YourSessions() {
  // Sessions change on other devices, so the list is fetched whenever the page appears.
  const sessions = useQuery({ ...query(listSessions), refetchOnMount: 'always' })
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="your-sessions" className="border-t border-line pt-6">
      <h2 ref={heading} id="your-sessions" tabIndex={-1} className="outline-none">
        Where you are signed in
      </h2>
      <div className="mt-3 grid max-w-176 justify-items-start gap-5">
        {sessions.data ? (
          <>
            <ul className="w-full">
              {sessions.data.map((session) => (
                <SessionRow key={session.id} session={session} onEnded={() => heading.current?.focus()} />
              ))}
            </ul>
            <SignOutEverywhere />
          </>
        ) : sessions.isError ? (
          <LoadFailure onRetry={sessions.refetch}>The list of your sessions did not load.</LoadFailure>
        ) : (
          <p className="text-ink-2">Looking for your sessions...</p>
        )}
      </div>
    </section>
  )
}

const icons = { computer: Monitor, mobile: Smartphone, other: Globe }

interface SessionProps {
  session: Session
  /** The row, and the focused button in it, are about to disappear. */
  onEnded: () => void
}

function SessionRow({ session, onEnded }: SessionProps) {
  const Icon = icons[session.kind]
  return (
    <li className="flex min-h-16 items-center gap-4 border-b border-line py-2">
      <Icon className="size-5 flex-none text-ink-2" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-semibold wrap-anywhere">{session.device}</span>
        <span className="flex flex-wrap gap-x-4 text-xs text-ink-2">
          {!session.current && <span>Last used {formatDay(session.lastSeenAt)}</span>}
          <span>Signed in {formatDay(session.createdAt)}</span>
        </span>
      </div>
      {session.current ? (
        <span className="text-xs font-semibold text-ink-2">This browser</span>
      ) : (
        <SignOutButton session={session} onEnded={onEnded} />
      )}
    </li>
  )
}

/** The server records the last use once an hour, so the text is no more exact than a day. */
function formatDay(moment: string): string {
  const isToday = new Date(moment).toDateString() === new Date().toDateString()
  return isToday ? 'today' : formatDate(moment)
}

function SignOutButton({ session, onEnded }: SessionProps) {
  const queryClient = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call(endSession, { params: { id: session.id } }),
    onSuccess() {
      onEnded()
      toast({ title: 'Signed out', description: `${session.device} is signed out now.`, tone: 'success' })
    },
    onError: () => toast.error('That browser was not signed out. Please try again.'),
    // Also after a failure: the session may have ended meanwhile.
    onSettled: () => queryClient.invalidateQueries({ queryKey: query(listSessions).queryKey }),
  })
  return (
    <Button
      size="tight"
      pending={ending.isPending}
      aria-label={`Sign out ${session.device}`}
      onClick={() => ending.mutate()}
    >
      {ending.isPending ? 'Signing out...' : 'Sign out'}
    </Button>
  )
}

function SignOutEverywhere() {
  const passkeys = useQuery(query(listPasskeys))
  const [isRemoving, setRemoving] = useState(false)
  const ending = useMutation({
    mutationFn: () => call(endAllSessions, { query: isRemoving ? { passkeys: 'remove' } : {} }),
    // Reloads the page, so that no data of the account stays in memory.
    onSuccess: () => location.replace(withBasePath('/')),
    onError: (error) =>
      toast.error(
        error instanceof ApiError && error.status === 409
          ? error.message
          : 'You are still signed in. Please try again.',
      ),
  })
  return (
    <div className="grid justify-items-start gap-2">
      {passkeys.data?.length ? (
        <SwitchRow name="Remove my passkeys, too" isOn={isRemoving} onChange={setRemoving}>
          Do this if somebody else may have added one.
        </SwitchRow>
      ) : null}
      <Button pending={ending.isPending} onClick={() => ending.mutate()}>
        <LogOut />
        {ending.isPending ? 'Signing out...' : 'Sign out everywhere'}
      </Button>
      <p className="text-xs text-ink-2">
        Ends every session, this one too, and revokes your tokens for programs. You can sign in again right
        away.
      </p>
    </div>
  )
}
