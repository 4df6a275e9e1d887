import type { AwsS3MultipartOptions } from '@uppy/aws-s3'
import type { Body } from '@uppy/core'
import { askStorage } from './askStorage.ts'
import { companionStorage } from './companionStorage.ts'
import { RETRY_DELAYS, repeatUpload } from './repeatUpload.ts'
import { sendBytes } from './sendBytes.ts'
import { failureOfCall, UploadFailure } from './UploadFailure.ts'
import { type FileMeta, MULTIPART_OVER, type UploadAddress, type UploadTarget } from './uploadRules.ts'

/** Concurrent uploads of files and parts (uploads-7). */
const CONCURRENT = 6

/**
 * The result of signing a part: an address or an error, which is thrown where the bytes are sent, so that the same
 * retry rules apply.
 */
interface SignedPart {
  url: string
  method: 'PUT'
  isPart: true
  refused?: UploadFailure
}

/** Uppy's options to send files to `target`: whole, or in parts of at least 5 MB above 100 MB. */
export function uploadOptions(target: UploadTarget): AwsS3MultipartOptions<FileMeta, Body> {
  /** Per address of a whole file, a function that requests another one when it has expired. */
  const signAgain = new Map<string, () => Promise<UploadAddress>>()
  return {
    limit: CONCURRENT,
    retryDelays: RETRY_DELAYS,
    shouldUseMultipart: ({ size }) => (size ?? 0) > MULTIPART_OVER,
    ...companionStorage,

    async getUploadParameters(file) {
      const sign = () => askStorage(() => target.sign(file))
      const address = await sign()
      signAgain.set(address.url, sign)
      return { method: 'PUT', fields: {}, ...address } as { method: 'PUT'; url: string }
    },

    async signPart(file, part): Promise<SignedPart> {
      try {
        const { url } = await companionStorage.signPart(file, part)
        return { url, method: 'PUT', isPart: true }
      } catch (error) {
        return { url: '', method: 'PUT', isPart: true, refused: failureOfCall(error) }
      }
    },

    async uploadPartBytes({ signature, body, size, onProgress, onComplete, signal }) {
      const bytes = size ?? (body instanceof Blob ? body.size : 0)
      const sending = {
        body,
        signal,
        onProgress: (loaded: number) => onProgress({ loaded, total: bytes, lengthComputable: true }),
      }
      const arrived = (etag: string | null, location?: string) => {
        onProgress({ loaded: bytes, total: bytes, lengthComputable: true })
        onComplete(etag ?? '')
        return { ETag: etag ?? '', location }
      }
      if (isPart(signature)) {
        if (signature.refused) throw signature.refused
        return arrived(needEtag(await sendBytes(signature, sending)))
      }
      let address: UploadAddress = signature
      const send = async () => {
        try {
          return await sendBytes(address, sending)
        } catch (error) {
          const expired = error instanceof UploadFailure && error.source?.status === 403
          const sign = signAgain.get(signature.url)
          if (expired && sign && address.method !== 'POST') address = await sign()
          throw error
        }
      }
      const etag = await repeatUpload(send, { signal })
      // Uppy knows only the first address; a later one may have received the bytes.
      return arrived(etag, withoutSearch(address.url))
    },
  }
}

const isPart = (signature: object): signature is SignedPart => 'isPart' in signature

/** The address without its signature. */
function withoutSearch(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** Parts are joined by their ETags, so a page that may not read them cannot continue. */
function needEtag(etag: string | null): string {
  if (etag) return etag
  throw new UploadFailure(
    'Could not read the ETag header. This likely means CORS is not configured correctly on the storage.',
    400,
  )
}
