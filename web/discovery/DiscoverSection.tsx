import { Suspense, useState } from 'react'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { canUndo } from './discoveryState.ts'
import { raiseMicrogenreSelected } from './microgenreSelected.ts'
import { PlayerView } from './PlayerView.tsx'
import { UndoButton } from './UndoButton.tsx'
import { useDiscovery } from './useDiscovery.ts'

const CompleteView = lazyPart(async () => (await import('./CompleteView.tsx')).CompleteView)
const GenrePicker = lazyDialog(async () => (await import('./GenrePicker.tsx')).GenrePicker)
const ShortcutsDialog = lazyDialog(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)
const FeedbackDialog = lazyDialog(async () => (await import('../feedback/FeedbackDialog.tsx')).FeedbackDialog)

type DialogName = 'picker' | 'feedback' | 'shortcuts'

/**
 * The player: one song of one microgenre at a time. `active` while it is the section on screen; `onSelected`
 * when a microgenre was chosen somewhere on the page (discover-4).
 */
export function DiscoverSection({ active, onSelected }: { active: boolean; onSelected: () => void }) {
  const discovery = useDiscovery(onSelected)
  const { state, microgenres, microgenre, rate, undo } = discovery
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [dismissed, setDismissed] = useState(false)
  // Not isError, which ends with every new attempt: the picker would close on it and open again.
  const hasFailed = microgenres.isFetched && !microgenres.data
  const hasNothing = hasFailed || microgenres.data?.every(({ songCount }) => songCount === 0)
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
    if (open) return
    setDialog(null)
    setDismissed(true)
  }

  const undoButton = <UndoButton available={canUndo(state)} onUndo={undo} />
  return (
    <>
      {state.view === 'complete' ? (
        <Suspense>
          <CompleteView
            microgenreId={state.microgenreId}
            name={microgenre?.name ?? state.rated[0]?.song.microgenre ?? 'this microgenre'}
            rated={state.rated}
            failed={state.fetchFailed}
            onTryAgain={discovery.tryAgain}
            onExplore={() => setDialog('picker')}
            onRestarted={discovery.restart}
          >
            {undoButton}
          </CompleteView>
        </Suspense>
      ) : (
        <PlayerView
          active={active}
          state={state}
          microgenre={microgenre?.name ?? state.song?.microgenre ?? null}
          onTryAgain={hasFailed && !microgenres.isFetching ? discovery.tryAgain : null}
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
