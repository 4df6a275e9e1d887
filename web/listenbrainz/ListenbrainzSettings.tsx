import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { listImports } from '../../contract/imports.ts'
import {
  bringLoves,
  getListenbrainz,
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
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

/** The listener's account at ListenBrainz: linked by a token, and unlinked at any time (library-33). */
export function ListenbrainzSettings() {
  const { data, isError, refetch } = useQuery({ ...query(getListenbrainz), refetchOnMount: 'always' })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h3>{data?.service ?? 'ListenBrainz'}</h3>
      {!data && isError && <LoadFailure onRetry={refetch}>Your account there did not load.</LoadFailure>}
      {!data && !isError && <Loading className="">Looking for your account...</Loading>}
      {data && (!data.link || data.link.isRefused) && <LinkForm {...data} />}
      {data?.link && <LinkedAccount service={data.service} link={data.link} />}
    </div>
  )
}

function useStore() {
  const cache = useQueryClient()
  return (changed: Listenbrainz) => cache.setQueryData(query(getListenbrainz).queryKey, changed)
}

function LinkForm({ service, link }: Listenbrainz) {
  const [token, setToken] = useState('')
  const store = useStore()
  const linking = useMutation({
    mutationFn: () => call(linkListenbrainz, { body: { token } }),
    onSuccess: store,
  })
  return (
    <Form onSubmit={() => linking.mutate()}>
      {link ? (
        <p role="alert" className="text-danger">
          {service} refuses your token, so nothing is sent. Link your account again.
        </p>
      ) : (
        <p className="text-ink-2">Your bangers become loves there, and playlists can be sent there.</p>
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
          <a
            href="https://listenbrainz.org/settings"
            target="_blank"
            rel="noopener noreferrer"
            className="underline underline-offset-3"
          >
            Your settings at ListenBrainz
          </a>{' '}
          show it.
        </p>
      )}
      <SubmitButton pending={linking.isPending} pendingText="Linking..." disabled={token.trim() === ''}>
        Link
      </SubmitButton>
    </Form>
  )
}

const NO_ANSWER = 'The service does not answer right now. Please try again in a few minutes.'

interface LinkedAccountProps {
  service: string
  link: NonNullable<Listenbrainz['link']>
}

function LinkedAccount({ service, link }: LinkedAccountProps) {
  const { userName, sendsBusts, isRefused, sent, waiting } = link
  const store = useStore()
  const saving = useMutation({
    mutationFn: (send: boolean) => call(sendBusts, { body: { send } }),
    onSuccess: store,
    onError: () => toast.error('Failed to save your choice. Please try again.'),
  })
  const unlinking = useMutation({
    mutationFn: () => call(unlinkListenbrainz),
    onSuccess: () => store({ service, link: null }),
    onError: () => toast.error('Your account was not unlinked. Please try again.'),
  })
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const bringing = useMutation({
    mutationFn: () => call(bringLoves),
    async onSuccess({ id }) {
      navigate(`/imports/${id}`)
      await cache.invalidateQueries({ queryKey: query(listImports).queryKey })
    },
    onError: (error) => toast.error(refusalMessage(error) ?? NO_ANSWER),
  })
  return (
    <>
      {!isRefused && (
        <>
          <p className="wrap-anywhere text-ink-2">
            Linked to <bdi className="text-ink">{userName}</bdi>. {sent.toLocaleString('en')} ratings are
            there
            {waiting > 0 &&
              `; ${waiting.toLocaleString('en')} bangers wait until their recording at MusicBrainz is known`}
            .
          </p>
          <SwitchRow name="Busts become hates" isOn={sendsBusts} onChange={(on) => saving.mutate(on)}>
            Without it only your bangers are sent.
          </SwitchRow>
        </>
      )}
      {!isRefused && (
        <Button pending={bringing.isPending} onClick={() => bringing.mutate()} className="justify-self-start">
          {bringing.isPending ? 'Reading your loves...' : 'Bring these loves'}
        </Button>
      )}
      <Button pending={unlinking.isPending} onClick={() => unlinking.mutate()} className="justify-self-start">
        Unlink
      </Button>
    </>
  )
}
