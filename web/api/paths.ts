import type { Endpoint } from '../../contract/endpoint.ts'
import { config } from './config.ts'

/** The address in the browser of a path of the application. */
export const withBasePath = (path: string): string => config.basePath + path

/** The path in the application of the page's address. */
export const currentPath = (): string => location.pathname.slice(config.basePath.length)

/** The name of what the browser stores. All applications of a host share its storage. */
export const storageKey = (name: string): string => `bob${config.basePath}:${name}`

/** The path of a call with its `:name` parameters filled in. A missing parameter is a bug. */
export function fillPath({ path }: Pick<Endpoint, 'path'>, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (!value) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** `?a=1&b=2` of the defined values; '' when there are none. */
export function formatQuery(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}
