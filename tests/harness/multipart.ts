import { expect } from 'vitest'
import { getStatsStory } from '../../contract/sharing.ts'
import {
  completeMultipart,
  createMultipart,
  getUploadParameters,
  requestPhotoUpload,
  setPhoto,
  signPart,
} from '../../contract/uploads.ts'
import { request } from './request.ts'
import type { Visitor } from './visitor.ts'

/* The calls that a browser makes to upload a file in parts. */

export interface Upload {
  uploadId: string
  key: string
}

export async function begin(listener: Visitor, size?: number): Promise<Upload> {
  const body = { filename: 'file.bin', type: 'application/octet-stream', metadata: { name: 'x' }, size }
  const answer = await listener.call(createMultipart, { body })
  expect(answer.status).toBe(200)
  return answer.body
}

export const namePart = ({ uploadId, key }: Upload) => ({ params: { uploadId }, query: { key } })

export const part = ({ uploadId, key }: Upload, number: number) => ({
  params: { uploadId, partNumber: String(number) },
  query: { key },
})

export const sign = async (listener: Visitor, upload: Upload, number: number) =>
  (await listener.call(signPart, part(upload, number))).body

/** Returns the part's ETag. */
export async function sendPart(
  listener: Visitor,
  upload: Upload,
  number: number,
  bytes: Buffer,
): Promise<string> {
  const answer = await putBytes((await sign(listener, upload, number)).url, bytes)
  expect(answer.status).toBe(200)
  return answer.headers.etag ?? ''
}

export const complete = (listener: Visitor, upload: Upload, etags: string[]) =>
  listener.call(completeMultipart, {
    ...namePart(upload),
    body: { parts: etags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) },
  })

export const putBytes = (url: string, body: Buffer) => request(url, { method: 'PUT', body })

/** Uploads a picture as the dialog does, and returns its address there. */
export async function uploadPhoto(listener: Visitor, bytes: Buffer): Promise<string> {
  const { uploadURL } = (await listener.call(requestPhotoUpload, { body: { size: bytes.length } })).body
  expect((await putBytes(uploadURL, bytes)).status).toBe(200)
  return uploadURL
}

/** Uploads a file to import, whole. */
export async function uploadImport(listener: Visitor, content: string | Buffer): Promise<Upload> {
  const query = {
    filename: 'export.json',
    size: String(Buffer.byteLength(content)),
    purpose: 'import',
  } as const
  const { url } = (await listener.call(getUploadParameters, { query })).body
  expect((await putBytes(url, Buffer.from(content))).status).toBe(200)
  const key = /uploads\/\d+\/[\w-]{22}/.exec(new URL(url).pathname)?.[0] ?? ''
  return { key, uploadId: key.split('/').at(-1) ?? '' }
}

/** The three steps of a new photo. */
export async function choosePhoto(listener: Visitor, bytes: Buffer) {
  return listener.call(setPhoto, { body: { photoURL: await uploadPhoto(listener, bytes) } })
}

/**
 * Renders a first picture. It waits for the rendering thread to start, which on a busy machine takes longer than a
 * call may.
 */
export async function warmUpPictures(listener: Visitor): Promise<void> {
  for (let status = 503; status === 503; ) status = (await listener.call(getStatsStory)).status
}
