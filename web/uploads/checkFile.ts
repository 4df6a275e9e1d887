import { UploadFailure } from './UploadFailure.ts'
import type { UploadFile } from './uploadRules.ts'

/** Fails early for a file that was moved, deleted or changed after it was chosen. */
export async function checkFile({ data }: UploadFile): Promise<void> {
  if (!(data instanceof Blob)) return
  try {
    await data.slice(0, 1).arrayBuffer()
  } catch {
    throw new UploadFailure('It cannot be read any more. Please choose it again.', 400)
  }
}
