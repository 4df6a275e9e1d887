import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** The newest version of a PostgreSQL program that Debian does not put in the PATH; null without one. */
export function findPostgresProgram(name: string): string | null {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : []
  const places = versions.map((version) => `${folder}/${version}/bin/${name}`)
  return places.find((place) => existsSync(place)) ?? (isInstalled(name) ? name : null)
}
