import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Flag } from '../ui/laterIcons.ts'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import type { ReportableSubject } from './ReportDialog.tsx'

const ReportDialog = lazyDialog(async () => (await import('./ReportDialog.tsx')).ReportDialog)

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
      <ReportDialog title={children} subjects={subjects} open={isOpen} onOpenChange={setOpen} />
    </>
  )
}
