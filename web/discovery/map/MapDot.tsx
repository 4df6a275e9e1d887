import type { Ref } from 'react'
import type { MappedMicrogenre } from '../../../contract/map.ts'
import type { SheetSpot } from './layOutSheet.ts'
import { sayFigures } from './mapWords.ts'

interface MapDotProps {
  ref: Ref<HTMLButtonElement>
  microgenre: MappedMicrogenre
  spot: SheetSpot
  isCurrent: boolean
  isSelected: boolean
  /** Whether Tab reaches it. */
  isStop: boolean
  onFocus: () => void
  onPress: () => void
}

/** A microgenre on the map: the more bangers, the larger it glows; rated is lit, unheard is dim (discover-84). */
export function MapDot({
  ref,
  microgenre,
  spot,
  isCurrent,
  isSelected,
  isStop,
  onFocus,
  onPress,
}: MapDotProps) {
  const { name, color, bangers, ratings } = microgenre
  return (
    <button
      ref={ref}
      type="button"
      data-genre=""
      data-lit={bangers > 0 ? 'bangers' : ratings > 0 ? 'rated' : undefined}
      aria-label={`${name}, ${sayFigures(microgenre)}`}
      aria-current={isCurrent || undefined}
      aria-expanded={isSelected}
      tabIndex={isStop ? 0 : -1}
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
