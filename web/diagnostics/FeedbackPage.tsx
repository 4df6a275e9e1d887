import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FEEDBACK_PAGE, listFeedback, type ReceivedFeedback } from '../../contract/feedback.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'

/** What people wrote to the operator, newest first (diagnostics-22). */
export function FeedbackPage() {
  /** The messages before which the pages up to this one begin; none for the first page. */
  const [starts, setStarts] = useState<readonly string[]>([])
  const top = useRef<HTMLDivElement>(null)
  const page = useQuery({
    ...query(listFeedback, { query: { before: starts.at(-1) } }),
    refetchOnMount: 'always',
  })
  const last = page.data?.at(-1)

  function turn(to: readonly string[]) {
    setStarts(to)
    top.current?.focus()
  }

  return (
    <DiagnosticFrame
      title="Feedback"
      words="What listeners and visitors wrote, newest first. The command npm run feedback prints the same."
    >
      <div ref={top} tabIndex={-1} className="grid gap-6 pt-8 outline-none">
        {page.isError && (
          <LoadFailure onRetry={() => void page.refetch()}>The feedback did not load.</LoadFailure>
        )}
        {page.data?.length === 0 && (
          <p className="text-ink-2">
            {starts.length > 0 ? 'There is no older feedback.' : 'Nobody has written yet.'}
          </p>
        )}
        {page.data && page.data.length > 0 && (
          <ul aria-label="Feedback" className="feedback-list">
            {page.data.map((one) => (
              <FeedbackRow key={one.id} feedback={one} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-2">
          <Button disabled={starts.length === 0} onClick={() => turn(starts.slice(0, -1))}>
            Newer
          </Button>
          <Button
            disabled={!last || page.data?.length !== FEEDBACK_PAGE}
            onClick={() => last && turn([...starts, last.id])}
          >
            Older
          </Button>
        </div>
      </div>
    </DiagnosticFrame>
  )
}

function FeedbackRow({ feedback }: { feedback: ReceivedFeedback }) {
  const { createdAt, email, from, mailed, message } = feedback
  return (
    <li className="grid content-start gap-1.5 border-t border-line py-4">
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-2">
        <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
        {from === 'visitor' && <span>without an account</span>}
        {mailed && <span>mailed to you</span>}
      </p>
      {email === null ? (
        <p className="flex min-h-(--size-touch) items-center font-semibold">
          A listener who wants no e-mails
        </p>
      ) : (
        <a
          href={`mailto:${email}`}
          className="flex min-h-(--size-touch) items-center justify-self-start font-semibold wrap-anywhere underline"
        >
          {email}
        </a>
      )}
      <p dir="auto" className="max-w-[65ch] text-left wrap-anywhere whitespace-pre-wrap">
        {message}
      </p>
    </li>
  )
}
