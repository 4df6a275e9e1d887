/** What the dots of the map mean. */
export function MapLegend({ hasCurrent }: { hasCurrent: boolean }) {
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
