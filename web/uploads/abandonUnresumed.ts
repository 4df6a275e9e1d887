import { companionStorage } from './companionStorage.ts'
import type { Uploader, UploadFile } from './uploadRules.ts'

/**
 * Parts that a restored file had sent before the crash are thrown away with it when it is removed instead of
 * resumed: Uppy itself aborts only what it has started again.
 */
export function abandonUnresumed(uppy: Uploader): void {
  const unresumed = new Map<string, { uploadId: string; key: string }>()
  uppy.on('restored', () => {
    for (const file of uppy.getFiles()) {
      const multipart = multipartOf(file)
      if (multipart && !file.progress.uploadComplete) unresumed.set(file.id, multipart)
    }
  })
  uppy.on('restore-confirmed', () => unresumed.clear())
  uppy.on('file-removed', (file) => {
    const multipart = unresumed.get(file.id)
    if (multipart && unresumed.delete(file.id)) {
      // What cannot be aborted now is swept by the server later.
      companionStorage.abortMultipartUpload(file, multipart).catch(() => {})
    }
  })
}

/** What Uppy's uploader remembers of a file that goes in parts. */
function multipartOf(file: UploadFile): { uploadId: string; key: string } | null {
  const { s3Multipart } = file as { s3Multipart?: { uploadId?: string; key?: string } }
  const { uploadId, key } = s3Multipart ?? {}
  return uploadId && key ? { uploadId, key } : null
}
