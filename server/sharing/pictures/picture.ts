import type { SharedPage } from '../../../contract/sharedPage.ts'

/** The content of a picture. Together with the format it determines every pixel. */
export type Subject =
  /** `genres` of a mix are its songs; `badge` of a collection is missing. */
  | { kind: 'collection'; badge?: string; name: string; genres: Genre[]; creator: string }
  | {
      kind: 'achievement'
      type: string
      name: string
      text: string | null
      genre: Genre | null
      creator: string
    }
  | { kind: 'microgenre'; name: string; text: string; genre: Genre; creator: string }
  | { kind: 'stats'; bangers: number; rated: number; favourite: string | null; creator: string }
  | { kind: 'map'; places: MapPlace[]; creator: string }

export interface Genre {
  name: string
  /** `#rrggbb` */
  color: string
}

/** A microgenre's position on the map, and the listener's own figures. */
export interface MapPlace extends Genre {
  x: number
  y: number
  ratings: number
  bangers: number
}

/** `preview` is for links, `story` is upright, for Instagram (sharing-9). Pixels. */
export const FORMATS = {
  preview: { width: 1200, height: 630 },
  story: { width: 1080, height: 1920 },
} as const

export type Format = keyof typeof FORMATS

export interface Picture {
  format: Format
  subject: Subject
  /** The host and path of PUBLIC_URL, which a story shows (sharing-19). */
  site: string
}

/** The content of a shared page's pictures, without what changes with each view. */
export function toPictureSubject({
  kind,
  badge,
  title,
  text,
  type,
  medal,
  genre = null,
  creator,
  entries,
}: SharedPage): Subject {
  if (medal) {
    // With a raw type, the text would only repeat the tag.
    const meaning = type ? null : text
    return {
      kind: 'achievement',
      type: medal,
      name: title,
      text: meaning ?? null,
      genre,
      creator: creator.name,
    }
  }
  const genres = entries.map(({ name, color }) => ({ name, color }))
  return {
    kind: 'collection',
    ...(kind !== 'collection' && { badge }),
    name: title,
    genres,
    creator: creator.name,
  }
}
