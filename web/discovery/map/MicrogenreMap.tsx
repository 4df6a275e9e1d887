import { type KeyboardEvent, type Ref, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { formatFigures } from './formatMicrogenre.ts'
import { layOutSheet, type Sheet, type SheetSpot } from './layOutSheet.ts'
import { nearestInDirection } from './neighbours.ts'

interface MicrogenreMapProps {
  microgenres: readonly MappedMicrogenre[]
  /** Ids: the microgenre of Discover, and the one whose panel is open. */
  current: string | null
  selected: string | null
  /** The nearest neighbours of the selected one; lines lead to them. */
  neighbours: readonly MappedMicrogenre[]
  onSelect: (id: string | null) => void
}

/**
 * The map at one readable scale; it scrolls where it is larger than its region (discover-85). Tab reaches one dot, and
 * the arrow keys lead from dot to dot.
 */
export function MicrogenreMap({ microgenres, current, selected, neighbours, onSelect }: MicrogenreMapProps) {
  const sheet = useMemo(
    () => layOutSheet(microgenres, measureNames(microgenres.map(({ name }) => name))),
    [microgenres],
  )
  const spots = useMemo(
    () =>
      microgenres.flatMap((microgenre, i) => {
        const spot = sheet.spots[i]
        return spot ? [{ ...spot, microgenre }] : []
      }),
    [microgenres, sheet],
  )
  const region = useRef<HTMLDivElement>(null)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  const [reachedId, setReachedId] = useState<string | null>(null)

  // It begins at the current microgenre, or in the middle. Once: a listener who scrolled stays there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const start = spots.find(({ microgenre }) => microgenre.id === current) ?? {
      x: sheet.width / 2,
      y: sheet.height / 2,
    }
    const area = region.current
    area?.scrollTo(start.x - area.clientWidth / 2, start.y - area.clientHeight / 2)
  }, [])

  // The panel may take the place of what was pressed: the map scrolls it into sight.
  useLayoutEffect(() => {
    if (selected) buttons.current.get(selected)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected])

  function moveFocus(event: KeyboardEvent) {
    const from = spots.find(({ microgenre }) => buttons.current.get(microgenre.id) === event.target)
    const next = from && nearestInDirection(spots, from, event.key)
    if (!from || !event.key.startsWith('Arrow')) return
    event.preventDefault()
    buttons.current.get(next?.microgenre.id ?? '')?.focus()
  }

  const spotOf = (id: string | null) => spots.find(({ microgenre }) => microgenre.id === id)
  const tabStop = [reachedId, selected, current].find((id) => spotOf(id))
  return (
    <div ref={region} className="map-region">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form */}
      <div
        role="group"
        aria-label="Map of microgenres"
        onKeyDown={moveFocus}
        className="map-sheet"
        style={{ width: sheet.width, height: sheet.height }}
      >
        <Lines from={spotOf(selected)} to={neighbours.map(({ id }) => spotOf(id))} sheet={sheet} />
        {spots.map(({ microgenre, ...spot }, i) => (
          <MapDot
            key={microgenre.id}
            ref={(button) => {
              if (button) buttons.current.set(microgenre.id, button)
              return () => void buttons.current.delete(microgenre.id)
            }}
            microgenre={microgenre}
            spot={spot}
            isCurrent={microgenre.id === current}
            isSelected={microgenre.id === selected}
            isTabStop={tabStop ? microgenre.id === tabStop : i === 0}
            onFocus={() => setReachedId(microgenre.id)}
            onPress={() => onSelect(microgenre.id === selected ? null : microgenre.id)}
          />
        ))}
      </div>
    </div>
  )
}

interface LinesProps {
  from: SheetSpot | undefined
  to: readonly (SheetSpot | undefined)[]
  sheet: Sheet
}

/** Hairlines from the selected microgenre to its nearest neighbours. */
function Lines({ from, to, sheet: { width, height } }: LinesProps) {
  if (!from) return null
  const path = to.map((spot) => spot && `M${from.x} ${from.y}L${spot.x} ${spot.y}`).join('')
  return (
    <svg aria-hidden="true" width={width} height={height} className="map-lines">
      <path d={path} />
    </svg>
  )
}

/** The widths of names on the map, in pixels, in the font of `.map-name` at its boldest. */
function measureNames(names: readonly string[]): number[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return names.map((name) => name.length * FALLBACK_LETTER_WIDTH)
  context.font = `650 13px ${getComputedStyle(document.body).fontFamily}`
  // A pixel on either side for what rounding takes.
  return names.map((name) => Math.ceil(context.measureText(name).width) + 2)
}

/** Pixels of a letter where nothing can be measured. */
const FALLBACK_LETTER_WIDTH = 8

interface MapDotProps {
  ref: Ref<HTMLButtonElement>
  microgenre: MappedMicrogenre
  spot: SheetSpot
  isCurrent: boolean
  isSelected: boolean
  /** Whether Tab reaches it. */
  isTabStop: boolean
  onFocus: () => void
  onPress: () => void
}

/** A microgenre on the map: the more bangers, the larger it glows; rated is lit, unheard is dim (discover-84). */
function MapDot({ ref, microgenre, spot, isCurrent, isSelected, isTabStop, onFocus, onPress }: MapDotProps) {
  const { name, color, bangers, ratings } = microgenre
  return (
    <button
      ref={ref}
      type="button"
      data-genre=""
      data-lit={bangers > 0 ? 'bangers' : ratings > 0 ? 'rated' : undefined}
      aria-label={`${name}, ${formatFigures(microgenre)}`}
      aria-current={isCurrent || undefined}
      aria-expanded={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={onPress}
      className="map-dot"
      style={{ '--genre': color, '--bangers': bangers, left: spot.x, top: spot.y }}
    >
      <span className="map-light" />
      <span dir="auto" className={spot.name ? 'map-name' : 'map-name map-name-later'} style={spot.name ?? {}}>
        {name}
      </span>
    </button>
  )
}
