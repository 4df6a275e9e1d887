import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A path inside the package, the same from the sources and from dist/. */
export function packagePath(path: string): string {
  return join(root, path)
}

/** The text of a file of the package. Its line ends are LF, also where git or an editor wrote CRLF: hashes stay the same. */
export const readPackageText = (path: string): string =>
  readFileSync(packagePath(path), 'utf8').replaceAll('\r\n', '\n')

const root = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Of the product; a release between two versions names its commit, too. */
export const { version: VERSION } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json was not found above the program.')
  return findRoot(parent)
}
