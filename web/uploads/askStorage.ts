import { repeatUpload } from './repeatUpload.ts'
import { failureOfCall } from './UploadFailure.ts'

/** The answer to a call about files, asked for again where that can help; a failure in the words of spec §8. */
export function askStorage<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const askOnce = () =>
    ask().catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : failureOfCall(error)
    })
  return repeatUpload(askOnce, { signal })
}
