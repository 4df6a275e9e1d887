/** The states of a file (uploads-5). */
export type UploadStatus = 'error' | 'waiting' | 'preprocessing' | 'uploading' | 'postprocessing' | 'complete'

/** The properties of a file that determine its state. */
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

/** The state of one file. */
export function fileStatus({ error, progress }: Progress): UploadStatus {
  if (error) return 'error'
  if (progress.preprocess) return 'preprocessing'
  if (progress.uploadStarted && !progress.uploadComplete) return 'uploading'
  if (progress.postprocess) return 'postprocessing'
  return progress.uploadComplete ? 'complete' : 'waiting'
}

/** The state of the dialog: the first of these that any file has; null without files. */
export function overallStatus(files: readonly Progress[]): UploadStatus | null {
  const statuses = new Set(files.map(fileStatus))
  return statusPriority.find((status) => statuses.has(status)) ?? null
}

const statusPriority: UploadStatus[] = [
  'uploading',
  'preprocessing',
  'postprocessing',
  'error',
  'waiting',
  'complete',
]
