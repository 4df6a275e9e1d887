import type { Endpoint } from '../../contract/endpoint.ts'

type UnauthorizedHandler = (endpoint: Endpoint) => void

const handlers = new Set<UnauthorizedHandler>()

/**
 * Called at every 401 (signin-2), and at every 409, because somebody else may be signed in now (signin-26), whichever
 * call got it. Returns a function that stops listening.
 */
export function onUnauthorized(handler: UnauthorizedHandler): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

export function reportUnauthorized(endpoint: Endpoint): void {
  for (const handler of handlers) handler(endpoint)
}
