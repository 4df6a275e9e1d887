import type { ServerResponse } from 'node:http'

/**
 * How a service behaves: works, hangs, sends an HTML page, answers 429 or 503, closes the connection, or closes it in
 * the middle of its answer.
 */
export type Behaviour = 'ok' | 'slow' | 'wrong' | 'limited' | 'down' | 'gone' | 'cut'

/** Responds as the failure requires. Returns false when the service works and the response is still to be sent. */
export function answerAs(behaviour: Behaviour, response: ServerResponse, retryAfter = 60): boolean {
  switch (behaviour) {
    case 'ok':
      return false
    case 'slow':
      return true
    case 'wrong':
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>Please wait</title>')
      return true
    case 'limited':
      response.writeHead(429, { 'Retry-After': String(retryAfter) }).end('Too many requests')
      return true
    case 'down':
      response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Service Unavailable')
      return true
    case 'gone':
      response.destroy()
      return true
    case 'cut':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
      response.write('{"recordings": [{"id": "', () => response.destroy())
      return true
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
