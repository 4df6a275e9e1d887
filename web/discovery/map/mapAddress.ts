import { readPlace } from '../../ui/place.ts'

/** The address of the map from here; it names the microgenre of Discover, which the map marks. */
export function mapAddress(): string {
  const { microgenre } = readPlace(location.search)
  return microgenre ? `/microgenres?microgenre=${microgenre}` : '/microgenres'
}
