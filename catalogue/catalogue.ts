import * as z from 'zod'

/* The starter catalogue: `microgenres.tsv`, and one file of songs per microgenre in `songs/`. */

const KEY_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/
const oneOrMore = <const T extends [string, ...string[]]>(values: T) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).min(1))

/** A whole number in a range, or an empty cell. */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d*$/, 'must be a whole number or empty')
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.number().min(min).max(max).nullable())

const idOrNothing = (shape: RegExp, what: string) =>
  z
    .string()
    .transform((text) => text || null)
    .pipe(z.string().regex(shape, `must be ${what}, or empty`).nullable())

const line = (max: number) =>
  z
    .string()
    .min(1, 'is missing')
    .max(max, `is longer than ${max} characters`)
    .refine((text) => text === text.trim(), 'has spaces at its ends')

export const MAX_RELATIVES = 12

export const MicrogenreEntry = z.strictObject({
  key: z.string().regex(KEY_PATTERN, 'must be lower-case words joined by hyphens').max(60),
  name: line(60),
  family: line(40),
  color: z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #35b5b0'),
  energy: oneOrMore(['slow', 'fast', 'weird']),
  vocals: oneOrMore(['vocal', 'instrumental']),
  familiarity: oneOrMore(['mainstream', 'indie', 'obscure']),
  mood: oneOrMore(['ambient', 'emotional', 'rhythmic', 'experimental']),
  /** Keys, the closest first. A file without this column is read, too. */
  relatives: z
    .string()
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(z.string().regex(KEY_PATTERN, 'must be keys of microgenres')).max(MAX_RELATIVES)),
  description: line(300),
})
export type MicrogenreEntry = z.infer<typeof MicrogenreEntry>

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/
const YOUTUBE_ID_SHAPE = 'a YouTube id of 11 characters'
const MAX_OTHER_VIDEOS = 10

export const SongEntry = z.strictObject({
  key: z.string().regex(KEY_PATTERN, 'must be lower-case words joined by hyphens').max(80),
  title: line(200),
  artist: line(200),
  year: wholeNumber(1890, 2100),
  youtube_id: idOrNothing(YOUTUBE_ID, YOUTUBE_ID_SHAPE),
  /** Further videos of the recording, best first, for when the one before is dead. The column may be missing. */
  other_youtube_ids: z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(z.string().regex(YOUTUBE_ID, `must be ${YOUTUBE_ID_SHAPE}`)).max(MAX_OTHER_VIDEOS))
    .default([]),
  spotify_id: idOrNothing(/^[A-Za-z0-9]{22}$/, 'a Spotify id of 22 characters'),
  duration_ms: wholeNumber(1000, 24 * 3600 * 1000),
})
export type SongEntry = z.infer<typeof SongEntry>

/** Of two catalogues, the one with the higher number is the newer one. */
export interface CatalogueVersion {
  number: number
  /** Of the files. */
  sha256: string
}

export interface Catalogue {
  /** Null for one that is loaded each time. */
  version: CatalogueVersion | null
  microgenres: MicrogenreEntry[]
  songs: (SongEntry & { microgenre: string })[]
}
