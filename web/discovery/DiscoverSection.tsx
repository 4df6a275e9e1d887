import { Suspense, useState } from 'react'
import { songName } from '../../contract/isolateName.ts'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Undo2 } from '../ui/icons.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import * as media from '../ui/media.ts'
import { lazyComponent, lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { useAccentColor } from '../ui/useAccentColor.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import type { DiscoveryEngine } from './engine/discoveryEngine.ts'
import { canUndo, latestSong } from './engine/discoveryState.ts'
import { useDiscovery } from './engine/useDiscovery.ts'
import { PlayerView } from './player/PlayerView.tsx'
import { RevealLine } from './player/Reveal.tsx'
import { selectMicrogenre } from './selectMicrogenre.ts'

const CompleteView = lazyComponent(async () => (await import('./CompleteView.tsx')).CompleteView)
/** Its code includes that of all dialogs. */
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
  // All songs of a visit belong to one microgenre, so these change only with the microgenre.
  const songColor = useDeferredStore(discovery, (state) => latestSong(state)?.color)
  const songMicrogenre = useDeferredStore(discovery, (state) => latestSong(state)?.microgenre)
  const name = microgenre?.name ?? songMicrogenre ?? null
  // Not isError, which is false during each retry: the picker would close and open again.
  const hasFailed = microgenres.isFetched && !microgenres.data
  const hasNothing = hasFailed || (microgenres.data?.every(({ songCount }) => songCount === 0) ?? false)

  // These scroll.
  const isTiny = useMediaQuery(media.tiny)

  useAccentColor(songColor ?? microgenre?.color ?? null)
  useHotkeys(
    {
      ArrowLeft: () => discovery.rate('bust'),
      ArrowRight: () => discovery.rate('banger'),
      ...(view === 'complete' || isTiny ? {} : { ArrowDown: discovery.deferSong }),
      s: discovery.deferSong,
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
          microgenre={name}
          onTryAgain={hasFailed && !microgenres.isFetching ? tryAgain : null}
          onPick={() => openDialog('picker')}
          onFeedback={() => openDialog('feedback')}
          onShortcuts={() => openDialog('shortcuts')}
          undoButton={undoButton}
        />
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
  /** There is nothing to hear: the picker opens by itself, until it was closed. */
  mustPick: boolean
}

/** A component of its own, so that a dialog that opens does not render the player again. */
function Dialogs({ active, discovery, current, mustPick }: DialogsProps) {
  // The picker's code has the dialog to suggest a song, too.
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

/** The title of the tab names the song (screens-16). */
function SongTitle({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useDeferredStore(discovery, (state) => state.song)
  usePageTitle(song ? songName(song) : 'Discover')
  return null
}

/** The screen reader's announcement after a rating. */
function Announcement({ discovery }: { discovery: DiscoveryEngine }) {
  const announcement = useDeferredStore(discovery, (state) => state.announcement)
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}

/** Undoes the last rating, for ten seconds. Its space stays when it disappears, so that nothing moves. */
function UndoButton({ discovery, onUndo }: { discovery: DiscoveryEngine; onUndo: () => void }) {
  const isAvailable = useDeferredStore(discovery, canUndo)
  return (
    <span className="undo relative flex-none">
      <RevealLine discovery={discovery} />
      <Button
        variant="bare"
        size="tight"
        aria-label="Undo"
        aria-keyshortcuts="U"
        className={`min-w-(--size-touch) phone:px-2 ${isAvailable ? '' : 'invisible'}`}
        onClick={onUndo}
      >
        <Undo2 />
        <span className="max-[24.3125rem]:hidden max-wide:landscape:hidden">Undo</span>
        <span aria-hidden="true" className="max-[90rem]:hidden">
          <Kbd>U</Kbd>
        </span>
      </Button>
    </span>
  )
}
