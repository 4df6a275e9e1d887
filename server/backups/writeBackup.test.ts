import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { renameExclusive } from './writeBackup.ts'

const folder = setUpFolder()

/** The `link` of a disk that has none. */
const failingLink = (code: string) => async () => {
  throw Object.assign(new Error(`${code}: link`), { code })
}

// exFAT and FAT on Linux, on macOS, SMB, FUSE.
test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', undefined])(
  'a draft gets its name on a disk whose links fail with %s, and never that of another file',
  async (code) => {
    const makeLink = code ? failingLink(code) : undefined
    const [draft, file] = [join(folder, `${code}.part`), join(folder, `${code}.backup`)]
    await writeFile(draft, 'rows')
    await renameExclusive(draft, file, makeLink)
    expect(await readFile(file, 'utf8')).toBe('rows')

    // A link is the same file.
    await rm(draft, { force: true })
    await writeFile(draft, 'other rows')
    await expect(renameExclusive(draft, file, makeLink)).rejects.toThrow(
      `${file} already exists. Nothing was changed.`,
    )
    expect(await readFile(file, 'utf8')).toBe('rows')
  },
)

test('a disk that fails otherwise says how, and nothing has the name', async () => {
  const draft = join(folder, 'draft.part')
  await writeFile(draft, 'rows')

  await expect(renameExclusive(draft, join(folder, 'full.backup'), failingLink('ENOSPC'))).rejects.toThrow(
    'ENOSPC',
  )
  await expect(
    renameExclusive('/nowhere.part', join(folder, 'gone.backup'), failingLink('EPERM')),
  ).rejects.toThrow('ENOENT')
  expect(await readdir(folder)).not.toEqual(expect.arrayContaining([expect.stringMatching(/full|gone/)]))
})
