import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The full path of a file or folder of the package, whether the sources or dist/ run. */
export function packagePath(path: string): string {
  return join(root, path)
}

/** The text of a file of the package, with LF as line ends, so that hashes are the same where git or an editor wrote CRLF. */
export const readPackageText = (path: string): string =>
  readFileSync(packagePath(path), 'utf8').replaceAll('\r\n', '\n')

const root = findRoot(dirname(fileURLToPath(import.meta.url)))

/** The product's version. A release between two versions also names its commit. */
export const { version: VERSION } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json was not found above the program.')
  return findRoot(parent)
}
