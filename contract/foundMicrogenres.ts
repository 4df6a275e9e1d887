import * as z from 'zod/mini'
import { Id } from './shapes.ts'
import { maxCharacters, VisibleLine } from './texts.ts'

/* Microgenres that the catalogue found, at the desk. */

/** Characters of a microgenre's name, family and description, as in the starter catalogue (desk-27). */
export const MAX_MICROGENRE_LENGTHS = { name: 60, family: 40, description: 300 }

/** A genre of MusicBrainz that may become a microgenre (desk-26). */
export const FoundMicrogenre = z.object({
  id: Id,
  name: z.string(),
  /** The nearest microgenre's family. */
  family: z.string(),
  /** The nearest microgenre: most of the songs were found while the catalogue grew it. */
  near: z.string(),
  /** The colour of that microgenre, `#rrggbb`. */
  color: z.string(),
  /** Songs that carry the genre, and their artists. */
  songs: z.int(),
  artists: z.int(),
  /** Some of the songs, by different artists. */
  examples: z.array(
    z.object({
      recordingMbid: z.string(),
      title: z.string(),
      artist: z.string(),
      year: z.nullable(z.int()),
    }),
  ),
})
export type FoundMicrogenre = z.infer<typeof FoundMicrogenre>

const limitedLine = (max: number) => VisibleLine.check(maxCharacters(max))

/** What a steward writes about a new microgenre. */
export const MicrogenreDetails = z.object({
  name: limitedLine(MAX_MICROGENRE_LENGTHS.name),
  /** An existing family. */
  family: limitedLine(MAX_MICROGENRE_LENGTHS.family),
  description: limitedLine(MAX_MICROGENRE_LENGTHS.description),
})
export type MicrogenreDetails = z.infer<typeof MicrogenreDetails>
