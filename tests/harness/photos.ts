import { expect } from 'vitest'
import { requestPhotoUpload, setPhoto } from '../../contract/uploads.ts'
import { put } from './multipart.ts'
import type { Visitor } from './visitor.ts'

/** Uploads a picture as the dialog does, and returns its address there. */
export async function uploadPhoto(listener: Visitor, bytes: Buffer): Promise<string> {
  const { uploadURL } = (await listener.call(requestPhotoUpload, { body: { size: bytes.length } })).body
  expect((await put(uploadURL, bytes)).status).toBe(200)
  return uploadURL
}

/** The three steps of a new photo. */
export async function choosePhoto(listener: Visitor, bytes: Buffer) {
  return listener.call(setPhoto, { body: { photoURL: await uploadPhoto(listener, bytes) } })
}
