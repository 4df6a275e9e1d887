import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveTrusted,
  DESK_PAGE_SIZE,
  type DeskCase,
  decideCase,
  type FoundMicrogenre,
  listCases,
  listDecisions,
  undoBatch,
  undoDecision,
} from '../../contract/desk.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { formatCount } from '../../contract/formatCount.ts'
import type { Song } from '../../contract/shapes.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { toast } from '../ui/toast.ts'
import { decisionLabels } from './deskLabels.ts'

export type DecisionInput = Omit<BodyOf<typeof decideCase>, 'subject' | 'subjectId'>

/** A decision that needs more: a reason, other values, a song, or a description of a microgenre. */
export type DialogKind = 'approve' | 'reject' | 'correct' | 'merge'

/** A decision of this visit, or a batch of them. */
interface VisitDecision {
  id: string
  isBatch: boolean
  summary: string
  /** The case; null for a batch. */
  key: string | null
}

export const caseKey = ({ subject, subjectId }: Pick<DeskCase, 'subject' | 'subjectId'>) =>
  `${subject} ${subjectId}`

/** Milliseconds at least before the next case: a second press of the same key is meant for the first case. */
const MIN_DURATION = 400

async function withMinDuration<T>(request: Promise<T>): Promise<T> {
  const [response] = await Promise.all([request, new Promise((resolve) => setTimeout(resolve, MIN_DURATION))])
  return response
}

/** The cases one at a time, the decisions on them, and their undo (desk-23). */
export function useDesk() {
  const queryClient = useQueryClient()
  const [page, setPage] = useState(0)
  const cases = useQuery({ ...query(listCases, { query: { offset: page * DESK_PAGE_SIZE } }), staleTime: 0 })
  /** Decided or deferred in this visit: shown again after the others. */
  const [passedKeys, setPassedKeys] = useState<ReadonlySet<string>>(new Set())
  /** The case of the last undo. */
  const [restoredKey, setRestoredKey] = useState<string | null>(null)
  const [decisions, setDecisions] = useState<readonly VisitDecision[]>([])
  const allCases = cases.data?.cases ?? []
  const current =
    allCases.find((one) => caseKey(one) === restoredKey) ??
    allCases.find((one) => !passedKeys.has(caseKey(one))) ??
    null
  const waiting = cases.data?.waiting ?? 0
  if (cases.data && !current && (page + 1) * DESK_PAGE_SIZE < waiting) setPage(page + 1)

  const refetch = () =>
    Promise.all(
      [listCases, listDecisions].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
    )
  function passCase(key: string) {
    setPassedKeys((others) => new Set(others).add(key))
    setRestoredKey(null)
  }
  function showFailure(error: Error, failure: string) {
    toast.error(refusalMessage(error) ?? `${failure} Please try again.`)
    // Another steward may have decided the case.
    void refetch()
  }

  const deciding = useMutation({
    mutationFn: ({ subject, subjectId, ...decision }: BodyOf<typeof decideCase>) =>
      withMinDuration(call(decideCase, { body: { subject, subjectId, ...decision } })),
    onSuccess({ id, action, label }, decision) {
      const key = caseKey(decision)
      setDecisions((others) => [
        ...others,
        { id, isBatch: false, summary: `${decisionLabels[action]}: ${label}`, key },
      ])
      passCase(key)
      void refetch()
    },
    onError: (error) => showFailure(error, 'The decision was not sent.'),
  })

  const approving = useMutation({
    mutationFn: (listener: string) => withMinDuration(call(approveTrusted, { params: { id: listener } })),
    onSuccess({ batch, decided: count, left }) {
      const summary = `Approved: ${formatCount(count, 'song')}${left > 0 ? `. Left at the desk: ${left}` : ''}`
      if (batch === null) toast({ title: 'Nothing was approved', description: summary })
      else setDecisions((others) => [...others, { id: batch, isBatch: true, summary, key: null }])
      return refetch()
    },
    onError: (error) => showFailure(error, 'The songs were not approved.'),
  })

  const undoing = useMutation({
    mutationFn: ({ id, isBatch }: Pick<VisitDecision, 'id' | 'isBatch' | 'key'>) =>
      withMinDuration<unknown>(call(isBatch ? undoBatch : undoDecision, { params: { id } })),
    async onSuccess(_, { id, key }) {
      setDecisions((others) => others.filter((one) => one.id !== id))
      setPage(0)
      setPassedKeys((others) => new Set([...others].filter((one) => one !== key)))
      await refetch()
      setRestoredKey(key)
    },
    onError: (error) => showFailure(error, 'It was not undone.'),
  })

  const lastDecision = decisions.at(-1) ?? null
  const isPending = deciding.isPending || approving.isPending || undoing.isPending
  return {
    cases,
    current,
    /** Of the current case. */
    songs: current ? songsOfCase(current) : [],
    waiting,
    lastDecision,
    isPending,
    decide(decision: DecisionInput, onDecided: () => void = () => {}) {
      if (!current) return
      const { subject, subjectId } = current
      deciding.mutate({ subject, subjectId, ...decision }, { onSuccess: onDecided })
    },
    approveAll: (listener: string) => isPending || approving.mutate(listener),
    undoLast: () => lastDecision && !isPending && undoing.mutate(lastDecision),
    undo: (decision: Pick<VisitDecision, 'id' | 'isBatch' | 'key'>) => isPending || undoing.mutate(decision),
    deferCase: () => current && !isPending && passCase(caseKey(current)),
    restart() {
      setPage(0)
      setPassedKeys(new Set())
      void refetch()
    },
  }
}

export type Desk = ReturnType<typeof useDesk>

/** What can be played: several songs for a microgenre, none for people and collections. See `isInCatalogue`. */
function songsOfCase({ subject, suggestion, video, microgenre, song }: DeskCase): Song[] {
  if (microgenre) return microgenre.examples.map((example) => songOfExample(microgenre, example))
  const values = song ?? video ?? suggestion
  if (!values) return []
  const { title, artist, year, albumArt, youtubeId, spotifyId, deezerTrackId, ...genre } = values
  return [
    {
      id: song ? song.id : `${subject}-${values.id}`,
      title,
      artist,
      year,
      albumArt,
      youtubeId,
      youtubeBlocked: false,
      // Only the video that is judged may play.
      spotifyId: video ? null : spotifyId,
      deezerId: null,
      deezerTrackId,
      audio: null,
      duration: null,
      microgenre: genre.microgenre,
      microgenreId: genre.microgenreId,
      color: genre.color,
    },
  ]
}

/** Without ids: playback searches a preview by artist and title. */
function songOfExample(
  { id, name, color }: FoundMicrogenre,
  { recordingMbid, title, artist, year }: FoundMicrogenre['examples'][number],
): Song {
  return {
    id: `microgenre-${id}-${recordingMbid}`,
    title,
    artist,
    year,
    albumArt: null,
    youtubeId: null,
    youtubeBlocked: false,
    spotifyId: null,
    deezerId: null,
    deezerTrackId: null,
    audio: null,
    duration: null,
    microgenre: name,
    microgenreId: '0',
    color,
  }
}
