import { Suspense, useState } from 'react'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { canUndo } from './discoveryState.ts'
import { raiseMicrogenreSelected } from './microgenreSelected.ts'
import { PlayerView } from './PlayerView.tsx'
import { UndoButton } from './UndoButton.tsx'
import { useDiscovery } from './useDiscovery.ts'

const CompleteView = lazyPart(async () => (await import('./CompleteView.tsx')).CompleteView)
const GenrePicker = lazyPart(async () => (await import('./GenrePicker.tsx')).GenrePicker)
const ShortcutsDialog = lazyPart(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)
const FeedbackDialog = lazyPart(async () => (await import('../feedback/FeedbackDialog.tsx')).FeedbackDialog)

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

  const wasOpened = useWasOpened(shown)

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
      <Suspense>
        {wasOpened('picker') && (
          <GenrePicker
            open={shown === 'picker'}
            onOpenChange={openChange}
            current={state.microgenreId}
            onChoose={(id) => {
              setDialog(null)
              raiseMicrogenreSelected(id)
            }}
          />
        )}
        {wasOpened('feedback') && <FeedbackDialog open={shown === 'feedback'} onOpenChange={openChange} />}
        {wasOpened('shortcuts') && <ShortcutsDialog open={shown === 'shortcuts'} onOpenChange={openChange} />}
      </Suspense>
    </>
  )
}

/** A dialog's code is fetched when it first opens; from then on it stays, to close in its own way. */
function useWasOpened(shown: DialogName | null) {
  const [opened, setOpened] = useState<ReadonlySet<DialogName>>(new Set())
  if (shown && !opened.has(shown)) setOpened(new Set(opened).add(shown))
  return (name: DialogName) => opened.has(name)
}
