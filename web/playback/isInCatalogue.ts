import type { Song } from '../../contract/shapes.ts'

/** A suggestion at the desk plays like a song, but its id is no number, and no call knows it. */
export const isInCatalogue = ({ id }: Pick<Song, 'id'>): boolean => /^\d/.test(id)
