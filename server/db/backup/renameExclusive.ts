import { link, open, rename, rm } from 'node:fs/promises'
import { isUnsupportedByDisk } from '../embedded/isUnsupportedByDisk.ts'

/**
 * Gives a complete draft its name. Unlike a rename, a link never overwrites another file; a disk without links takes the
 * name first.
 * @throws Error when the file exists.
 */
export async function renameExclusive(draft: string, file: string, makeLink = link): Promise<void> {
  try {
    await makeLink(draft, file).catch(async (error: unknown) => {
      if (!isUnsupportedByDisk(error)) throw error
      await (await open(file, 'wx')).close()
      await rename(draft, file).catch(async (failure: unknown) => {
        await rm(file)
        throw failure
      })
    })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw exists ? new Error(`${file} already exists. Nothing was changed.`) : error
  }
}
