import { useState } from 'react'
import { FeedbackDialog } from '../feedback/FeedbackDialog.tsx'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { CompleteView } from './CompleteView.tsx'
import { canUndo } from './discoveryState.ts'
import { GenrePicker } from './GenrePicker.tsx'
import { raiseMicrogenreSelected } from './microgenreSelected.ts'
import { PlayerView } from './PlayerView.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { UndoButton } from './UndoButton.tsx'
import { useDiscovery } from './useDiscovery.ts'

type OpenDialog = 'picker' | 'feedback' | 'shortcuts' | null

/** The player: one song of one microgenre at a time. `active` while it is the section on screen. */
export function DiscoverSection({ active }: { active: boolean }) {
  const discovery = useDiscovery()
  const { state, microgenres, microgenre, rate, undo } = discovery
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const [dismissed, setDismissed] = useState(false)
  const hasNothing = microgenres.isError || microgenres.data?.every(({ songCount }) => songCount === 0)
  const shown = dialog ?? (active && hasNothing && state.view === 'choosing' && !dismissed ? 'picker' : null)

  const bust = () => rate('bust')
  const banger = () => rate('banger')
  useRoomColor(state.song?.color ?? microgenre?.color ?? null)
  useHotkeys(
    {
      ArrowLeft: bust,
      ArrowRight: banger,
      u: undo,
      '?': () => setDialog('shortcuts'),
    },
    { enabled: active },
  )

  function openChange(open: boolean) {
    if (!open) setDialog(null)
    if (!open) setDismissed(true)
  }

  const undoButton = <UndoButton available={canUndo(state)} onUndo={undo} />
  return (
    <>
      {state.view === 'complete' ? (
        <CompleteView
          microgenreId={state.microgenreId}
          name={microgenre?.name ?? state.rated[0]?.song.microgenre ?? 'this microgenre'}
          rated={state.rated}
          onExplore={() => setDialog('picker')}
          onRestarted={discovery.restart}
        >
          {undoButton}
        </CompleteView>
      ) : (
        <PlayerView
          active={active}
          state={state}
          microgenre={microgenre?.name ?? state.song?.microgenre ?? null}
          onRate={rate}
          onPick={() => setDialog('picker')}
          onFeedback={() => setDialog('feedback')}
          onShortcuts={() => setDialog('shortcuts')}
          undoButton={undoButton}
        />
      )}
      <p role="status" className="sr-only">
        {state.announcement}
      </p>
      <GenrePicker
        open={shown === 'picker'}
        onOpenChange={openChange}
        current={state.microgenreId}
        onChoose={(id) => {
          setDialog(null)
          raiseMicrogenreSelected(id)
        }}
      />
      <FeedbackDialog open={shown === 'feedback'} onOpenChange={openChange} />
      <ShortcutsDialog open={shown === 'shortcuts'} onOpenChange={openChange} />
    </>
  )
}
