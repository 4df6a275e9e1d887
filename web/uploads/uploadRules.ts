import type { Body, Meta, Uppy, UppyFile } from '@uppy/core'

/** What a dialog accepts; a missing rule means no limit (uploads-4). */
export interface UploadRules {
  /** Bytes of one file. */
  maxFileSize?: number
  minFileSize?: number
  maxNumberOfFiles?: number
  /** MIME types such as `image/*`, or extensions such as `.flac`. */
  allowedFileTypes?: string[]
}

/** Metadata fields of a file. */
export interface FileMeta extends Meta {
  name?: string
}

/** A file in the dialog: name, bytes and state. */
export type UploadFile = UppyFile<FileMeta, Body>

/** The Uppy instance of a dialog. */
export type Uploader = Uppy<FileMeta, Body>

/** A short-lived address for one upload. */
export interface UploadAddress {
  url: string
  method: 'PUT'
  headers?: Record<string, string>
}

/** The destination of a dialog's files. */
export interface UploadTarget {
  /** A photo comes from the camera, too, and is cropped. Of an import large files are sent in parts, and an upload goes on after a reload. */
  purpose: 'profile-photo' | 'import'
  /** An address for the file. */
  sign(file: UploadFile): Promise<UploadAddress>
  /** Runs after the bytes are stored at `uploadURL`. */
  finish?(file: UploadFile): Promise<void>
  /** Shown meanwhile. */
  finishingText?: string
}
