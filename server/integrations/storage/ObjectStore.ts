import type { Readable } from 'node:stream'

/**
 * Where files are kept: the local disk, or whatever speaks S3. Keys are made by the server alone, so a store
 * trusts them; whose they are is asked before.
 * Every method throws HttpError 503 when the store does not answer, and 507 when it is full.
 */
export interface ObjectStore {
  /** An address that takes one whole object by PUT. With `size` it takes exactly so many bytes. */
  signUpload(key: string, terms: UploadTerms): Promise<SignedAddress>
  /** As `signUpload`, for browsers alone: where the size is not known, S3 limits it by a form. */
  signForm(key: string, terms: UploadTerms): Promise<SignedAddress>
  /** Gives what the store calls the upload. */
  startParts(key: string, type: string): Promise<string>
  /** An address that takes one part by PUT. All parts together may have `limit` bytes. */
  signPart(key: string, uploadId: string, part: number, limit: number): Promise<SignedAddress>
  /** In order; null when there is no such upload. */
  listParts(key: string, uploadId: string): Promise<Part[] | null>
  /** Makes the object of the parts. False when they are not the ones that arrived, and nothing has changed. */
  joinParts(key: string, uploadId: string, parts: Pick<Part, 'number' | 'etag'>[]): Promise<boolean>
  /** Also when there is no such upload. */
  dropParts(key: string, uploadId: string): Promise<void>
  /** Bytes; null when there is no such object. */
  measure(key: string): Promise<number | null>
  /** Null when there is no such object. */
  read(key: string): Promise<StoredObject | null>
  write(key: string, content: Buffer, type: string): Promise<void>
  /** Also when there is no such object. */
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
  /** Bytes that were announced. */
  size: number | null
}

export interface SignedAddress {
  method: 'PUT' | 'POST'
  url: string
  /** For a form, in order; the file comes after them as `file`. */
  fields: Record<string, string>
  /** To be sent with the file. */
  headers: Record<string, string>
  /** Seconds that the address lives. */
  expires: number
}

export interface Part {
  number: number
  size: number
  /** In quotes, as HTTP writes it. */
  etag: string
}
