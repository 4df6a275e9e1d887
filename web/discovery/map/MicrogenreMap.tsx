import { type KeyboardEvent, type Ref, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { formatFigures } from './formatMicrogenre.ts'
import { layOutSheet, nearestInDirection, type Sheet, type SheetSpot } from './mapGeometry.ts'

interface MicrogenreMapProps {
  microgenres: readonly MappedMicrogenre[]
  /** Ids of the microgenre on Discover and of the one whose panel is open. */
  current: string | null
  selected: string | null
  /** Of the selected one; lines lead to them. */
  neighbours: readonly MappedMicrogenre[]
  onSelect: (id: string | null) => void
}

/** The map scrolls in its region (discover-85). Tab reaches one dot, and the arrow keys lead from dot to dot. */
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

  // Scrolls to the current microgenre, or to the middle; later the listener scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const start = spots.find(({ microgenre }) => microgenre.id === current) ?? {
      x: sheet.width / 2,
      y: sheet.height / 2,
    }
    const area = region.current
    area?.scrollTo(start.x - area.clientWidth / 2, start.y - area.clientHeight / 2)
  }, [])

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
    <div ref={region} className={mapRegionClasses}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form */}
      <div
        role="group"
        aria-label="Map of microgenres"
        onKeyDown={moveFocus}
        className="relative isolate m-auto"
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

function Lines({ from, to, sheet: { width, height } }: LinesProps) {
  if (!from) return null
  const path = to.map((spot) => spot && `M${from.x} ${from.y}L${spot.x} ${spot.y}`).join('')
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      className="pointer-events-none absolute inset-0 stroke-line-strong"
    >
      <path d={path} />
    </svg>
  )
}

/** The widths of names on the map, in pixels, at the boldest weight. */
function measureNames(names: readonly string[]): number[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return names.map((name) => name.length * FALLBACK_LETTER_WIDTH)
  context.font = `650 13px ${getComputedStyle(document.body).fontFamily}`
  // A pixel on either side for rounding.
  return names.map((name) => Math.ceil(context.measureText(name).width) + 2)
}

/** Pixels of a letter where the browser has no canvas. */
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

/** Its light shows bangers, ratings or neither (discover-84). A name without room shows at hover, focus or selection. */
function MapDot({ ref, microgenre, spot, isCurrent, isSelected, isTabStop, onFocus, onPress }: MapDotProps) {
  const { name, color, bangers, ratings } = microgenre
  const state = bangers > 0 ? 'bangers' : ratings > 0 ? 'rated' : 'unheard'
  const place = spot.name
    ? 'z-1 m-[22px]'
    : `top-full left-1/2 z-2 -translate-x-1/2 rounded-control bg-raised px-2 py-1 [:is(:hover,:focus-visible)>&]:visible ${isSelected ? '' : 'invisible'}`
  return (
    <button
      ref={ref}
      type="button"
      data-genre=""
      aria-label={`${name}, ${formatFigures(microgenre)}`}
      aria-current={isCurrent || undefined}
      aria-expanded={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={onPress}
      // A circle that a finger can hit. It has no stacking context, so that all names lie above all circles.
      className="absolute -m-5.5 grid size-(--size-touch) place-items-center rounded-full focus-visible:-outline-offset-2"
      style={{ '--genre': color, '--bangers': bangers, left: spot.x, top: spot.y }}
    >
      <MapLight state={state} isSelected={isSelected} />
      <span
        dir="auto"
        className={`absolute text-[13px]/[18px] whitespace-nowrap decoration-2 underline-offset-3 ${nameClasses[state]} ${place} ${isCurrent || isSelected ? 'underline' : '[:hover>&]:underline'}`}
        style={spot.name ?? {}}
      >
        {name}
      </span>
    </button>
  )
}

type LightState = 'bangers' | 'rated' | 'unheard'

/** A disc that grows with `--bangers`, a dot, or a ring. */
export function MapLight({ state, isSelected = false }: { state: LightState; isSelected?: boolean }) {
  return (
    <span
      className={`block flex-none rounded-full forced-color-adjust-none forced-colors:border forced-colors:border-[ButtonText] ${lightClasses[state]} ${isSelected ? 'outline-2 outline-offset-2 outline-ink' : ''}`}
    />
  )
}

const lightClasses = {
  bangers:
    'size-(--light) bg-accent bg-clip-padding [--light:clamp(12px,10px+2px*var(--bangers,2),20px)] [border:calc(var(--light)*0.2)_solid_var(--accent-line)] forced-colors:bg-[Highlight]',
  rated: 'size-2.5 bg-ink forced-colors:bg-[ButtonText]',
  unheard: 'size-2 border border-ink-3 bg-paper forced-colors:bg-[ButtonFace]',
} satisfies Record<LightState, string>

const nameClasses = {
  bangers: 'font-[650] text-accent',
  rated: 'font-[550] text-ink',
  unheard: 'font-[450] text-ink-2',
} satisfies Record<LightState, string>

/** The region takes what is left of the screen, whatever the size of the map in it. */
export const mapRegionClasses =
  'relative grid min-h-52 flex-1 overflow-auto overscroll-contain rounded-control border border-line [contain:size] [scroll-padding:3rem] [scrollbar-color:var(--line-strong)_transparent] [scrollbar-width:thin]'
