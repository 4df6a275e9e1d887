import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SUB_PATH } from '../../harness/tier.ts'
import { type CallNames, rememberAnswers, type StoredAnswers } from './calls.ts'

/** The ways in which a call can fail. */
export const failures = ['500', '503 with Retry-After', 'malformed JSON', 'dead network'] as const
export type Failure = (typeof failures)[number]

/**
 * Failures of one call after which it gets no response any more, which ends a storm that was counted. Chromium
 * retries a call when a kept-alive connection closes, which the page's own count does not show.
 */
const MAX_FAILURES = 16

/**
 * A proxy of the real server that lets calls fail in one way. It caches the real responses, so that a screen can be
 * opened many times in the same state.
 */
export interface FailingServer {
  url: string
  /** From now on these calls fail, and no others. */
  fail(calls: readonly string[]): void
  /** From now on these calls get the test's responses. */
  replaceResponses(answers: Record<string, { status?: number; json: unknown }>): void
  close(): Promise<void>
}

interface Options {
  target: string
  failure: Failure
  nameOf: CallNames
  stored: StoredAnswers
}

export async function startFailingServer(options: Options): Promise<FailingServer> {
  const { target, failure, nameOf } = options
  /** The number of failures of each failing call. */
  let failed = new Map<string, number>()
  let instead: Parameters<FailingServer['replaceResponses']>[0] = {}
  const ask = rememberAnswers(options)

  const server = http.createServer(async (request, response) => {
    const call = nameOf(request.method ?? '', new URL(request.url ?? '/', target).href)
    const times = failed.get(call ?? '')
    if (call !== null && times !== undefined) {
      failed.set(call, times + 1)
      if (times < MAX_FAILURES) answerFailure(response, failure)
      return
    }
    const own = call === null ? undefined : instead[call]
    if (own) {
      response.writeHead(own.status ?? 200, JSON_TYPE).end(JSON.stringify(own.json))
      return
    }
    const { status, headers, body } = await ask(request, call)
    if (headers['content-type']?.toString().startsWith('text/html')) {
      // Without the responses embedded in the document, the page makes the calls itself.
      const html = body.toString().replace(/<script type="application\/json".*?<\/script>/gs, '')
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(html) }).end(html)
      return
    }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${SUB_PATH}`,
    fail(calls) {
      failed = new Map(calls.map((call) => [call, 0]))
    },
    replaceResponses(answers) {
      instead = answers
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function answerFailure(response: http.ServerResponse, failure: Failure): void {
  switch (failure) {
    case '500':
      response.writeHead(500, JSON_TYPE).end('{"message":"Internal Server Error"}')
      return
    case '503 with Retry-After':
      response
        .writeHead(503, { ...JSON_TYPE, 'retry-after': '5' })
        .end('{"message":"Please try again in a moment."}')
      return
    case 'malformed JSON':
      response.writeHead(200, JSON_TYPE).end('{"songs": [1, ')
      return
    case 'dead network':
      response.destroy()
  }
}
