import type { AwsS3Part } from '@uppy/aws-s3'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  getUploadParameters,
  listParts,
  signPart,
} from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { askStorage } from './askStorage.ts'
import type { UploadAddress, UploadFile, UploadTarget } from './uploadRules.ts'

/** Uppy's types make the id optional; a call without it is rejected here. */
interface Multipart {
  uploadId?: string
  key: string
  signal?: AbortSignal
}

/** The listener's files in the configured store (uploads-12): whole files by one address, large ones in parts. */
export const ownFiles: UploadTarget = {
  sign: ({ meta, type, size }) =>
    call(getUploadParameters, { query: { filename: meta.name, type, ...(size && { size: String(size) }) } }),
}

/** The storage calls in the form that Uppy's uploader expects (uploads-12). */
export const companionStorage = {
  createMultipartUpload({ meta, type, size }: UploadFile): Promise<{ uploadId: string; key: string }> {
    const { name: filename, caption } = meta
    return askStorage(() =>
      call(createMultipart, {
        body: { filename, type, ...(size !== null && { size }), metadata: { caption: caption ?? null } },
      }),
    )
  },

  listParts: (_: UploadFile, { uploadId = '', key, signal }: Multipart): Promise<AwsS3Part[]> =>
    askStorage(() => call(listParts, { params: { uploadId }, query: { key } }, { signal }), signal),

  /** Not retried here, because the uploader retries the whole part. */
  signPart: (
    _: UploadFile,
    { uploadId = '', key, partNumber, signal }: Multipart & { partNumber: number },
  ): Promise<UploadAddress> =>
    call(signPart, { params: { uploadId, partNumber: String(partNumber) }, query: { key } }, { signal }),

  completeMultipartUpload: (
    _: UploadFile,
    { uploadId = '', key, parts, signal }: Multipart & { parts: AwsS3Part[] },
  ): Promise<{ location: string }> =>
    askStorage(
      () =>
        call(
          completeMultipart,
          {
            params: { uploadId },
            query: { key },
            body: { parts: parts.map(({ ETag = '', PartNumber = 0 }) => ({ ETag, PartNumber })) },
          },
          { signal },
        ),
      signal,
    ),

  async abortMultipartUpload(_: UploadFile, { uploadId = '', key }: Multipart): Promise<void> {
    await call(abortMultipart, { params: { uploadId }, query: { key } })
  },
}
