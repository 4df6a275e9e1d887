import http from 'node:http'
import { readContract } from '../../harness/readContract.ts'
import { urlPattern } from '../mockResponses.ts'

/** The name of a call, such as `GET /api/microgenres/:id/next-song?prefetch`; null for pages, scripts and pictures. */
export type CallNames = (method: string, url: string) => string | null

/** A name includes those of query parameters, because they change what an endpoint does. */
export async function readCallNames(): Promise<CallNames> {
  const contract = await readContract()
  // Exact paths before those with parameters.
  const endpoints = contract
    .filter(({ answers }) => answers === undefined)
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
    .map(({ method, path }) => ({ method, path, address: urlPattern({ path }) }))
  return (method, url) => {
    const endpoint = endpoints.find((each) => each.method === method && each.address.test(url))
    if (!endpoint) return null
    const names = [...new URL(url).searchParams.keys()]
    return `${method} ${endpoint.path}${names.length > 0 ? `?${names.join('&')}` : ''}`
  }
}

export interface StoredAnswer {
  status: number
  headers: http.OutgoingHttpHeaders
  body: Buffer
}

/** Responses of the real server to calls. */
export type StoredAnswers = Map<string, Promise<StoredAnswer>>

/** Forwards each call to the real server once, and every other request. */
export function rememberAnswers({ target, stored }: { target: string; stored: StoredAnswers }) {
  return async (request: http.IncomingMessage, call: string | null): Promise<StoredAnswer> => {
    const body = await readAll(request)
    if (call === null) return forward(target, request, body)
    const address = new URL(request.url ?? '/', target)
    // The Date header differs from call to call.
    address.searchParams.delete('_t')
    const { range, cookie } = request.headers
    const key = JSON.stringify([request.method, address.href, range, cookie])
    const answer = stored.get(key) ?? forward(target, request, body)
    stored.set(key, answer)
    return answer
  }
}

function forward(target: string, request: http.IncomingMessage, body: Buffer): Promise<StoredAnswer> {
  const { host, origin, 'accept-encoding': _, ...requestHeaders } = request.headers
  const headers = { ...requestHeaders, ...(origin && { origin: new URL(target).origin }) }
  return new Promise((resolve, reject) => {
    const forwarded = http.request(new URL(request.url ?? '/', target), { method: request.method, headers })
    forwarded.once('error', reject).once('response', async (answer) => {
      const { connection, 'keep-alive': alive, 'transfer-encoding': encoding, ...rest } = answer.headers
      resolve({ status: answer.statusCode ?? 500, headers: rest, body: await readAll(answer) })
    })
    forwarded.end(body)
  })
}

async function readAll(stream: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
