import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  compareVerdicts,
  getSharedBlindRound,
  MAX_VISITOR_NAME_LENGTH,
  type SharedBlindRound,
} from '../../contract/blindRounds.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { blindRoundPage } from '../../contract/sharedPage.ts'
import { sharerName } from '../../contract/sharing.ts'
import { ApiError, refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { storageItem } from '../api/storageItem.ts'
import { useMutation } from '../api/useMutation.ts'
import type { RatedSong } from '../discovery/engine/discoveryState.ts'
import { SharedFrame } from '../sharing/SharedPages.tsx'
import { afterPaint } from '../ui/afterPaint.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { toast } from '../ui/toast.ts'

const TryPage = lazyComponent(async () => (await import('./TryPage.tsx')).TryPage)

/** A blind round; public. Its songs are rated on the stage, whose end compares the verdicts (sharing-32). */
export function BlindRoundPage({ shareToken = '' }: { shareToken: string | undefined }) {
  const [round, setRound] = useState<SharedBlindRound | null>(null)
  useEffect(() => afterPaint(() => void TryPage.preload()), [])
  const [earlier] = useState(() => readVerdicts(shareToken))
  if (round) {
    const verdicts = earlier.filter(({ songId }) => round.songs.some(({ id }) => id === songId))
    const songs = round.songs.filter(({ id }) => !verdicts.some(({ songId }) => songId === id))
    const addRated = (rated: readonly RatedSong[]) => [
      ...verdicts,
      ...rated.map(({ song, rating }) => ({ songId: song.id, rating })),
    ]
    return (
      <TryPage
        songs={songs}
        onRated={(rated) => saveVerdicts(shareToken, addRated(rated))}
        renderEnd={(rated) => <Comparison shareToken={shareToken} round={round} verdicts={addRated(rated)} />}
      />
    )
  }
  return (
    <SharedFrame
      kind="blind"
      shareToken={shareToken}
      query={query(getSharedBlindRound, { params: { shareToken } })}
      toPage={blindRoundPage}
      renderSongs={(round) => (
        <Button variant="accent" size="big" onClick={() => setRound(round)}>
          {earlier.length > 0 ? 'Go on' : 'Rate them blind'}
        </Button>
      )}
    />
  )
}

type Verdicts = BodyOf<typeof compareVerdicts>['verdicts']

/** Of one round; a reload goes on. */
const storedVerdicts = storageItem('blind-round', 'tab')

const saveVerdicts = (shareToken: string, verdicts: Verdicts) =>
  storedVerdicts.save(JSON.stringify({ shareToken, verdicts }))

function readVerdicts(shareToken: string): Verdicts {
  const stored = storedVerdicts.readJson() as { shareToken: string; verdicts: Verdicts } | null
  return stored?.shareToken === shareToken ? stored.verdicts : []
}

interface ComparisonProps {
  shareToken: string
  round: SharedBlindRound
  verdicts: Verdicts
}

function Comparison({ shareToken, round, verdicts }: ComparisonProps) {
  const compare = (result?: { name: string | null }) =>
    call(compareVerdicts, { params: { shareToken }, body: { verdicts, ...(result && { result }) } })
  const { data, error, refetch } = useQuery({
    queryKey: [compareVerdicts.path, { shareToken, verdicts }],
    queryFn: () => compare(),
  })
  if (error) {
    const message = refusalMessage(error) ?? 'The verdicts did not load.'
    // The round has other songs now.
    const isChanged = error instanceof ApiError && error.status === 409
    return (
      <div className={padding}>
        <LoadFailure onRetry={isChanged ? () => location.reload() : refetch}>{message}</LoadFailure>
      </div>
    )
  }
  if (!data) return <Loading className={padding}>Comparing...</Loading>
  const maker = sharerName(round.user)
  const ratings = new Map(verdicts.map(({ songId, rating }) => [songId, rating]))
  const verdictOf = new Map(data.verdicts.map(({ songId, rating }) => [songId, rating]))
  const songs = round.songs.filter(({ id }) => verdictOf.has(id))
  const agrees = ({ id }: { id: string }) => verdictOf.get(id) === ratings.get(id)
  return (
    <div className={`${padding} grid max-w-3xl gap-6`}>
      <h1 ref={takeFocus} tabIndex={-1} className="text-[clamp(2rem,9vw,4.5rem)]! leading-none! outline-none">
        You agree on {songs.filter(agrees).length} of {songs.length}
      </h1>
      <ul>
        {songs.map((song) => (
          <li key={song.id} className="border-t border-line py-2 wrap-anywhere">
            <bdi className="font-semibold">{song.title}</bdi>, <bdi>{song.artist}</bdi>
            <span className={`block ${agrees(song) ? 'text-ink-2' : 'text-hot'}`}>
              You: {ratings.get(song.id)} · <bdi>{maker}</bdi>: {verdictOf.get(song.id)}
            </span>
          </li>
        ))}
      </ul>
      <ShowResult maker={maker} onShow={(name) => compare({ name })} />
    </div>
  )
}

const padding = 'px-4 pt-4 pb-[calc(var(--nav-h)+1.5rem)] wide:px-6'

/** Screen readers read it. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Shows the maker the result, with a name or without (sharing-33). */
function ShowResult({ maker, onShow }: { maker: string; onShow: (name: string | null) => Promise<unknown> }) {
  const [name, setName] = useState('')
  const showing = useMutation({
    mutationFn: () => onShow(name.trim() || null),
    onError: (error) => toast.error(refusalMessage(error) ?? 'Your result was not sent. Please try again.'),
  })
  if (showing.isSuccess) {
    return (
      <p ref={takeFocus} tabIndex={-1} className="outline-none">
        Sent. Only {maker} sees it.
      </p>
    )
  }
  return (
    <Form onSubmit={() => showing.mutate()}>
      <Field
        {...{ label: 'Your name', note: 'Empty: anonymous', value: name, onChange: setName }}
        maxLength={MAX_VISITOR_NAME_LENGTH}
      />
      <SubmitButton pending={showing.isPending} className="wrap-anywhere whitespace-normal!">
        Show {maker} your result
      </SubmitButton>
    </Form>
  )
}
