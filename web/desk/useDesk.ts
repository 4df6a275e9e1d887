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
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { refusalOf } from '../api/refusalOf.ts'
import { useAction } from '../api/useAction.ts'
import { toast, toastError } from '../ui/toast.ts'
import { decidedWords } from './deskWords.ts'

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

export const keyOf = ({ subject, subjectId }: Pick<DeskCase, 'subject' | 'subjectId'>) =>
  `${subject} ${subjectId}`

/**
 * Milliseconds for which a decision shows at least, before the next case. A second press of the same key is meant for
 * the first case.
 */
const MIN_DURATION = 400

const shown = <T>(sent: Promise<T>): Promise<T> =>
  Promise.all([sent, new Promise((resolve) => setTimeout(resolve, MIN_DURATION))]).then(([answer]) => answer)

/** The cases one at a time, the decisions on them, and their undo (desk-23). */
export function useDesk() {
  const queryClient = useQueryClient()
  const [page, setPage] = useState(0)
  const cases = useQuery({ ...query(listCases, { query: { offset: page * DESK_PAGE_SIZE } }), staleTime: 0 })
  /** Decided here, or put off: not shown again before the others. */
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set())
  /** The case that an undo brought back. */
  const [back, setBack] = useState<string | null>(null)
  const [decided, setDecided] = useState<readonly VisitDecision[]>([])
  const all = cases.data?.cases ?? []
  const current = all.find((one) => keyOf(one) === back) ?? all.find((one) => !passed.has(keyOf(one))) ?? null
  const waiting = cases.data?.waiting ?? 0
  if (cases.data && !current && (page + 1) * DESK_PAGE_SIZE < waiting) setPage(page + 1)

  const refetch = () =>
    Promise.all(
      [listCases, listDecisions].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
    )
  function pass(key: string) {
    setPassed((others) => new Set(others).add(key))
    setBack(null)
  }
  function tell(error: Error, what: string) {
    toastError(refusalOf(error) ?? `${what} Please try again.`)
    // Somebody else may have changed what is on screen.
    void refetch()
  }

  const deciding = useAction({
    mutationFn: ({ subject, subjectId, ...given }: Body<typeof decideCase>) =>
      shown(call(decideCase, { body: { subject, subjectId, ...given } })),
    onSuccess({ id, action, label }, given) {
      const key = keyOf(given)
      setDecided((others) => [
        ...others,
        { id, isBatch: false, summary: `${decidedWords[action]}: ${label}`, key },
      ])
      pass(key)
      void refetch()
    },
    onError: (error) => tell(error, 'The decision was not sent.'),
  })

  const approving = useAction({
    mutationFn: (listener: string) => shown(call(approveTrusted, { params: { id: listener } })),
    onSuccess({ batch, decided: count, left }) {
      const words = `Approved: ${songs(count)}${left > 0 ? `. Left at the desk: ${left}` : ''}`
      if (batch === null) toast({ title: 'Nothing was approved', description: words })
      else setDecided((others) => [...others, { id: batch, isBatch: true, summary: words, key: null }])
      return refetch()
    },
    onError: (error) => tell(error, 'The songs were not approved.'),
  })

  const undoing = useAction({
    mutationFn: ({ id, isBatch }: Pick<VisitDecision, 'id' | 'isBatch' | 'key'>) =>
      shown<unknown>(call(isBatch ? undoBatch : undoDecision, { params: { id } })),
    async onSuccess(_, { id, key }) {
      setDecided((others) => others.filter((one) => one.id !== id))
      setPage(0)
      setPassed((others) => new Set([...others].filter((one) => one !== key)))
      await refetch()
      setBack(key)
    },
    onError: (error) => tell(error, 'It was not undone.'),
  })

  const last = decided.at(-1) ?? null
  const isPending = deciding.isPending || approving.isPending || undoing.isPending
  return {
    cases,
    current,
    waiting,
    last,
    isPending,
    decide(given: DecisionInput, onDecided: () => void = () => {}) {
      if (!current) return
      const { subject, subjectId } = current
      deciding.mutate({ subject, subjectId, ...given }, { onSuccess: onDecided })
    },
    approveAll: (listener: string) => isPending || approving.mutate(listener),
    undoLast: () => last && !isPending && undoing.mutate(last),
    undo: (made: Pick<VisitDecision, 'id' | 'isBatch' | 'key'>) => isPending || undoing.mutate(made),
    deferCase: () => current && !isPending && pass(keyOf(current)),
    restart() {
      setPage(0)
      setPassed(new Set())
      void refetch()
    },
  }
}

export type Desk = ReturnType<typeof useDesk>

const songs = (count: number) => (count === 1 ? '1 song' : `${count} songs`)
