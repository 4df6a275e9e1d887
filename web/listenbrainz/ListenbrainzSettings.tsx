import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { formatCount } from '../../contract/formatCount.ts'
import {
  getListenbrainz,
  importLoves,
  type Listenbrainz,
  linkListenbrainz,
  sendBusts,
  unlinkListenbrainz,
} from '../../contract/listenbrainz.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

/** The listener's account at ListenBrainz: linked by a token, and unlinked at any time (library-33). */
export function ListenbrainzSettings() {
  const { data, isError, refetch } = useQuery({ ...query(getListenbrainz), refetchOnMount: 'always' })
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusFallback(heading)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h3 ref={heading} tabIndex={-1} className="wrap-anywhere outline-none">
        {data?.service ?? 'ListenBrainz'}
      </h3>
      {!data && isError && <LoadFailure onRetry={refetch}>Your account there did not load.</LoadFailure>}
      {!data && !isError && <Loading className="">Looking for your account...</Loading>}
      {data && (!data.link || data.link.isRefused) && <LinkForm {...data} />}
      {data?.link && !data.link.isRefused && <LinkedAccount {...data.link} />}
      {data?.link && <UnlinkButton />}
    </div>
  )
}

function LinkForm({ service, link }: Listenbrainz) {
  const [token, setToken] = useState('')
  const queryClient = useQueryClient()
  const linking = useMutation({
    mutationFn: () => call(linkListenbrainz, { body: { token } }),
    onSuccess: (changed) => queryClient.setQueryData(query(getListenbrainz).queryKey, changed),
  })
  return (
    <Form onSubmit={() => linking.mutate()}>
      {link ? (
        <p role="alert" className="wrap-anywhere text-danger">
          {service} no longer accepts your token, so nothing is sent. Please enter a new one.
        </p>
      ) : (
        <p className="text-ink-2">
          Link your account: your bangers become loves there, and you can send playlists.
        </p>
      )}
      <Field
        label="User token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        error={linking.isError ? (refusalMessage(linking.error) ?? NO_ANSWER) : undefined}
        onChange={setToken}
      />
      {service === 'ListenBrainz' && (
        <p className="text-xs text-ink-2">
          It is in{' '}
          <a
            href="https://listenbrainz.org/settings"
            target="_blank"
            rel="noopener noreferrer"
            className="underline underline-offset-3"
          >
            your settings at ListenBrainz
          </a>
          .
        </p>
      )}
      <SubmitButton pending={linking.isPending} pendingText="Linking..." disabled={token.trim() === ''}>
        Link
      </SubmitButton>
    </Form>
  )
}

const NO_ANSWER = 'The service does not answer right now. Please try again in a few minutes.'

function LinkedAccount({
  userName,
  sendsBusts,
  isFailing,
  sent,
  waiting,
}: NonNullable<Listenbrainz['link']>) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const saving = useMutation({
    mutationFn: (send: boolean) => call(sendBusts, { body: { send } }),
    onSuccess: (changed) => queryClient.setQueryData(query(getListenbrainz).queryKey, changed),
    onError: () => toast.error('Failed to save your choice. Please try again.'),
  })
  const importing = useMutation({
    mutationFn: () => call(importLoves),
    onSuccess: ({ id }) => navigate(`/imports/${id}`),
    onError: (error) => toast.error(refusalMessage(error) ?? NO_ANSWER),
  })
  return (
    <>
      <p className="wrap-anywhere text-ink-2">
        Linked to <bdi className="text-ink">{userName}</bdi>, which has{' '}
        {formatCount(sent, 'rating', 'ratings')} of yours.
        {waiting > 0 &&
          ` ${formatCount(waiting, 'banger waits', 'bangers wait')} until MusicBrainz has the recording.`}
      </p>
      {isFailing && (
        <p role="alert" className="text-danger">
          For a while nothing could be sent. We try again within an hour. If you were renamed there, please
          unlink the account and link it again.
        </p>
      )}
      <SwitchRow name="Busts become hates" isOn={sendsBusts} onChange={(on) => saving.mutate(on)}>
        Otherwise only your bangers are sent.
      </SwitchRow>
      <Button pending={importing.isPending} onClick={() => importing.mutate()} className="justify-self-start">
        {importing.isPending ? 'Reading your loves...' : 'Bring these loves'}
      </Button>
    </>
  )
}

function UnlinkButton() {
  const queryClient = useQueryClient()
  const unlinking = useMutation({
    mutationFn: () => call(unlinkListenbrainz),
    onSuccess: () =>
      queryClient.setQueryData<Listenbrainz>(
        query(getListenbrainz).queryKey,
        (known) => known && { ...known, link: null },
      ),
    onError: () => toast.error('Your account was not unlinked. Please try again.'),
  })
  return (
    <Button pending={unlinking.isPending} onClick={() => unlinking.mutate()} className="justify-self-start">
      Unlink
    </Button>
  )
}
