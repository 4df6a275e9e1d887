import type { Catalogue, MicrogenreEntry } from '../../catalogue/catalogue.ts'

/** The number of songs of each microgenre; every second one has a video. */
export const SIZES = { 'dub-techno': 5, 'dungeon-synth': 6, 'bossa-nova': 8, footwork: 10, zydeco: 12 }

const TAGS: Record<keyof typeof SIZES, Pick<MicrogenreEntry, 'family' | 'energy' | 'vocals' | 'mood'>> = {
  'dub-techno': { family: 'Techno', energy: ['slow'], vocals: ['instrumental'], mood: ['ambient'] },
  'dungeon-synth': { family: 'Ambient', energy: ['slow'], vocals: ['instrumental'], mood: ['ambient'] },
  'bossa-nova': { family: 'Latin', energy: ['slow'], vocals: ['vocal'], mood: ['emotional'] },
  footwork: { family: 'Techno', energy: ['fast'], vocals: ['vocal'], mood: ['rhythmic'] },
  zydeco: { family: 'Roots', energy: ['fast', 'weird'], vocals: ['vocal'], mood: ['rhythmic'] },
}

/** A small catalogue, so that no test depends on the starter catalogue. */
export function testCatalogue(): Catalogue {
  const keys = Object.keys(SIZES) as (keyof typeof SIZES)[]
  return {
    version: null,
    microgenres: keys.map((key, index) => ({
      key,
      name: nameOf(key),
      color: `#35b5b${index}`,
      familiarity: ['obscure'],
      relatives: [],
      description: `What ${nameOf(key)} sounds like. Where it comes from.`,
      ...TAGS[key],
    })),
    songs: keys.flatMap((key) =>
      Array.from({ length: SIZES[key] }, (_, index) => testSong(key, index, index % 2 === 0)),
    ),
  }
}

export function testSong(microgenre: string, index: number, hasVideo = false): Catalogue['songs'][number] {
  const number = String(index).padStart(3, '0')
  return {
    key: `${microgenre}-${number}`,
    microgenre,
    title: `${nameOf(microgenre)} ${number}`,
    artist: `Artist ${number}`,
    year: 1990 + index,
    youtube_id: hasVideo ? `${microgenre.replaceAll('-', '').slice(0, 8)}${number}`.padStart(11, '_') : null,
    other_youtube_ids: [],
    spotify_id: null,
    duration_ms: 180_000 + index,
  }
}

const nameOf = (key: string) =>
  key
    .split('-')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(' ')
