import type { ReactNode } from 'react'
import { useAction } from '../api/useAction.ts'
import { toast } from '../ui/toast.ts'
import { explainWithStatus } from './explainFailure.ts'
import { NotFound } from './NotFound.tsx'
import { SongForm, type Wanted } from './SongForm.tsx'

/** What is wanted of which song; the tools of one page share it. */
export interface Search {
  wanted: Wanted
  onChange: (wanted: Wanted) => void
}

interface SongSearchProps<T> extends Search {
  action: string
  /** Gives null, with the server's reason, when nothing was found. */
  ask: (wanted: Wanted) => Promise<{ found: T | null; message: string | null }>
  missing: string
  /** The toast of a search that failed: its title, and its text before the status (spec §8). */
  failure: { title: string; what: string }
  children: (found: T) => ReactNode
}

/** Artist and title, and below what was found at a service. */
export function SongSearch<T>({ ask, action, missing, failure, children, ...form }: SongSearchProps<T>) {
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
