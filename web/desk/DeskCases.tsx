import { useEffect, useRef, useState } from 'react'
import { ACTIONS_BY_SUBJECT, type DeskCase } from '../../contract/desk.ts'
import type { Song } from '../../contract/shapes.ts'
import { usePlayback, usePlaybackEngine } from '../playback/PlaybackProvider.tsx'
import type { Phase } from '../playback/playbackState.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Undo2 } from '../ui/icons.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { CaseView } from './CaseView.tsx'
import { DeskDialog } from './DeskDialog.tsx'
import { caseKinds } from './deskLabels.ts'
import { caseKey, type Desk, type DialogKind } from './useDesk.ts'

/** The current case with its keys, or that nothing waits (desk-23). */
export function DeskCases({ desk }: { desk: Desk }) {
  const { cases, current, songs } = desk
  /** It closes when another case becomes the current one. */
  const [openDialog, setOpenDialog] = useState<{ kind: DialogKind; key: string } | null>(null)
  const togglePlayback = useDeskPlayback(songs)
  return (
    <>
      {cases.isError && (
        <div className="mb-4">
          <LoadFailure onRetry={cases.refetch}>The cases did not load.</LoadFailure>
        </div>
      )}
      {current ? (
        // What one reads, then what one decides; on a large screen beside each other, the keys above the video.
        <div className="flex flex-col gap-x-10 gap-y-4 railed:grid railed:[grid-template:auto_minmax(0,1fr)/minmax(0,1fr)_var(--dock-w)]">
          <CaseView key={caseKey(current)} deskCase={current} desk={desk} onToggle={togglePlayback} />
          <DeskKeys
            deskCase={current}
            desk={desk}
            onOpenDialog={(kind) => setOpenDialog({ kind, key: caseKey(current) })}
            onToggle={togglePlayback}
          />
        </div>
      ) : (
        cases.data && <EmptyDesk desk={desk} />
      )}
      {cases.isPending && (
        <p role="status" className="text-ink-2">
          Loading the cases...
        </p>
      )}
      {current && openDialog?.key === caseKey(current) && (
        <DeskDialog
          kind={openDialog.kind}
          deskCase={current}
          desk={desk}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </>
  )
}

/** Every case is decided, or deferred in this visit. */
function EmptyDesk({ desk }: { desk: Desk }) {
  const { waiting, restart } = desk
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-base text-ink-2">
        {waiting > 0 ? `You have put off what is left: ${waiting.toLocaleString()}.` : 'Nothing waits.'}
      </p>
      <Button onClick={restart}>{waiting > 0 ? 'Show them again' : 'Look again'}</Button>
      <LastDecision desk={desk} />
    </div>
  )
}

/**
 * Plays the first song of each new case, once the steward has played one and until they pause. Returns a function that
 * plays or pauses the selected song, at first the first one.
 */
function useDeskPlayback(songs: readonly Song[]): () => void {
  const engine = usePlaybackEngine()
  const { select, stop } = usePlayback()
  const shouldAutoplay = useRef(false)
  const [first] = songs
  const findSelected = () => songs.find(({ id }) => id === engine.getState().song?.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another case changes what plays
  useEffect(() => {
    const { song: current, phase } = engine.getState()
    if (findSelected()) return
    // A case without songs, such as a reported person, does not end the autoplay.
    if (current) shouldAutoplay.current = !PAUSED_PHASES.has(phase)
    if (first && shouldAutoplay.current) select(first)
    else stop()
  }, [first?.id])
  return () => {
    const song = findSelected() ?? first
    if (song) select(song)
  }
}

/** Paused by the steward or the browser. */
const PAUSED_PHASES: ReadonlySet<Phase> = new Set(['pausing', 'paused', 'blocked'])

interface DeskKeysProps {
  deskCase: DeskCase
  desk: Desk
  onOpenDialog: (kind: DialogKind) => void
  onToggle: () => void
}

/** The decisions, by keys like those of the player: → keeps, ← does not (desk-23). */
function DeskKeys({ deskCase: { subject, suggestion }, desk, onOpenDialog, onToggle }: DeskKeysProps) {
  const { left, right } = caseKinds[subject]
  const actions: readonly string[] = ACTIONS_BY_SUBJECT[subject]
  const { isPending, decide, deferCase, approveAll } = desk
  const suggester = suggestion?.suggester
  // Only a suggester reads a reason.
  const chooseLeft = () => (suggestion ? onOpenDialog('reject') : decide({ action: left.action }))
  const chooseRight = () =>
    subject === 'microgenre' ? onOpenDialog('approve') : decide({ action: right.action })
  const correct = actions.includes('correct') ? () => onOpenDialog('correct') : undefined
  const merge = actions.includes('merge') ? () => onOpenDialog('merge') : undefined
  const noop = () => {}
  useHotkeys({
    ArrowLeft: chooseLeft,
    ArrowRight: chooseRight,
    ' ': onToggle,
    c: correct ?? noop,
    m: merge ?? noop,
    s: deferCase,
  })
  const ariaDisabled = isPending || undefined
  return (
    <>
      <div className="sticky bottom-(--below) z-1 grid tiny:static grid-cols-2 gap-3 bg-paper py-2 railed:static railed:py-0">
        <Button size="big" aria-keyshortcuts="ArrowLeft" aria-disabled={ariaDisabled} onClick={chooseLeft}>
          <Kbd isHint>←</Kbd>
          {left.name}
        </Button>
        <Button
          variant="main"
          size="big"
          aria-keyshortcuts="ArrowRight"
          aria-disabled={ariaDisabled}
          onClick={chooseRight}
        >
          {right.name}
          <Kbd isHint>→</Kbd>
        </Button>
      </div>
      <div className="grid content-start gap-3">
        <div className="flex flex-wrap gap-2">
          {correct && <SecondaryAction name="Correct" shortcut="C" onClick={correct} />}
          {merge && <SecondaryAction name="Merge" shortcut="M" onClick={merge} />}
          <SecondaryAction name="Not now" shortcut="S" onClick={deferCase} />
        </div>
        {suggester?.isTrusted && suggester.waiting > 1 && (
          <Button aria-disabled={ariaDisabled} onClick={() => approveAll(suggester.id)}>
            <span className="whitespace-normal wrap-anywhere">
              {`Approve all ${suggester.waiting} of ${suggester.name ?? 'this listener'}`}
            </span>
          </Button>
        )}
        <LastDecision desk={desk} />
      </div>
    </>
  )
}

function SecondaryAction({
  name,
  shortcut,
  onClick,
}: {
  name: string
  shortcut: string
  onClick: () => void
}) {
  return (
    <Button size="tight" aria-keyshortcuts={shortcut} onClick={onClick}>
      {name}
      <Kbd isHint>{shortcut}</Kbd>
    </Button>
  )
}

/** The last decision of this visit, with its undo. */
function LastDecision({ desk: { lastDecision, isPending, undoLast } }: { desk: Desk }) {
  useHotkeys({ u: undoLast })
  return (
    <div className="flex min-h-(--size-touch) flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="min-w-36 flex-1 text-xs wrap-anywhere text-ink-2">
        {isPending ? 'Sending...' : lastDecision?.summary}
      </p>
      {lastDecision && (
        <Button size="tight" aria-keyshortcuts="U" pending={isPending} onClick={undoLast}>
          <Undo2 />
          Undo
          <Kbd isHint>U</Kbd>
        </Button>
      )}
    </div>
  )
}
