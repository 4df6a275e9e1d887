import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { maxCharacters, VisibleLine } from './texts.ts'

/** Mixes per listener (sharing-22). */
export const MAX_MIXES = 200

/** Songs per mix. */
export const MAX_MIX_SONGS = 50

/** Characters of a mix's name. */
export const MAX_MIX_NAME_LENGTH = 100

export const Mix = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  /** Bangers of its owner, in the owner's order. */
  songIds: z.array(Id),
  /** Of its link; null while it is private. */
  shareToken: z.nullable(z.string()),
})
export type Mix = z.infer<typeof Mix>

const Name = VisibleLine.check(maxCharacters(MAX_MIX_NAME_LENGTH))

const SongIds = z.array(Id).check(
  z.maxLength(MAX_MIX_SONGS, `must have at most ${MAX_MIX_SONGS} songs`),
  z.refine((ids) => new Set(ids).size === ids.length, 'must name each song once'),
)

export const listMixes = endpoint('GET /api/mixes', {
  access: 'signed-in',
  summary: 'The caller’s mixes, newest first (sharing-22).',
  response: z.array(Mix),
})

export const createMix = endpoint('POST /api/mixes', {
  access: 'signed-in',
  summary:
    'Creates a mix of bangers of the caller, with a link unless `isPublic` is false. 404 for other songs.',
  body: z.object({ name: Name, songIds: SongIds, isPublic: z._default(z.boolean(), true) }),
  response: Mix,
  fails: [404, 409],
})

export const updateMix = endpoint('PUT /api/mixes/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'mix',
  summary:
    'Changes the given fields. `songIds` replaces all bangers of it. A private mix has no link; its next one is new.',
  body: z.object({
    name: z.optional(Name),
    songIds: z.optional(SongIds),
    isPublic: z.optional(z.boolean()),
  }),
  response: Mix,
})

export const deleteMix = endpoint('DELETE /api/mixes/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'mix',
  summary: 'Deletes a mix and its link.',
  response: Success,
})
