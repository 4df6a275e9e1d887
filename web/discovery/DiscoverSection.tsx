import { Suspense, useState } from 'react'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { useStore } from '../ui/store.ts'
import { useHotkeys } from '../ui/useHotkeys.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { latestSong } from './discoveryState.ts'
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
 * The player: one song of one microgenre at a time. `active` while its section is on screen; `onSelected` is called
 * when a microgenre is chosen anywhere on the page (discover-4).
 */
export function DiscoverSection({ active, onSelected }: { active: boolean; onSelected: () => void }) {
  const { discovery, microgenres, microgenre, undo, tryAgain } = useDiscovery(onSelected)
  const view = useStore(discovery, (state) => state.view)
  // All songs of a visit belong to one microgenre, so these change only with the microgenre.
  const songColor = useStore(discovery, (state) => latestSong(state)?.color)
  const songMicrogenre = useStore(discovery, (state) => latestSong(state)?.microgenre)
  const name = microgenre?.name ?? songMicrogenre ?? null
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [dismissed, setDismissed] = useState(false)
  // Not isError, which is false during each retry: the picker would close and open again.
  const hasFailed = microgenres.isFetched && !microgenres.data
  const hasNothing = hasFailed || microgenres.data?.every(({ songCount }) => songCount === 0)
  const shown = dialog ?? (active && hasNothing && view === 'choosing' && !dismissed ? 'picker' : null)

  useRoomColor(songColor ?? microgenre?.color ?? null)
  useHotkeys(
    {
      ArrowLeft: () => discovery.rate('bust'),
      ArrowRight: () => discovery.rate('banger'),
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

  const undoButton = <UndoButton discovery={discovery} onUndo={undo} />
  return (
    <>
      {view === 'complete' ? (
        <Suspense>
          <CompleteView
            discovery={discovery}
            name={name ?? 'this microgenre'}
            onTryAgain={tryAgain}
            onExplore={() => setDialog('picker')}
          >
            {undoButton}
          </CompleteView>
        </Suspense>
      ) : (
        <PlayerView
          active={active}
          discovery={discovery}
          microgenre={name}
          onTryAgain={hasFailed && !microgenres.isFetching ? tryAgain : null}
          onPick={() => setDialog('picker')}
          onFeedback={() => setDialog('feedback')}
          onShortcuts={() => setDialog('shortcuts')}
          undoButton={undoButton}
        />
      )}
      <Announcement discovery={discovery} />
      <GenrePicker
        open={shown === 'picker'}
        onOpenChange={openChange}
        current={microgenre?.id ?? null}
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

/** The screen reader's announcement after a rating. */
function Announcement({ discovery }: { discovery: DiscoveryEngine }) {
  const announcement = useStore(discovery, (state) => state.announcement)
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}
