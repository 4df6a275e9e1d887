import { open } from 'node:fs/promises'
import { BadInput } from './fault.ts'

/** Opens the report before a run begins. @throws BadInput when it cannot be written. */
export async function openReport(file: string) {
  return open(file, 'w').catch((error: unknown) => {
    throw new BadInput(`The report cannot be written: ${error instanceof Error ? error.message : 'unknown'}`)
  })
}
