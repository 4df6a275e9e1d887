/** The states of spec §4. */
export type UploadStatus = 'error' | 'waiting' | 'preprocessing' | 'uploading' | 'postprocessing' | 'complete'

/** What of a file tells how far it is. */
interface Progress {
  error?: string | null
  progress: {
    preprocess?: unknown
    postprocess?: unknown
    /** When, in milliseconds since 1970. */
    uploadStarted: number | null
    uploadComplete?: boolean
  }
}

/** What one file is at. */
export function statusOf({ error, progress }: Progress): UploadStatus {
  if (error) return 'error'
  if (progress.preprocess) return 'preprocessing'
  if (progress.uploadStarted && !progress.uploadComplete) return 'uploading'
  if (progress.postprocess) return 'postprocessing'
  return progress.uploadComplete ? 'complete' : 'waiting'
}

/** What the dialog as a whole is at: the first of these that any of its files is; null without files. */
export function overallStatus(files: readonly Progress[]): UploadStatus | null {
  const found = new Set(files.map(statusOf))
  return order.find((status) => found.has(status)) ?? null
}

const order: UploadStatus[] = ['uploading', 'preprocessing', 'postprocessing', 'error', 'waiting', 'complete']
