import { useState } from 'react'
import { ABUSE_REASONS, type ReportSubject } from '../../contract/reports.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Select } from '../ui/controls/Field.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Flag } from '../ui/laterIcons.ts'
import { ANONYMITY_NOTE, useReport } from './ReportSong.tsx'
import { reasonLabels } from './reasonLabels.ts'

interface ReportableSubject {
  subject: Exclude<ReportSubject, 'song'>
  /** A person's id, or the token of a collection's share link. */
  subjectId: string
}

interface ReportButtonProps {
  /** Also the title of the dialog. */
  children: string
  subjects: readonly ReportableSubject[]
}

/** Reports what somebody else has made public (desk-8). */
export function ReportButton({ children, subjects }: ReportButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="bare" size="tight" className="-ml-3 justify-self-start" onClick={() => setOpen(true)}>
        <Flag />
        {children}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={children} width="28rem">
        <Reasons subjects={subjects} onSent={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** Asks which part it is, if there are several, and for the reason. Pressing a reason sends the report. */
function Reasons({ subjects, onSent }: { subjects: readonly ReportableSubject[]; onSent: () => void }) {
  const [subject, setSubject] = useState(subjects[0]?.subject)
  const chosenSubject = subjects.find((one) => one.subject === subject)
  const report = useReport(onSent)
  return (
    <>
      {subjects.length > 1 && subject && (
        <Select
          aria-label="What is reported"
          value={subject}
          options={subjects.map((one) => ({ value: one.subject, name: subjectLabels[one.subject] }))}
          onChange={setSubject}
          className="min-h-12"
        />
      )}
      <ul aria-label="Reasons" className="grid gap-2">
        {ABUSE_REASONS.map((reason) => (
          <li key={reason} className="grid">
            <Button
              pending={report.isPending}
              onClick={() => chosenSubject && report.mutate({ ...chosenSubject, reason })}
            >
              {reasonLabels[reason]}
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-xs text-ink-2">{ANONYMITY_NOTE}</p>
    </>
  )
}

const subjectLabels = {
  person: 'The person',
  bio: 'The bio',
  photo: 'The photo',
  collection: 'The collection',
} satisfies Record<ReportableSubject['subject'], string>
