import { repeatUpload } from './repeatUpload.ts'
import { failureOfCall } from './UploadFailure.ts'

/** Makes a call about files and retries where that can help; failures are in words (uploads-9). */
export function askStorage<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const askOnce = () =>
    ask().catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : failureOfCall(error)
    })
  return repeatUpload(askOnce, { signal })
}
