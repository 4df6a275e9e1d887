import type { Rating } from '../../contract/shapes.ts'

/** How many songs the profile shows (people-15). */
export const MAX_PROFILE_SONGS = { banger: 20, bust: 15 } satisfies Record<Rating, number>
