/** The address of the map; it names the microgenre of Discover, which the map marks. */
export const mapPath = (microgenre: string | null): string =>
  microgenre ? `/microgenres?microgenre=${microgenre}` : '/microgenres'
