import type { AwsS3MultipartOptions } from '@uppy/aws-s3'
import type { Body } from '@uppy/core'
import { MAX_WHOLE_IMPORT_BYTES } from '../../contract/imports.ts'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  listParts,
  signPart,
} from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { callFailure, retryUpload, storageFailure, UploadFailure } from './retryUpload.ts'
import type { FileMeta, UploadAddress, UploadTarget } from './uploadRules.ts'

/** Uppy's options that upload a file to `target`: in one request, or a large one of an import in parts (uploads-7). */
export function uploadOptions(target: UploadTarget): AwsS3MultipartOptions<FileMeta, Body> {
  /** By address: requests another one when it has expired. */
  const signers = new Map<string, () => Promise<UploadAddress>>()
  async function signUrl(sign: () => Promise<UploadAddress>): Promise<UploadAddress> {
    const address = await sign()
    signers.set(address.url, sign)
    return address
  }
  return {
    shouldUseMultipart: ({ size }) => target.purpose === 'import' && (size ?? 0) > MAX_WHOLE_IMPORT_BYTES,
    // `retryUpload` does that.
    retryDelays: [],

    async getUploadParameters(file) {
      return { fields: {}, ...(await signUrl(() => retryCall(() => target.sign(file)))) }
    },

    createMultipartUpload({ name, type, size }) {
      const body = { filename: name, type, purpose: 'import' as const, ...(size !== null && { size }) }
      return retryCall(() => call(createMultipart, { body }))
    },

    listParts(_, { uploadId = '', key, signal }) {
      return retryCall(() => call(listParts, { params: { uploadId }, query: { key } }), signal)
    },

    signPart(_, { uploadId, key, partNumber, signal }) {
      const params = { uploadId, partNumber: String(partNumber) }
      return signUrl(() => retryCall(() => call(signPart, { params, query: { key } }), signal))
    },

    completeMultipartUpload(_, { uploadId = '', key, parts, signal }) {
      const body = { parts: parts.map(({ PartNumber = 0, ETag = '' }) => ({ PartNumber, ETag })) }
      return retryCall(() => call(completeMultipart, { params: { uploadId }, query: { key }, body }), signal)
    },

    async abortMultipartUpload(_, { uploadId = '', key }) {
      await call(abortMultipart, { params: { uploadId }, query: { key } })
    },

    async uploadPartBytes({ signature, body, size, onProgress, onComplete, signal }) {
      const total = size ?? (body instanceof Blob ? body.size : 0)
      const reportProgress = (loaded: number) => onProgress({ loaded, total, lengthComputable: true })
      let address = signature as UploadAddress
      const send = async () => {
        try {
          return await sendBytes(address, { body, signal, onProgress: reportProgress })
        } catch (error) {
          const expired = error instanceof UploadFailure && error.source?.status === 403
          const sign = signers.get(signature.url)
          if (expired && sign) address = await sign()
          throw error
        }
      }
      const etag = requireEtag(await retryUpload(send, signal))
      reportProgress(total)
      onComplete(etag)
      // Uppy knows only the first address; a later one may have received the bytes.
      return { ETag: etag, location: stripSearch(address.url) }
    },
  }
}

const retryCall = <T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  retryUpload(
    () =>
      send().catch((error: unknown) => {
        throw callFailure(error)
      }),
    signal,
  )

/** Without an ETag nothing proves that the storage has the bytes. */
function requireEtag(etag: string | null): string {
  if (etag) return etag
  throw new UploadFailure(
    'Could not read the ETag header. This likely means CORS is not configured correctly on the storage.',
    400,
  )
}

/** The address without its signature. */
function stripSearch(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

interface SendOptions {
  body: Blob | FormData
  /** Bytes so far. */
  onProgress: (loaded: number) => void
  signal?: AbortSignal
}

/** Milliseconds without progress. The operating system may buffer megabytes and send them slowly. */
const MAX_STALL = 180_000

/**
 * Sends bytes to a signed address and returns the storage's ETag, or null when the page may not read it. Uses
 * XMLHttpRequest, because `fetch` reports no upload progress.
 */
function sendBytes(
  { url, method, headers = {} }: UploadAddress,
  { body, onProgress, signal }: SendOptions,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let stallTimer = setTimeout(abort, MAX_STALL)
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(abort, MAX_STALL)
      onProgress(loaded)
    }
    request.onload = () => {
      const { status } = request
      if (status >= 200 && status < 300) resolve(request.getResponseHeader('etag'))
      else reject(storageFailure(status, request.responseText))
    }
    request.onerror = () => reject(new UploadFailure('Unknown error', 0))
    request.onabort = () => reject(signal?.aborted ? signal.reason : new UploadFailure('Unknown error', 0))
    request.onloadend = () => {
      clearTimeout(stallTimer)
      signal?.removeEventListener('abort', abort)
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)
    request.send(body)
  })
}
