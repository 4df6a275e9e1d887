import { storageKey } from '../../api/address.ts'
import { createStore } from '../../ui/store.ts'

export type MapLayout = 'map' | 'list'

const KEY = storageKey('microgenres')

/** Whether the microgenres are shown as a map or as a list. Stored in this browser (discover-83). */
export const mapLayout = createStore<MapLayout>(recall())

export function changeLayout(layout: MapLayout): void {
  mapLayout.set(layout)
  try {
    localStorage.setItem(KEY, layout)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function recall(): MapLayout {
  try {
    return localStorage.getItem(KEY) === 'list' ? 'list' : 'map'
  } catch {
    return 'map'
  }
}
