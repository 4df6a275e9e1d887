import { useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/map.ts'
import { GenrePanel } from './GenrePanel.tsx'
import { MapLegend } from './MapLegend.tsx'
import { MicrogenreMap } from './MicrogenreMap.tsx'
import { nearestTo } from './neighbours.ts'
import type { useHearSong } from './useHearSong.ts'

interface MapViewProps {
  /** Undefined until they are there. */
  microgenres: readonly MappedMicrogenre[] | undefined
  current: string | null
  hearing: ReturnType<typeof useHearSong>
}

/** The map, and what is selected on it (discover-86). */
export function MapView({ microgenres, current, hearing }: MapViewProps) {
  const [selectedId, select] = useState<string | null>(null)
  const selected = microgenres?.find(({ id }) => id === selectedId)
  const near = microgenres && selected ? nearestTo(microgenres, selected) : []
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
          near={near}
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
          <GenrePanel microgenre={selected} near={near} hearing={hearing} onClose={close} />
        ) : (
          <p className="map-hint">Press a microgenre to see what it is and to hear a song.</p>
        )}
      </div>
    </div>
  )
}
