import type { BodyOf } from '../../contract/endpoint.ts'
import { reportSubject, SONG_REASONS, withdrawReport } from '../../contract/reports.ts'
import { ApiError, refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { toast, UNDO_TIME } from '../ui/toast.ts'
import { reasonLabels } from './reasonLabels.ts'

/** Reports a song: one button for each reason (desk-22). */
export function ReportSong({ songId, onSent }: { songId: string; onSent: () => void }) {
  const report = useReport(onSent)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {SONG_REASONS.map((reason) => (
          <Button
            key={reason}
            size="tight"
            pending={report.isPending}
            onClick={() => report.mutate({ subject: 'song', subjectId: songId, reason })}
          >
            {reasonLabels[reason]}
          </Button>
        ))}
      </div>
      <p className="text-xs text-ink-2">{ANONYMITY_NOTE}</p>
    </>
  )
}

/** Under every list of reasons (desk-9). */
export const ANONYMITY_NOTE = 'One press reports it to the stewards. They do not see who reported it.'

const TOAST_NAME = 'report'

/** Sends a report to the desk, and offers Undo (desk-22). */
export function useReport(onSent: () => void) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof reportSubject>) => call(reportSubject, { body }),
    onSuccess({ id }) {
      onSent()
      toast({
        name: TOAST_NAME,
        title: 'Reported',
        description: 'A steward will look at it.',
        tone: 'success',
        duration: UNDO_TIME,
        action: { label: 'Undo', run: () => void undoReport(id) },
      })
    },
    onError: (error) => toast.error(failureMessage(error)),
  })
}

async function undoReport(id: string): Promise<void> {
  try {
    await call(withdrawReport, { params: { id } })
    toast({ name: TOAST_NAME, title: 'Report taken back' })
  } catch {
    const description = 'The report was not taken back. Please try again.'
    const action = { label: 'Undo', run: () => void undoReport(id) }
    toast({
      name: TOAST_NAME,
      title: 'Error',
      description,
      tone: 'error',
      duration: UNDO_TIME,
      action,
    })
  }
}

function failureMessage(error: Error): string {
  if (error instanceof ApiError && error.status === 404)
    return 'This cannot be reported: it is your own, or not here any more.'
  return refusalMessage(error) ?? 'The report was not sent. Please try again.'
}
