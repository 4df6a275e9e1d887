import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { X } from '../../ui/icons.tsx'
import { formatFigures, formatNeighbours, nearestNeighbours } from './formatMicrogenre.ts'
import { GenreActions, type MicrogenrePlayback } from './GenreActions.tsx'
import { MapLight, MicrogenreMap, mapRegionClasses } from './MicrogenreMap.tsx'

interface MapViewProps {
  /** Undefined while they load. */
  microgenres: readonly MappedMicrogenre[] | undefined
  current: string | null
  playback: MicrogenrePlayback
}

/** The map, and what is selected on it (discover-86). */
export function MapView({ microgenres, current, playback }: MapViewProps) {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const selected = microgenres?.find(({ id }) => id === selectedId)
  const neighbours = microgenres && selected ? nearestNeighbours(microgenres, selected) : []
  const view = useRef<HTMLDivElement>(null)

  function select(id: string | null) {
    flushSync(() => setSelectedId(id))
    // The panel shrinks the map, so the dot scrolls into view, then the panel.
    for (const part of view.current?.querySelectorAll('[aria-expanded=true], section') ?? [])
      part.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  function close() {
    // Otherwise the focus would be lost with the panel.
    view.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus({ preventScroll: true })
    setSelectedId(null)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in addition to the button
    <div
      ref={view}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      className="flex flex-1 flex-col gap-3 railed:grid railed:grid-cols-[minmax(0,1fr)_var(--dock-w)] railed:gap-6 low:grid low:grid-cols-[minmax(0,1fr)_17rem] low:gap-4 low:framed:flex low:framed:pe-[calc(var(--beside)-1rem)]"
    >
      {microgenres ? (
        <MicrogenreMap
          microgenres={microgenres}
          current={current}
          selected={selected?.id ?? null}
          onSelect={select}
        />
      ) : (
        <p role="status" className={`${mapRegionClasses} place-items-center text-ink-2`}>
          Loading microgenres...
        </p>
      )}
      {/* Never on the map: beside it on a large screen, as high as the docked video leaves it, else below it. */}
      <div className="relative min-w-0 flex-none">
        <div className="flex flex-col gap-2 railed:gap-4 railed:framed:absolute railed:framed:inset-x-0 railed:framed:top-0 railed:framed:bottom-[calc(var(--size-video-least)+1.5rem-var(--bar-h))] railed:framed:overflow-y-auto">
          <MapLegend hasCurrent={microgenres?.some(({ id }) => id === current) ?? false} />
          {selected ? (
            <GenrePanel microgenre={selected} neighbours={neighbours} playback={playback} onClose={close} />
          ) : (
            <p className="text-xs text-ink-2 railed:border-t railed:border-line railed:pt-4 railed:text-sm">
              Press a microgenre to see what it is and to hear a song.
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

function MapLegend({ hasCurrent }: { hasCurrent: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2 wide:gap-x-4">
      <span className="inline-flex items-center gap-1.5">
        <MapLight state="bangers" /> bangers
      </span>
      <span className="inline-flex items-center gap-1.5">
        <MapLight state="rated" /> rated
      </span>
      <span className="inline-flex items-center gap-1.5">
        <MapLight state="unheard" /> not heard yet
      </span>
      {hasCurrent && <span className="underline decoration-2 underline-offset-3">on Discover</span>}
    </p>
  )
}

interface GenrePanelProps {
  microgenre: MappedMicrogenre
  neighbours: readonly MappedMicrogenre[]
  playback: MicrogenrePlayback
  onClose: () => void
}

/** The selected microgenre, beside the map or below it (discover-86). */
function GenrePanel({ microgenre, neighbours, playback, onClose }: GenrePanelProps) {
  const { name, description, color } = microgenre
  return (
    <section
      aria-labelledby="selected-microgenre"
      data-genre=""
      style={{ '--genre': color }}
      className="grid scroll-mb-[calc(var(--bar-h)+1rem)] grid-cols-[minmax(0,1fr)] gap-2 border-t border-line wrap-anywhere railed:gap-3 railed:pt-2"
    >
      <div className="flex items-start gap-2">
        <h2 id="selected-microgenre" dir="auto" className="min-w-0 flex-1 pt-2 text-left text-accent">
          {name}
        </h2>
        <IconButton label="Close" className="-mr-2 flex-none" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <p className="font-semibold tabular-nums">{formatFigures(microgenre)}</p>
      {/* Above the text, where a bar that appears does not cover it. */}
      <GenreActions microgenre={microgenre} playback={playback} />
      <p className="text-xs text-ink-2 railed:text-sm">{description}</p>
      {neighbours.length > 0 && (
        <p className="text-xs text-ink-2 railed:text-sm">{formatNeighbours(neighbours)}</p>
      )}
    </section>
  )
}
