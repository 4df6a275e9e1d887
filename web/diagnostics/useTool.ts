import { useCallback, useEffect, useId, useRef } from 'react'
import { useMutation } from '../api/useMutation.ts'
import { removeToast, type Toast, toast } from '../ui/toast.ts'
import { type explainFailure, explainWithStatus } from './explainFailure.ts'

/**
 * `toast` for a tool in a tab or on a page: its message leaves the screen with the tool, and an answer that arrives
 * afterwards shows none (diagnostics-23).
 */
export function useScopedToast(): (message: Toast) => void {
  const name = useId()
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      removeToast(name)
    }
  }, [name])
  return useCallback(
    (message) => {
      if (!isGone.current) toast({ ...message, name })
    },
    [name],
  )
}

interface Tool<Data, Variables> {
  mutationFn: (variables: Variables) => Promise<Data>
  /** The toast of a failure: its title, and what failed. */
  failure: { title: string; what: string }
  explain?: typeof explainFailure
}

/** `useMutation` for a tool, whose failure is a toast of its own. */
export function useTool<Data, Variables = void>({
  mutationFn,
  failure,
  explain = explainWithStatus,
}: Tool<Data, Variables>) {
  const toast = useScopedToast()
  return useMutation({
    mutationFn,
    onError: (error) =>
      toast({ title: failure.title, description: explain(failure.what, error), tone: 'error' }),
  })
}

/** Waits for the given milliseconds, or until `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
