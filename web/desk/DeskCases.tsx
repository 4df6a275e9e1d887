import { useState } from 'react'
import type { DeskCase } from '../../contract/desk.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { CaseView } from './CaseView.tsx'
import { CorrectDialog } from './CorrectDialog.tsx'
import { DeskKeys } from './DeskKeys.tsx'
import { LastDecision } from './LastDecision.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { MicrogenreDialog } from './MicrogenreDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { songsOfCase } from './songsOfCase.ts'
import { type Desk, keyOf, type Need } from './useDesk.ts'
import { useDeskSound } from './useDeskSound.ts'

/** The current case with its keys, or that nothing waits (desk-23). */
export function DeskCases({ desk }: { desk: Desk }) {
  const { cases, current } = desk
  /** The open dialog, and of which case: another one must not take it over. */
  const [open, setOpen] = useState<{ need: Need; key: string } | null>(null)
  const toggle = useDeskSound(current ? songsOfCase(current) : [])
  const close = () => setOpen(null)
  const isNeeded = (need: Need) => open?.need === need && current !== null && open.key === keyOf(current)
  return (
    <>
      {cases.isError && (
        <div className="mb-4">
          <LoadFailure onRetry={() => void cases.refetch()}>The cases did not load.</LoadFailure>
        </div>
      )}
      {current ? (
        <div className="desk-case">
          <CaseView key={keyOf(current)} case={current} desk={desk} onToggle={toggle} />
          <DeskKeys
            case={current}
            desk={desk}
            onNeed={(need) => setOpen({ need, key: keyOf(current) })}
            onToggle={toggle}
          />
        </div>
      ) : (
        cases.data && <NothingWaits desk={desk} />
      )}
      {cases.isPending && (
        <p role="status" className="text-ink-2">
          Loading the cases...
        </p>
      )}
      {current && <Dialogs case={current} desk={desk} isNeeded={isNeeded} onClose={close} />}
    </>
  )
}

interface DialogsProps {
  case: DeskCase
  desk: Desk
  isNeeded: (need: Need) => boolean
  onClose: () => void
}

function Dialogs({ case: current, desk, isNeeded, onClose }: DialogsProps) {
  const values = current.song ?? current.suggestion
  const key = keyOf(current)
  const common = { onOpenChange: onClose, isPending: desk.isPending }
  return (
    <>
      <RejectDialog
        key={`reject ${key}`}
        {...common}
        open={isNeeded('reject')}
        onReject={(reason) => desk.decide({ action: 'reject', reason }, onClose)}
      />
      {current.microgenre && (
        <MicrogenreDialog
          key={`approve ${key}`}
          {...common}
          open={isNeeded('approve')}
          found={current.microgenre}
          onApprove={(microgenre) => desk.decide({ action: 'approve', microgenre }, onClose)}
        />
      )}
      {values && (
        <CorrectDialog
          key={`correct ${key}`}
          {...common}
          open={isNeeded('correct')}
          values={values}
          onCorrect={(changes) => desk.decide({ action: 'correct', changes }, onClose)}
        />
      )}
      {current.suggestion && (
        <MergeDialog
          key={`merge ${key}`}
          {...common}
          open={isNeeded('merge')}
          suggestion={current.suggestion}
          onMerge={(songId) => desk.decide({ action: 'merge', songId }, onClose)}
        />
      )}
    </>
  )
}

/** Everything is decided, or put off in this visit. */
function NothingWaits({ desk }: { desk: Desk }) {
  const { waiting, showAgain } = desk
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-base text-ink-2">
        {waiting > 0 ? `You have put off what is left: ${waiting.toLocaleString()}.` : 'Nothing waits.'}
      </p>
      <Button onClick={showAgain}>{waiting > 0 ? 'Show them again' : 'Look again'}</Button>
      <LastDecision desk={desk} />
    </div>
  )
}
