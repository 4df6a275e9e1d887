import { useQuery } from '@tanstack/react-query'
import { FEEDBACK_PAGE_SIZE, listFeedback, type ReceivedFeedback } from '../../contract/feedback.ts'
import { query } from '../api/query.ts'
import { PaginatedList, usePagination } from '../ui/controls/Pagination.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'

/** What people wrote to the operator, newest first (diagnostics-22). */
export function FeedbackPage() {
  const pages = usePagination()
  const page = useQuery({
    ...query(listFeedback, { query: { before: pages.cursor } }),
    refetchOnMount: 'always',
  })
  return (
    <DiagnosticFrame
      title="Feedback"
      description="What listeners and visitors wrote, newest first. The command npm run feedback prints the same."
    >
      <PaginatedList pagination={pages} items={page.data} size={FEEDBACK_PAGE_SIZE}>
        {page.isError && (
          <LoadFailure isMain onRetry={page.refetch}>
            The feedback did not load.
          </LoadFailure>
        )}
        {page.data?.length === 0 && (
          <p className="text-ink-2">
            {pages.cursor !== undefined ? 'There is no older feedback.' : 'Nobody has written yet.'}
          </p>
        )}
        {page.data && page.data.length > 0 && (
          <ul
            aria-label="Feedback"
            className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-x-16"
          >
            {page.data.map((one) => (
              <FeedbackRow key={one.id} feedback={one} />
            ))}
          </ul>
        )}
      </PaginatedList>
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
