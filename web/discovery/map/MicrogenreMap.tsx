import {
  type KeyboardEvent,
  type Ref,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { usePagePosition } from '../../ui/page/usePagePosition.ts'
import { formatFigures, groupByFamily, nearestNeighbours } from './formatMicrogenre.ts'
import { layOutSheet, nearestInDirection, placeFamilies, type Sheet, type SheetSpot } from './mapGeometry.ts'

interface MicrogenreMapProps {
  microgenres: readonly MappedMicrogenre[]
  /** Ids of the microgenre on Discover and of the one whose panel is open. */
  current: string | null
  selected: string | null
  onSelect: (id: string | null) => void
}

interface PlacedMicrogenre extends SheetSpot {
  microgenre: MappedMicrogenre
}

/** The map scrolls in its region (discover-85). Tab reaches one dot, and the arrow keys lead from dot to dot. */
export function MicrogenreMap({ microgenres, current, selected, onSelect }: MicrogenreMapProps) {
  const region = useRef<HTMLDivElement>(null)
  const { rem } = usePagePosition(region)
  const sheet = useMemo(
    () => layOutSheet(microgenres, measureNames(microgenres, rem), rem),
    [microgenres, rem],
  )
  const spots = useMemo(
    () =>
      microgenres.flatMap((microgenre, i): PlacedMicrogenre[] => {
        const spot = sheet.spots[i]
        return spot ? [{ ...spot, microgenre }] : []
      }),
    [microgenres, sheet],
  )
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  /** What the keyboard reached last, and what pointer and focus are on. */
  const [reachedId, setReachedId] = useState<string | null>(null)
  const [hoveredId, setHoveredId] = useState<string | null>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)

  // Scrolls to the current microgenre, or to the middle; later the listener scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each size of the text
  useLayoutEffect(() => {
    const start = spots.find(({ microgenre }) => microgenre.id === current) ?? {
      x: sheet.width / 2,
      y: sheet.height / 2,
    }
    const area = region.current
    area?.scrollTo(start.x - area.clientWidth / 2, start.y - area.clientHeight / 2)
  }, [rem])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for other buttons
  useEffect(() => hideCutNames(region.current, [...buttons.current.values()]), [spots])

  function moveFocus(event: KeyboardEvent) {
    const from = spots.find(({ microgenre }) => buttons.current.get(microgenre.id) === event.target)
    const next = from && nearestInDirection(spots, from, event.key)
    if (!from || !event.key.startsWith('Arrow')) return
    event.preventDefault()
    const button = buttons.current.get(next?.microgenre.id ?? '')
    button?.focus()
    button?.lastElementChild?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const hasSpot = (id: string | null) => spots.some(({ microgenre }) => microgenre.id === id)
  const tabStop = [reachedId, selected, current].find(hasSpot) ?? spots[0]?.microgenre.id
  const dots = useMemo(
    () =>
      spots.map(({ microgenre, ...spot }) => (
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
          isTabStop={microgenre.id === tabStop}
          onFocus={() => setReachedId(microgenre.id)}
          onPress={() => onSelect(microgenre.id === selected ? null : microgenre.id)}
        />
      )),
    [spots, current, selected, tabStop, onSelect],
  )
  const idAt = ({ target }: SyntheticEvent) =>
    (target as Element).closest<HTMLElement>('[data-microgenre]')?.dataset.microgenre ?? null
  return (
    <div ref={region} className={mapRegionClasses}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for a form */}
      <div
        role="group"
        aria-label="Map of microgenres"
        onKeyDown={moveFocus}
        onPointerOver={(event) => setHoveredId(idAt(event))}
        onPointerLeave={() => setHoveredId(null)}
        onFocus={(event) => setFocusedId(idAt(event))}
        onBlur={() => setFocusedId(null)}
        className="relative isolate m-auto"
        style={{ width: sheet.width, height: sheet.height }}
      >
        <Families spots={spots} sheet={sheet} rem={rem} />
        <Lines spots={spots} sheet={sheet} active={hoveredId ?? focusedId ?? selected} />
        {dots}
      </div>
    </div>
  )
}

/** Of what scrolls past the edge of the region no name is cut: it shows once it is whole. */
function hideCutNames(region: HTMLElement | null, buttons: readonly HTMLButtonElement[]) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio } of entries)
        target.toggleAttribute('data-cut', intersectionRatio < 0.99)
    },
    { root: region, threshold: 0.99 },
  )
  for (const { lastElementChild } of buttons) if (lastElementChild) observer.observe(lastElementChild)
  return () => observer.disconnect()
}

interface SpotsProps {
  spots: readonly PlacedMicrogenre[]
  sheet: Sheet
}

/** The names of the families, large and pale behind their microgenres. */
function Families({ spots, sheet, rem }: SpotsProps & { rem: number }) {
  const families = useMemo(() => {
    const members = new Map(
      groupByFamily(spots.map(({ microgenre, x, y }) => ({ family: microgenre.family, x, y }))),
    )
    const font = getComputedStyle(document.documentElement).getPropertyValue('--font-display')
    return placeFamilies(members, sheet, (family) => {
      const height = (1.75 + 0.15 * Math.min(12, members.get(family)?.length ?? 0)) * rem
      // Of capitals, which are wider than what `capitalize` makes.
      return { width: measureText(family.toUpperCase(), `800 ${height}px ${font}`), height }
    })
  }, [spots, sheet, rem])
  return families.map(({ family, left, top, right, bottom }) => (
    <span
      key={family}
      aria-hidden="true"
      className="pointer-events-none absolute text-center font-display leading-none font-extrabold whitespace-nowrap text-ink/10 capitalize"
      style={{ left, top, width: right - left, fontSize: bottom - top }}
    >
      {family}
    </span>
  ))
}

/** Lines to the three nearest: pale ones of all that the listener has rated, and a strong one of what is pointed at. */
function Lines({ spots, sheet: { width, height }, active }: SpotsProps & { active: string | null }) {
  const lines = useMemo(() => {
    const spotOf = new Map(spots.map((spot) => [spot.microgenre.id, spot]))
    const microgenres = spots.map(({ microgenre }) => microgenre)
    return spots.map(({ microgenre, x, y }) => ({
      id: microgenre.id,
      isOwn: microgenre.ratings > 0,
      path: nearestNeighbours(microgenres, microgenre)
        .map(({ id }) => spotOf.get(id))
        .map((near) => near && `M${x} ${y}L${near.x} ${near.y}`)
        .join(''),
    }))
  }, [spots])
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      className="pointer-events-none absolute inset-0 stroke-line"
    >
      <path d={lines.map(({ isOwn, path }) => (isOwn ? path : '')).join('')} />
      <path d={lines.find(({ id }) => id === active)?.path} className="stroke-ink-2" strokeWidth="1.5" />
    </svg>
  )
}

const stateOf = ({ bangers, ratings }: MappedMicrogenre): LightState =>
  bangers > 0 ? 'bangers' : ratings > 0 ? 'rated' : 'unheard'

/** The sizes of names on the map: the more of a microgenre one has rated, the larger, heavier and earlier. */
function measureNames(microgenres: readonly MappedMicrogenre[], rem: number) {
  const { fontFamily } = getComputedStyle(document.body)
  return microgenres.map((microgenre) => {
    const { rank, size, height, weight } = nameFonts[stateOf(microgenre)]
    // A pixel on either side for rounding.
    const width = measureText(microgenre.name, `${weight} ${size * rem}px ${fontFamily}`) + 2
    return { width, height: height * rem, rank }
  })
}

/** As in `nameClasses`. Lengths are in rem. */
const nameFonts = {
  bangers: { rank: 2, size: 0.9375, height: 1.25, weight: 700 },
  rated: { rank: 1, size: 0.875, height: 1.125, weight: 600 },
  unheard: { rank: 0, size: 0.8125, height: 1.125, weight: 450 },
} satisfies Record<LightState, unknown>

const canvas = document.createElement('canvas').getContext('2d')

function measureText(text: string, font: string): number {
  if (!canvas) return text.length * FALLBACK_LETTER_WIDTH
  canvas.font = font
  return Math.ceil(canvas.measureText(text).width)
}

/** Pixels of a letter where the browser has no canvas. */
const FALLBACK_LETTER_WIDTH = 9

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
  const { id, name, color, bangers } = microgenre
  const state = stateOf(microgenre)
  const place = spot.name
    ? 'z-1 m-[calc(var(--size-touch)/2)] [text-shadow:0_0_3px_var(--paper),0_0_3px_var(--paper)] [:not(:hover,:focus-visible)>&]:data-cut:opacity-0'
    : `top-full left-1/2 z-2 -translate-x-1/2 rounded-control bg-raised px-2 py-1 [:is(:hover,:focus-visible)>&]:visible ${isSelected ? '' : 'invisible'}`
  return (
    <button
      ref={ref}
      type="button"
      data-genre=""
      data-microgenre={id}
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
        className={`absolute whitespace-nowrap decoration-2 underline-offset-3 ${nameClasses[state]} ${place} ${isCurrent || isSelected ? 'underline' : '[:hover>&]:underline'}`}
        style={spot.name ?? {}}
      >
        {name}
      </span>
    </button>
  )
}

type LightState = 'bangers' | 'rated' | 'unheard'

/** A disc that grows with `--bangers`, a dot, or a small and dim one. */
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
  rated: 'size-3 bg-ink forced-colors:bg-[ButtonText]',
  unheard: 'size-2 border border-accent bg-accent-line forced-colors:bg-[ButtonFace]',
} satisfies Record<LightState, string>

const nameClasses = {
  bangers: 'text-sm/5 font-bold text-accent',
  rated: 'text-[0.875rem]/4.5 font-semibold text-ink',
  unheard: 'text-xs font-[450] text-ink-2',
} satisfies Record<LightState, string>

/** The region takes what is left of the screen, whatever the size of the map in it. */
export const mapRegionClasses =
  'relative grid min-h-52 flex-1 overflow-auto overscroll-contain rounded-control border border-line [contain:size] [scroll-padding:3rem] [scrollbar-color:var(--line-strong)_transparent] [scrollbar-width:thin]'
