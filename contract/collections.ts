import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { Lines, maxCharacters, VisibleLine } from './texts.ts'

/** Characters of a collection's name. */
export const MAX_COLLECTION_NAME_LENGTH = 100

/** Characters of a collection's description. */
export const MAX_COLLECTION_DESCRIPTION_LENGTH = 500

/** Microgenres per collection. */
export const MAX_COLLECTION_ITEMS = 50

/** Collections per listener. */
export const MAX_COLLECTIONS = 200

/** A new collection starts with this many microgenres, those with most bangers of the listener (sharing-2). */
export const NEW_COLLECTION_MICROGENRES = 3

export const Collection = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  isPublic: z.boolean(),
  items: z.array(z.object({ microgenreId: Id })),
  /** Null until it is shared. */
  shareToken: z.nullable(z.string()),
})
export type Collection = z.infer<typeof Collection>

export const CollectionItem = z.object({ id: Id, microgenreId: Id, addedAt: Moment })
export type CollectionItem = z.infer<typeof CollectionItem>

/** A collection in its owner's list. */
export const OwnCollection = z.extend(Collection, {
  createdAt: Moment,
  /** Views by its share link and earlier ones (sharing-13). */
  viewCount: z.int(),
  /** In the owner's order. */
  items: z.array(z.object({ microgenreId: Id, name: z.string(), color: z.string() })),
})
export type OwnCollection = z.infer<typeof OwnCollection>

const Name = VisibleLine.check(maxCharacters(MAX_COLLECTION_NAME_LENGTH))

const Description = z.nullable(Lines.check(z.trim(), maxCharacters(MAX_COLLECTION_DESCRIPTION_LENGTH)))

export const listCollections = endpoint('GET /api/collections', {
  access: 'signed-in',
  summary: 'The caller’s collections, newest first (sharing-18).',
  response: z.array(OwnCollection),
})

export const createCollection = endpoint('POST /api/collections', {
  access: 'signed-in',
  summary: 'Creates an empty collection; public unless `isPublic` is false.',
  body: z.object({
    name: Name,
    description: z.optional(Description),
    isPublic: z._default(z.boolean(), true),
  }),
  response: Collection,
  fails: [409],
})

export const updateCollection = endpoint('PUT /api/collections/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'collection',
  summary:
    'Changes the given fields. `microgenreIds` replaces all microgenres, in this order. A collection that becomes private loses its share link (sharing-18).',
  body: z.object({
    name: z.optional(Name),
    description: z.optional(Description),
    isPublic: z.optional(z.boolean()),
    microgenreIds: z.optional(
      z.array(Id).check(
        z.maxLength(MAX_COLLECTION_ITEMS, `must have at most ${MAX_COLLECTION_ITEMS} microgenres`),
        z.refine((ids) => new Set(ids).size === ids.length, 'must name each microgenre once'),
      ),
    ),
  }),
  response: OwnCollection,
})

export const addCollectionItem = endpoint('POST /api/collections/:id/items', {
  params: IdParams,
  access: 'signed-in',
  owns: 'collection',
  summary: 'Adds a microgenre to a collection. Idempotent (sharing-2).',
  body: z.object({ microgenreId: Id }),
  response: CollectionItem,
  fails: [409],
})

export const shareCollection = endpoint('POST /api/collections/:id/share', {
  params: IdParams,
  access: 'signed-in',
  owns: 'collection',
  summary: 'The token of the share link, always the same (sharing-4). 403 for a private collection.',
  response: z.object({ shareToken: z.string() }),
})

export const unshareCollection = endpoint('DELETE /api/collections/:id/share', {
  params: IdParams,
  access: 'signed-in',
  owns: 'collection',
  summary: 'Ends the share link of a collection. Sharing it again creates a new one (sharing-18).',
  response: Success,
})

export const deleteCollection = endpoint('DELETE /api/collections/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'collection',
  summary: 'Deletes a collection and its share link (sharing-6).',
  response: Success,
})
