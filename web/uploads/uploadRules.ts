import type { Body, Meta, Restrictions, Uppy, UppyFile } from '@uppy/core'

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

/** What a dialog takes, and where it goes. */
export interface UploadTarget {
  /** A photo comes from the camera, too, and is cropped. Of an import large files are sent in parts, and an upload goes on after a reload. */
  purpose: 'profile-photo' | 'import'
  /** A missing one means no limit (uploads-4). */
  rules: Partial<Restrictions>
  /** The types that `rules` allow, in people's words. */
  types?: string
  /** A line below the drop area's text. */
  note: string
  /** An address for the file. */
  sign(file: UploadFile): Promise<UploadAddress>
  /** Runs after the bytes are stored at `uploadURL`. */
  finish(file: UploadFile): Promise<void>
  /** Shown meanwhile. */
  finishingText: string
}
