import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Achievement, Id, IdParams, Moment, Rating, Success } from './shapes.ts'
import { CatalogueSong } from './suggestions.ts'
import { Line, maxCharacters } from './texts.ts'

/* Files of other services, or of another installation, that bring loves and plays (imports-10). */

/** Bytes of an imported file that is sent in parts (uploads-7). */
export const MAX_IMPORT_BYTES = 500 * 1024 * 1024

/** Bytes of one that is sent whole. */
export const MAX_WHOLE_IMPORT_BYTES = 100 * 1024 * 1024

/** Imports of a listener that are not applied. */
export const MAX_OPEN_IMPORTS = 20

/** Days after which an import, which was applied or made then, is forgotten and can no longer be taken back. */
export const IMPORT_DAYS = 30

/**
 * `failed`: `error` says why. With a `header` the file's columns are unknown: send its `key` again with `columns`.
 * One that was cancelled, discarded or taken back is gone.
 */
export const ImportStatus = z.enum([
  'waiting',
  'reading',
  'ready',
  'applying',
  'applied',
  'reverting',
  'failed',
])
export type ImportStatus = z.infer<typeof ImportStatus>

/** Songs that are surely in the catalogue, those that may be, and those that are not. */
export const Heap = z.enum(['known', 'doubtful', 'unknown'])
export type Heap = z.infer<typeof Heap>

export const Import = z.object({
  id: Id,
  /** Of its file, until it is deleted. */
  key: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  /** The kinds of files that were found, for people: 'Spotify, extended history'. */
  sources: z.array(z.string()),
  status: ImportStatus,
  error: z.nullable(z.string()),
  header: z.nullable(z.array(z.string())),
  /** While it is read: bytes of the file. `rows` counts its entries. */
  progress: z.object({ bytes: z.int(), size: z.int(), rows: z.int() }),
  /** Songs. */
  heaps: z.object({ known: z.int(), doubtful: z.int(), unknown: z.int() }),
  /** Songs of the catalogue, with the doubtful ones that the listener said are the same, by what the file says of them. */
  bangers: z.int(),
  busts: z.int(),
  plays: z.int(),
  /** Entries that were left out, by reason. */
  leftOut: z.record(z.string(), z.int()),
  /** Collections that the file has. */
  collections: z.int(),
  /** Achievements that it unlocked. */
  achievements: z.array(Achievement),
  createdAt: Moment,
  appliedAt: z.nullable(Moment),
})
export type Import = z.infer<typeof Import>

/** One song of a file, however often the file has it. */
export const ImportSong = z.object({
  /** Its number in the import. */
  place: z.int(),
  title: z.string(),
  artist: z.string(),
  verdict: z.nullable(Rating),
  plays: z.int(),
  /** When it was loved or disliked, if the file says so. */
  at: z.nullable(Moment),
  /** The listener's answer to a doubtful one. */
  isSame: z.nullable(z.boolean()),
  /** The song of the catalogue that it is (`known`) or may be (`doubtful`), while that can be rated. */
  song: z.nullable(CatalogueSong),
  /** Its page at Spotify, YouTube or MusicBrainz, to send with a suggestion of an unknown one. */
  address: z.nullable(z.string()),
})
export type ImportSong = z.infer<typeof ImportSong>

export const createImport = endpoint('POST /api/imports', {
  access: 'signed-in',
  summary:
    'Reads an uploaded file, whose `purpose` was `import`, for a dry run (imports-10). `columns` names those of a CSV, such as `title=Song,artist=Band`.',
  body: z.object({
    key: z.string().check(z.maxLength(300, 'is too long')),
    columns: z.optional(Line.check(maxCharacters(500))),
  }),
  response: Import,
  fails: [404, 409],
})

export const listImports = endpoint('GET /api/imports', {
  access: 'signed-in',
  summary: 'The caller’s imports, newest first.',
  response: z.array(Import),
})

export const getImport = endpoint('GET /api/imports/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'import',
  summary: 'An import; its progress changes at least once a second while it is read.',
  response: Import,
})

const Place = z.string().check(z.regex(/^\d{1,9}$/, 'must be a number of a song'))

export const listImportSongs = endpoint('GET /api/imports/:id/songs', {
  params: IdParams,
  access: 'signed-in',
  owns: 'import',
  summary:
    'The songs of a heap by `place`: loves first, then those played most. `after` is the last place so far.',
  query: z.object({
    heap: Heap,
    after: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
  }),
  response: z.array(ImportSong),
})

export const answerImportSong = endpoint('PUT /api/imports/:id/songs/:place', {
  params: z.object({ id: Id, place: Place }),
  access: 'signed-in',
  owns: 'import',
  summary: 'Says whether a doubtful song is the proposed one. 409 unless the import is `ready`.',
  body: z.object({ isSame: z.nullable(z.boolean()) }),
  response: Success,
  fails: [409],
})

export const applyImport = endpoint('POST /api/imports/:id/apply', {
  params: IdParams,
  access: 'signed-in',
  owns: 'import',
  summary:
    'Makes loves bangers, dislikes busts, and plays known songs, as asked. 409 unless the import is `ready` (imports-14).',
  body: z.object({ bangers: z.boolean(), busts: z.boolean(), plays: z.boolean() }),
  response: Import,
  fails: [409],
})

export const removeImport = endpoint('DELETE /api/imports/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'import',
  summary:
    'Cancels the reading, discards a dry run, or takes an applied import back. Null, or the import while it is `reverting`.',
  response: z.nullable(Import),
})
