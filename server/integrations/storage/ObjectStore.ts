import type { Readable } from 'node:stream'

/**
 * Where files are stored: the local disk or an S3-compatible bucket. The server alone makes keys, so a store trusts
 * them; callers check ownership first. Every method throws HttpError 503 when the store is unreachable and 507 when
 * it is full.
 */
export interface ObjectStore {
  /** An address that accepts one object by PUT: exactly `size` bytes, or at most `limit` when the size is unknown. */
  signUpload(key: string, terms: UploadTerms): Promise<SignedAddress>
  /** Like `signUpload`, for browsers: when the size is unknown, S3 limits it with a form. */
  signForm(key: string, terms: UploadTerms): Promise<SignedAddress>
  /** Returns the store's upload id. */
  startParts(key: string, type: string): Promise<string>
  /** An address that accepts one part by PUT. All parts together may have `limit` bytes. */
  signPart(key: string, uploadId: string, part: number, limit: number): Promise<SignedAddress>
  /** Parts in order; null when there is no such upload. */
  listParts(key: string, uploadId: string): Promise<Part[] | null>
  /** Joins the parts. Returns false, and changes nothing, when they are not the ones that arrived. */
  joinParts(key: string, uploadId: string, parts: Pick<Part, 'number' | 'etag'>[]): Promise<boolean>
  /** Does nothing when there is no such upload. */
  abortParts(key: string, uploadId: string): Promise<void>
  /** Bytes; null when there is no such object. */
  measure(key: string): Promise<number | null>
  read(key: string): Promise<StoredObject | null>
  /** Calls `use` with the path of a file that has the object's content meanwhile. Null when there is no such object. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T | null>
  write(key: string, content: Buffer, type: string): Promise<void>
  /** Does nothing when there is no such object. */
  remove(key: string): Promise<void>
}

export interface StoredObject {
  /** Bytes. */
  size: number
  stream: Readable
}

export interface UploadTerms {
  type: string | null
  /** Bytes that may arrive. */
  limit: number
  /** The announced size in bytes. */
  size: number | null
}

export interface SignedAddress {
  method: 'PUT' | 'POST'
  url: string
  /** Form fields in order; the file follows as `file`. */
  fields: Record<string, string>
  /** Headers to send with the file. */
  headers: Record<string, string>
  /** Seconds until the address expires. */
  expires: number
}

export interface Part {
  number: number
  size: number
  /** With quotes, as in HTTP. */
  etag: string
}

/** A listener's upload; its name is 128 random bits. */
export const uploadKey = (listener: string, name: string) => `uploads/${listener}/${name}`

export const photoKey = (photo: string, size: number) => `photos/${photo}/${size}.webp`

export const coverKey = (cover: string, size: number) => `covers/${cover}/${size}.webp`

/** Whether the server made this key. Nothing else may become a path. */
export const isObjectKey = (key: string) =>
  /^(uploads\/[1-9]\d{0,17}\/[\w-]{22}|(photos|covers)\/[\w-]{43}\/\d{2,3}\.webp)$/.test(key)
