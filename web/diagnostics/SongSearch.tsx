import type { ReactNode } from 'react'
import { useAction } from '../api/useAction.ts'
import { explainWithStatus } from './explainFailure.ts'
import { NotFound } from './NotFound.tsx'
import { SongForm, type Wanted } from './SongForm.tsx'
import { useOwnToast } from './useOwnToast.ts'

/** The searched song; the tools of a page share it. */
export interface Search {
  wanted: Wanted
  onChange: (wanted: Wanted) => void
}

interface SongSearchProps<T> extends Search {
  action: string
  /** Returns null, with the server's reason, when nothing was found. */
  ask: (wanted: Wanted) => Promise<{ found: T | null; message: string | null }>
  missing: string
  /** The toast of a failed search: title, and text before the status (diagnostics-20). */
  failure: { title: string; what: string }
  children: (found: T) => ReactNode
}

/** A form for artist and title, with the result below. */
export function SongSearch<T>({ ask, action, missing, failure, children, ...form }: SongSearchProps<T>) {
  const toast = useOwnToast()
  const { mutate, isPending, data } = useAction({
    mutationFn: ask,
    onError: (error) =>
      toast({
        title: failure.title,
        description: explainWithStatus(failure.what, error),
        tone: 'error',
      }),
  })
  return (
    <>
      <SongForm {...form} onSearch={mutate} searching={isPending} action={action} />
      <div aria-live="polite" className="empty:hidden">
        {data && (data.found ? children(data.found) : <NotFound title={missing}>{data.message}</NotFound>)}
      </div>
    </>
  )
}
