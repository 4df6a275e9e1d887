import { useLayoutEffect, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { X } from '../../ui/icons.tsx'
import { formatFigures, formatNeighbours } from './formatMicrogenre.ts'
import { GenreActions } from './GenreActions.tsx'
import { MicrogenreMap } from './MicrogenreMap.tsx'
import { nearestNeighbours } from './neighbours.ts'
import type { useMicrogenrePlayback } from './useMicrogenrePlayback.ts'

interface MapViewProps {
  /** Undefined until they are there. */
  microgenres: readonly MappedMicrogenre[] | undefined
  current: string | null
  playback: ReturnType<typeof useMicrogenrePlayback>
}

/** The map, and what is selected on it (discover-86). */
export function MapView({ microgenres, current, playback }: MapViewProps) {
  const [selectedId, select] = useState<string | null>(null)
  const selected = microgenres?.find(({ id }) => id === selectedId)
  const neighbours = microgenres && selected ? nearestNeighbours(microgenres, selected) : []
  const view = useRef<HTMLDivElement>(null)

  function close() {
    // The panel may have the focus.
    view.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus({ preventScroll: true })
    select(null)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in addition to the button
    <div ref={view} className="map-view" onKeyDown={({ key }) => key === 'Escape' && close()}>
      {microgenres ? (
        <MicrogenreMap
          microgenres={microgenres}
          current={current}
          selected={selected?.id ?? null}
          neighbours={neighbours}
          onSelect={select}
        />
      ) : (
        <p role="status" className="map-region place-items-center text-ink-2">
          Loading microgenres...
        </p>
      )}
      <div className="map-side">
        <MapLegend hasCurrent={microgenres?.some(({ id }) => id === current) ?? false} />
        {selected ? (
          <GenrePanel microgenre={selected} neighbours={neighbours} playback={playback} onClose={close} />
        ) : (
          <p className="map-hint">Press a microgenre to see what it is and to hear a song.</p>
        )}
      </div>
    </div>
  )
}

/** What the dots of the map mean. */
function MapLegend({ hasCurrent }: { hasCurrent: boolean }) {
  return (
    <p className="map-legend">
      <span className="map-legend-part">
        <span className="map-light" data-lit="bangers" /> bangers
      </span>
      <span className="map-legend-part">
        <span className="map-light" data-lit="rated" /> rated
      </span>
      <span className="map-legend-part">
        <span className="map-light" /> not heard yet
      </span>
      {hasCurrent && <span className="map-legend-current">on Discover</span>}
    </p>
  )
}

interface GenrePanelProps {
  microgenre: MappedMicrogenre
  /** Its nearest neighbours. */
  neighbours: readonly MappedMicrogenre[]
  playback: ReturnType<typeof useMicrogenrePlayback>
  onClose: () => void
}

/** The selected microgenre, beside the map or at its foot (discover-86). */
function GenrePanel({ microgenre, neighbours, playback, onClose }: GenrePanelProps) {
  const { id, name, description, color } = microgenre
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each selection shows the panel
  useLayoutEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <section
      ref={panel}
      aria-labelledby="selected-microgenre"
      data-genre=""
      style={{ '--genre': color }}
      className="map-panel"
    >
      <div className="flex items-start gap-2">
        <h2 id="selected-microgenre" dir="auto" className="min-w-0 flex-1 pt-2 text-left text-accent">
          {name}
        </h2>
        <IconButton label="Close" className="map-close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <p className="font-semibold tabular-nums">{formatFigures(microgenre)}</p>
      {/* Before the words, so that a bar that comes does not cover it. */}
      <GenreActions microgenre={microgenre} playback={playback} />
      <p className="map-panel-words">{description}</p>
      {neighbours.length > 0 && <p className="map-panel-words">{formatNeighbours(neighbours)}</p>}
    </section>
  )
}
