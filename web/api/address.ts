import type { Endpoint } from '../../contract/endpoint.ts'

/** The path of a call with its `:name` parameters filled in. A missing parameter is a bug. */
export function fillPath(endpoint: Endpoint, params: Record<string, string> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (!value) throw new Error(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** `?a=1&b=2` of the defined values; '' when there are none. */
export function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}
