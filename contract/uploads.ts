import * as z from 'zod/mini'
import { CurrentUser } from './auth.ts'
import { endpoint } from './endpoint.ts'

/** Bytes of a profile photo (uploads-3). */
export const MAX_PHOTO_BYTES = 5_242_880

/** Types of a profile photo (uploads-11). */
export const PHOTO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** Sides of the square pictures made from a profile photo, in pixels. */
export const PHOTO_SIZES = [96, 192, 384] as const
export type PhotoSize = (typeof PHOTO_SIZES)[number]

/** Minimum bytes of every part but the last, and the maximum number of parts (uploads-7). */
export const MIN_PART_BYTES = 5 * 1024 * 1024
export const MAX_PARTS = 10_000

/** Seconds until a signed address expires (uploads-11). */
export const ADDRESS_SECONDS = 15 * 60

/** Remote sources of files; each needs keys on the server (uploads-2). */
export const RemoteProvider = z.enum(['box', 'dropbox', 'drive', 'facebook', 'unsplash'])
export type RemoteProvider = z.infer<typeof RemoteProvider>

export const UploadSettings = z.object({
  /** Bytes of one file. */
  maxBytes: z.int(),
  providers: z.array(RemoteProvider),
})
export type UploadSettings = z.infer<typeof UploadSettings>

/** `import`: to be read by `createImport`, in place of a file that the listener keeps. */
const UploadPurpose = z.enum(['file', 'import'])

const Header = z.record(z.string(), z.string())

const FileName = z.string().check(z.minLength(1, 'is required'), z.maxLength(500, 'is too long'))
const ContentType = z.string().check(z.maxLength(200, 'is too long'))
const Bytes = z.int().check(z.positive('must be more than 0'))
const ByUpload = z.object({ uploadId: z.string() })
const ObjectKey = z.object({ key: z.string().check(z.maxLength(300, 'is too long')) })

/** The photo in every size, for `srcset`. Undefined for a picture that is not ours. */
export function photoSources(photo: string | null): string | undefined {
  if (!photo || !OWN_PHOTO_PATH.test(photo)) return undefined
  return PHOTO_SIZES.map((size) => `${photo.replace(OWN_PHOTO_PATH, `-${size}.webp`)} ${size}w`).join(', ')
}

const OWN_PHOTO_PATH = /(?<=^\/photos\/[\w-]+)-\d+\.webp$/

export const getUploadSettings = endpoint('GET /api/uploads/settings', {
  access: 'signed-in',
  summary: 'How large a file may be, and which remote providers have keys (uploads-2).',
  response: UploadSettings,
})

export const requestPhotoUpload = endpoint('POST /api/profile-photo/upload', {
  access: 'signed-in',
  summary: 'An address to PUT a profile photo to, for 15 minutes. `size` limits its bytes.',
  body: z.object({
    filename: z.optional(FileName),
    type: z.optional(ContentType),
    size: z.optional(Bytes),
  }),
  response: z.object({
    uploadURL: z.string(),
    method: z.literal('PUT'),
    /** Headers to send with the file. */
    headers: Header,
    key: z.string(),
    /** Seconds. */
    expires: z.int(),
  }),
  fails: [507],
})

export const setPhoto = endpoint('PUT /api/profile-photo', {
  access: 'signed-in',
  summary:
    'Makes an uploaded picture the profile photo. `photoURL` is its uploadURL, or its key (uploads-11).',
  body: z.object({ photoURL: z.string().check(z.maxLength(4000, 'is too long')) }),
  response: CurrentUser,
  // Photos are decoded one at a time: the last of 200 waits for a minute.
  deadline: 120_000,
})

export const removePhoto = endpoint('DELETE /api/profile-photo', {
  access: 'signed-in',
  summary: 'Removes the profile photo.',
  response: CurrentUser,
})

export const getPhoto = endpoint('GET /photos/:photo', {
  params: z.object({ photo: z.string() }),
  access: 'public',
  summary:
    'A profile photo in one size. Its address changes with its content. 404 once it was taken down, or its owner is suspended (uploads-11).',
  answers: 'file',
})

export const createMultipart = endpoint('POST /companion/s3/multipart', {
  access: 'signed-in',
  summary: 'Begins an upload in parts. With `size` it reserves that many bytes, else the maximum.',
  body: z.object({
    filename: FileName,
    type: z.optional(z.nullable(ContentType)),
    metadata: z.optional(z.record(z.string(), z.unknown())),
    size: z.optional(Bytes),
    purpose: z.optional(UploadPurpose),
  }),
  response: z.object({ uploadId: z.string(), key: z.string() }),
  fails: [507],
})

export const listParts = endpoint('GET /companion/s3/multipart/:uploadId', {
  params: ByUpload,
  access: 'signed-in',
  owns: 'upload',
  summary: 'The parts uploaded so far.',
  query: ObjectKey,
  response: z.array(z.object({ PartNumber: z.int(), Size: z.int(), ETag: z.string() })),
  deadline: 20_000,
})

export const signPart = endpoint('GET /companion/s3/multipart/:uploadId/:partNumber', {
  params: z.object({ uploadId: z.string(), partNumber: z.string() }),
  access: 'signed-in',
  owns: 'upload',
  summary: 'An address to PUT one part to, for 15 minutes.',
  query: ObjectKey,
  response: z.object({ url: z.string(), method: z.literal('PUT'), expires: z.int() }),
  deadline: 20_000,
})

export const completeMultipart = endpoint('POST /companion/s3/multipart/:uploadId/complete', {
  params: ByUpload,
  access: 'signed-in',
  owns: 'upload',
  summary: 'Joins the parts. `location` is the address of the file for its listener.',
  query: ObjectKey,
  body: z.object({
    parts: z
      .array(
        z.object({
          PartNumber: z.int().check(z.minimum(1), z.maximum(MAX_PARTS)),
          ETag: z.string().check(z.maxLength(200)),
        }),
      )
      .check(z.minLength(1, 'must name a part'), z.maxLength(MAX_PARTS)),
  }),
  response: z.object({ location: z.string(), key: z.string() }),
  deadline: 60_000,
  maxBody: 1024 * 1024,
  fails: [409],
})

export const abortMultipart = endpoint('DELETE /companion/s3/multipart/:uploadId', {
  params: ByUpload,
  access: 'signed-in',
  owns: 'upload',
  summary: 'Aborts an upload and deletes its parts.',
  query: ObjectKey,
  response: z.object({}),
  deadline: 20_000,
})

export const getUploadParameters = endpoint('GET /companion/s3/params', {
  access: 'signed-in',
  summary: 'An address to upload a whole file to, with the method, fields and headers to use.',
  query: z.object({
    filename: FileName,
    type: z.optional(ContentType),
    size: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'must be a number of bytes'))),
    purpose: z.optional(UploadPurpose),
  }),
  response: z.object({
    method: z.enum(['PUT', 'POST']),
    url: z.string(),
    fields: Header,
    headers: Header,
    expires: z.int(),
  }),
})

export const getTemporaryCredentials = endpoint('GET /companion/s3/sts', {
  access: 'signed-in',
  summary:
    'Always 404: credentials would bypass quota and size limits, so files are uploaded to signed addresses.',
  response: z.object({ message: z.string() }),
  fails: [404],
})

export const receiveUpload = endpoint('PUT /uploads/:owner/:object', {
  params: z.object({ owner: z.string(), object: z.string() }),
  access: 'signed-address',
  summary: 'Receives a file, or a part of one, at an address that the server signed.',
  query: z.object({
    part: z.optional(z.string()),
    size: z.optional(z.string()),
    limit: z.optional(z.string()),
    expires: z.optional(z.string()),
    signature: z.optional(z.string()),
  }),
  accepts: 'bytes',
  response: z.object({ url: z.string() }),
  fails: [408, 409, 507],
})

export const readUpload = endpoint('GET /uploads/:owner/:object', {
  params: z.object({ owner: z.string(), object: z.string() }),
  access: 'signed-in',
  owns: 'upload',
  summary: 'A file that the listener uploaded, as a download.',
  answers: 'file',
})
