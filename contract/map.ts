import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './shapes.ts'

/** A microgenre on the map, with the caller's own ratings in it. */
export const MappedMicrogenre = z.object({
  id: Id,
  name: z.string(),
  family: z.string(),
  description: z.string(),
  /** `#rrggbb` */
  color: z.string(),
  songCount: z.int(),
  /** The place: neighbours are about 1 apart, and no two are nearer than 0.6 (discover-80). */
  x: z.number(),
  y: z.number(),
  ratings: z.int(),
  bangers: z.int(),
})
export type MappedMicrogenre = z.infer<typeof MappedMicrogenre>

export const getMap = endpoint('GET /api/microgenres/map', {
  access: 'signed-in',
  summary:
    'The map of microgenres, by name: microgenres that the same listeners like are close (discover-80). `ratings` and `bangers` are those of the caller.',
  response: z.array(MappedMicrogenre),
})
