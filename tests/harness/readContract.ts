import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '../../contract/endpoint.ts'
import { packagePath } from '../../server/packagePath.ts'

/** Every endpoint that a module of contract/ exports; those that delete come last. */
export async function readContract(): Promise<Endpoint[]> {
  const endpoints = Object.values(await readContractExports()).filter(isEndpoint)
  return endpoints.sort((a, b) => METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method))
}

const METHOD_ORDER = ['GET', 'POST', 'PUT', 'DELETE']

/** All exports of the modules of contract/, by name. */
export async function readContractExports(): Promise<Record<string, unknown>> {
  const folder = packagePath('contract')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(join(folder, name)).href) as Promise<Record<string, unknown>>),
  )
  return Object.assign({}, ...modules)
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  )
}
