import type { Body, Meta, Uppy, UppyFile } from '@uppy/core'

/** What a dialog takes; what is absent is not limited (spec §5). */
export interface UploadRules {
  /** Bytes of one file. */
  maxFileSize?: number
  maxNumberOfFiles?: number
  /** MIME types, `image/*` among them, or extensions such as `.flac`. */
  allowedFileTypes?: string[]
}

/** What a listener may write beside a file. */
export interface FileMeta extends Meta {
  name?: string
  caption?: string
}

/** A file in the dialog: what it is called, its bytes, and how far it is. */
export type UploadFile = UppyFile<FileMeta, Body>

/** What works behind a dialog. */
export type Uploader = Uppy<FileMeta, Body>

/** Where bytes may be sent, once and soon. */
export interface UploadAddress {
  url: string
  method?: 'PUT' | 'POST'
  /** Of a POST: form fields that go before the file. */
  fields?: Record<string, string>
  headers?: Record<string, string>
}

/** Where the files of a dialog go. */
export interface UploadTarget {
  /** An address that takes the whole file, for files of at most 100 MB. */
  sign(file: UploadFile): Promise<UploadAddress>
  /** What is left to do with a file whose bytes have arrived at `uploadURL`. */
  finish?(file: UploadFile): Promise<void>
  /** What the dialog says meanwhile. */
  finishing?: string
}

/** More bytes than this go in parts (spec §9: multipart over 100 MB). */
export const MULTIPART_OVER = 100 * 1024 * 1024
