import { SongReason } from '../../contract/reports.ts'
import { Button } from '../ui/Button.tsx'
import { reasonLabels } from './reasonLabels.ts'
import { useReport } from './useReport.ts'

/** Reports a song: one button for each reason (desk-22). */
export function ReportSong({ songId, onSent }: { songId: string; onSent: () => void }) {
  const report = useReport(onSent)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {SongReason.options.map((reason) => (
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
