import type { Endpoint } from '../../contract/endpoint.ts'

type Listener = (endpoint: Endpoint) => void

const listeners = new Set<Listener>()

/** Hears of every 401, whoever made the call (D-05). Gives the way to stop listening. */
export function onUnauthorized(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportUnauthorized(endpoint: Endpoint): void {
  for (const listener of listeners) listener(endpoint)
}
