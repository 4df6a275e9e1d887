import type { ServerResponse } from 'node:http'

/**
 * How a service feels: well; it never answers; it answers a page of HTML; it refuses with 429, or with 503; or
 * it hangs up.
 */
export type Mood = 'ok' | 'slow' | 'wrong' | 'limited' | 'down' | 'gone'

/** Answers in a bad mood. False: the mood is good, and the answer still to be given. */
export function answerInMood(mood: Mood, response: ServerResponse, retryAfter = 60): boolean {
  switch (mood) {
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
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
