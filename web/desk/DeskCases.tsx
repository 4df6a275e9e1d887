import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DeskCase } from '../../contract/desk.ts'
import type { Song } from '../../contract/shapes.ts'
import { usePlayback, usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import type { Phase } from '../playback/playbackState.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { CaseView } from './CaseView.tsx'
import { CorrectForm, MergeForm, MicrogenreForm, RejectForm } from './DeskForms.tsx'
import { DeskKeys, LastDecision } from './DeskKeys.tsx'
import { songsOfCase } from './songsOfCase.ts'
import { type Desk, keyOf, type Need } from './useDesk.ts'

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
          <LoadFailure onRetry={cases.refetch}>The cases did not load.</LoadFailure>
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

const DIALOGS = {
  reject: { title: 'Reject', width: '30rem', description: 'Whoever suggested the song reads the reason.' },
  approve: {
    title: 'New microgenre',
    width: '34rem',
    description: 'Listeners read this before the first song.',
  },
  correct: { title: 'Correct', width: '34rem' },
  merge: { title: 'Merge', width: '34rem', tall: true, description: 'Which song of the catalogue is it?' },
} satisfies Record<Need, object>

function Dialogs({ case: current, desk, isNeeded, onClose }: DialogsProps) {
  const { isPending, decide } = desk
  const { suggestion, microgenre } = current
  const values = current.song ?? suggestion
  const forms: Record<Need, ReactNode> = {
    reject: (
      <RejectForm
        isPending={isPending}
        onReject={(reason) => decide({ action: 'reject', reason }, onClose)}
      />
    ),
    approve: microgenre && (
      <MicrogenreForm
        isPending={isPending}
        found={microgenre}
        onApprove={(words) => decide({ action: 'approve', microgenre: words }, onClose)}
      />
    ),
    correct: values && (
      <CorrectForm
        isPending={isPending}
        values={values}
        onCorrect={(changes) => decide({ action: 'correct', changes }, onClose)}
      />
    ),
    merge: suggestion && (
      <MergeForm
        isPending={isPending}
        suggestion={suggestion}
        onMerge={(songId) => decide({ action: 'merge', songId }, onClose)}
      />
    ),
  }
  return (Object.keys(DIALOGS) as Need[]).map(
    (need) =>
      forms[need] && (
        <Dialog
          key={`${need} ${keyOf(current)}`}
          open={isNeeded(need)}
          onOpenChange={onClose}
          {...DIALOGS[need]}
        >
          {forms[need]}
        </Dialog>
      ),
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

/**
 * What one hears is what one decides on: the first song of the next case begins by itself once the steward has played
 * one, until a pause. Returns what plays and pauses the one that was chosen last, the first one at the beginning.
 */
function useDeskSound(songs: readonly Song[]): () => void {
  const engine = usePlaybackEngine()
  const { select, stop } = usePlayback()
  const goesOn = useRef(false)
  const [first] = songs
  const chosen = () => songs.find(({ id }) => id === engine.state().song?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another case changes what is heard
  useEffect(() => {
    const { song: current, phase } = engine.state()
    if (chosen()) return
    // Between two songs, such as at a reported person, nothing plays, but it goes on afterwards.
    if (current) goesOn.current = !HELD.has(phase)
    if (first && goesOn.current) select(first)
    else stop()
  }, [first?.id])
  return () => {
    const song = chosen() ?? first
    if (song) select(song)
  }
}

/** Paused by the steward or the browser. */
const HELD: ReadonlySet<Phase> = new Set(['pausing', 'paused', 'blocked'])
