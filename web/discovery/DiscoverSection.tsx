import { Suspense, useState } from 'react'
import { songName } from '../../contract/isolateName.ts'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { lazyComponent, lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { useAccentColor } from '../ui/useAccentColor.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import type { DiscoveryEngine } from './engine/discoveryEngine.ts'
import { latestSong } from './engine/discoveryState.ts'
import { useDiscovery } from './engine/useDiscovery.ts'
import { NotNowButton, PhoneControls, PlayerControls, UndoButton } from './player/PlayerControls.tsx'
import { PlayerView } from './player/PlayerView.tsx'
import { selectMicrogenre } from './selectMicrogenre.ts'

const CompleteView = lazyComponent(async () => (await import('./CompleteView.tsx')).CompleteView)
/** Its code includes what all dialogs need. */
export const GenrePicker = lazyDialog(async () => {
  const part = await import('./picker/GenrePicker.tsx')
  await part.preloadDialog()
  return part.GenrePicker
})
const WhyDialog = lazyDialog(async () => (await import('./player/WhyDialog.tsx')).WhyDialog)
const ShortcutsDialog = lazyDialog(async () => (await import('./player/ShortcutsDialog.tsx')).ShortcutsDialog)

/** The player: one song of one microgenre at a time. `active` while its section is on screen. */
export function DiscoverSection({ active }: { active: boolean }) {
  const { discovery, microgenres, microgenre, undo, tryAgain } = useDiscovery(active)
  const view = useDeferredStore(discovery, (state) => state.view)
  // These change only with the microgenre, because all songs of a visit are of one.
  const songColor = useDeferredStore(discovery, (state) => latestSong(state)?.color)
  const songMicrogenre = useDeferredStore(discovery, (state) => latestSong(state)?.microgenre)
  const name = microgenre?.name ?? songMicrogenre ?? null
  // isError is false during each retry, so the picker would close and open again.
  const hasFailed = microgenres.isFetched && !microgenres.data
  const hasNothing = hasFailed || (microgenres.data?.every(({ songCount }) => songCount === 0) ?? false)

  useAccentColor(songColor ?? microgenre?.color ?? null)
  useHotkeys(
    {
      u: undo,
      '?': () => openDialog('shortcuts'),
    },
    { enabled: active },
  )

  const undoButton = <UndoButton discovery={discovery} onUndo={undo} />
  return (
    <>
      {view === 'complete' ? (
        <Suspense>
          <CompleteView
            discovery={discovery}
            name={name ?? 'this microgenre'}
            onTryAgain={tryAgain}
            onExplore={() => openDialog('picker')}
          >
            {undoButton}
          </CompleteView>
        </Suspense>
      ) : (
        <PlayerView
          active={active}
          discovery={discovery}
          onTryAgain={hasFailed && !microgenres.isFetching ? tryAgain : null}
        >
          <PlayerControls
            discovery={discovery}
            microgenre={name}
            onPick={() => openDialog('picker')}
            onFeedback={() => openDialog('feedback')}
            onShortcuts={() => openDialog('shortcuts')}
            undoButton={undoButton}
          />
          <PhoneControls>
            {undoButton}
            <NotNowButton discovery={discovery} />
          </PhoneControls>
        </PlayerView>
      )}
      <Announcement discovery={discovery} />
      {active && <SongTitle discovery={discovery} />}
      <Dialogs
        active={active}
        discovery={discovery}
        current={microgenre?.id ?? null}
        mustPick={hasNothing && view === 'choosing'}
      />
    </>
  )
}

interface DialogsProps {
  active: boolean
  discovery: DiscoveryEngine
  /** The current microgenre. */
  current: string | null
  /** There is nothing to hear: the picker opens by itself, once. */
  mustPick: boolean
}

/** In its own component, so that an opening dialog does not render the player. */
function Dialogs({ active, discovery, current, mustPick }: DialogsProps) {
  // The picker also shows the dialog to suggest a song.
  const picker = useDialog('picker', 'suggest')
  const shortcuts = useDialog('shortcuts')
  const why = useDialog('why')
  const [isDismissed, setIsDismissed] = useState(false)
  return (
    <>
      <GenrePicker
        open={active && (picker.open || (mustPick && !isDismissed))}
        onOpenChange={(open) => {
          picker.onOpenChange(open)
          setIsDismissed(true)
        }}
        current={current}
        onChoose={selectMicrogenre}
      />
      <ShortcutsDialog {...shortcuts} open={active && shortcuts.open} />
      <WhyDialog {...why} open={active && why.open} discovery={discovery} />
    </>
  )
}

/** Names the song in the page title (screens-16). */
export function SongTitle({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useDeferredStore(discovery, (state) => state.song)
  usePageTitle(song ? songName(song) : 'Discover')
  return null
}

/** The screen reader's announcement after a rating. */
export function Announcement({ discovery }: { discovery: DiscoveryEngine }) {
  const announcement = useDeferredStore(discovery, (state) => state.announcement)
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}
