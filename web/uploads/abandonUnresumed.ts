import { companionStorage } from './companionStorage.ts'
import type { Uploader, UploadFile } from './uploadRules.ts'

/**
 * Deletes the parts of a restored file that is removed instead of resumed: Uppy only aborts uploads that it has
 * started again.
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
      // When this fails, the server sweeps them later.
      companionStorage.abortMultipartUpload(file, multipart).catch(() => {})
    }
  })
}

/** Uppy's record of a multipart upload. */
function multipartOf(file: UploadFile): { uploadId: string; key: string } | null {
  const { s3Multipart } = file as { s3Multipart?: { uploadId?: string; key?: string } }
  const { uploadId, key } = s3Multipart ?? {}
  return uploadId && key ? { uploadId, key } : null
}
