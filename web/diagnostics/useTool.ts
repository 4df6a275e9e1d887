import { useCallback, useEffect, useId, useRef } from 'react'
import { ApiError } from '../api/ApiError.ts'
import { useMutation } from '../api/useMutation.ts'
import { removeToast, type Toast, toast } from '../ui/toast.ts'

interface ToolOptions<Data, Variables> {
  mutationFn: (variables: Variables) => Promise<Data>
  /** The toast of a failure: its title, and what failed. */
  failure: { title: string; what: string }
  explain?: typeof explainFailure
}

/** `useMutation` with a toast for a failure. */
export function useTool<Data, Variables = void>({
  mutationFn,
  failure,
  explain = explainWithStatus,
}: ToolOptions<Data, Variables>) {
  const toast = useScopedToast()
  return useMutation({
    mutationFn,
    onError: (error) =>
      toast({ title: failure.title, description: explain(failure.what, error), tone: 'error' }),
  })
}

/**
 * `toast` for a tool in a tab or on a page. The toast ends with the tool, and a response that arrives afterwards shows
 * none (diagnostics-23).
 */
export function useScopedToast(): (message: Toast) => void {
  const name = useId()
  const unmountSignal = useUnmountSignal()
  return useCallback(
    (message) => {
      const signal = unmountSignal()
      if (signal.aborted) return
      toast({ ...message, name })
      signal.addEventListener('abort', () => removeToast(name))
    },
    [name, unmountSignal],
  )
}

/** For runs that take long. A run ends when `stop` is called, when the next one starts, and with the component. */
export function useAbortableRun(): { start: () => AbortSignal; stop: () => void } {
  const unmountSignal = useUnmountSignal()
  const run = useRef<AbortController>(undefined)
  const stop = () => run.current?.abort()
  return {
    start() {
      stop()
      const controller = new AbortController()
      run.current = controller
      unmountSignal().addEventListener('abort', () => controller.abort())
      return controller.signal
    },
    stop,
  }
}

/** Returns a function for a signal that aborts when the component unmounts. */
function useUnmountSignal(): () => AbortSignal {
  const controller = useRef(new AbortController())
  useEffect(() => {
    // In development React mounts twice.
    if (controller.current.signal.aborted) controller.current = new AbortController()
    return () => controller.current.abort()
  }, [])
  return useCallback(() => controller.current.signal, [])
}

/** Resolves after `ms` milliseconds, or when `signal` aborts. */
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

/** `Verification failed` and the server's message (diagnostics-20). */
export function explainFailure(what: string, error: unknown): string {
  return `${what}: ${failureReason(error)}`
}

/** `Search failed: 503` and the server's message (diagnostics-20). */
export function explainWithStatus(what: string, error: unknown): string {
  if (!(error instanceof ApiError)) return explainFailure(what, error)
  return error.serverMessage ? `${what}: ${error.status}. ${error.serverMessage}` : `${what}: ${error.status}`
}

/** The server's message, or that it does not answer. */
export function failureReason(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server does not answer. Check your connection.'
  return error.serverMessage ?? error.message
}
