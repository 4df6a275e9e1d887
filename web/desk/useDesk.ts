import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveTrusted,
  DESK_PAGE_SIZE,
  type DeskCase,
  decideCase,
  listCases,
  listDecisions,
  undoBatch,
  undoDecision,
} from '../../contract/desk.ts'
import type { Body } from '../../contract/endpoint.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { toast } from '../ui/toast.ts'
import { decisionLabels } from './deskLabels.ts'

export type DecisionInput = Omit<Body<typeof decideCase>, 'subject' | 'subjectId'>

/** A decision that needs more: a reason, other values, a song, or words about a microgenre. */
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

/**
 * Milliseconds for which a decision shows at least, before the next case. A second press of the same key is meant for
 * the first case.
 */
const MIN_DURATION = 400

const withMinDuration = <T>(request: Promise<T>): Promise<T> =>
  Promise.all([request, new Promise((resolve) => setTimeout(resolve, MIN_DURATION))]).then(
    ([answer]) => answer,
  )

/** The cases one at a time, the decisions on them, and their undo (desk-23). */
export function useDesk() {
  const queryClient = useQueryClient()
  const [page, setPage] = useState(0)
  const cases = useQuery({ ...query(listCases, { query: { offset: page * DESK_PAGE_SIZE } }), staleTime: 0 })
  /** Decided here, or put off: not shown again before the others. */
  const [passedKeys, setPassedKeys] = useState<ReadonlySet<string>>(new Set())
  /** The case that an undo brought back. */
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
    // Somebody else may have changed what is on screen.
    void refetch()
  }

  const deciding = useMutation({
    mutationFn: ({ subject, subjectId, ...decision }: Body<typeof decideCase>) =>
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
      const summary = `Approved: ${formatSongCount(count)}${left > 0 ? `. Left at the desk: ${left}` : ''}`
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
    waiting,
    last: lastDecision,
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

const formatSongCount = (count: number) => (count === 1 ? '1 song' : `${count} songs`)
