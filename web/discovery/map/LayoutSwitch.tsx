import { List, MapIcon } from '../../ui/laterIcons.ts'
import { changeLayout, type MapLayout } from './mapView.ts'

const layouts = [
  { layout: 'map', name: 'Map', icon: MapIcon },
  { layout: 'list', name: 'List', icon: List },
] as const satisfies { layout: MapLayout; name: string; icon: typeof List }[]

export function LayoutSwitch({ layout: shown }: { layout: MapLayout }) {
  return (
    <fieldset className="map-switch">
      <legend className="sr-only">View</legend>
      {layouts.map(({ layout, name, icon: Icon }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={layout === shown}
          onClick={() => changeLayout(layout)}
          className="map-switch-choice"
        >
          <Icon />
          <span className="max-wide:sr-only">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}
