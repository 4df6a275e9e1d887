import http from 'node:http'

export interface Init {
  method?: string
  headers?: Record<string, string>
  /** Sent as it is. */
  body?: string | Buffer
}

export interface RawAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

interface BinaryAnswer extends Omit<RawAnswer, 'text'> {
  bytes: Buffer
}

// Enough sockets that calls which a test sends at once are under way at once.
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

/** One HTTP request over a real socket, with any header that a test wants, Host included. Follows no redirect. */
export async function request(url: string, init: Init = {}): Promise<RawAnswer> {
  const { status, headers, bytes } = await requestBytes(url, init)
  return { status, headers, text: bytes.toString() }
}

/** As `request`, with an answer that is no text. */
export async function requestBytes(url: string, init: Init = {}): Promise<BinaryAnswer> {
  try {
    return await send(url, init)
  } catch (error) {
    // The server ended a kept connection in the moment in which it was used again: as browsers do, on another one.
    if (error instanceof StaleConnection) return send(url, init)
    throw error
  }
}

class StaleConnection extends Error {}

function send(url: string, init: Init): Promise<BinaryAnswer> {
  return new Promise((resolve, reject) => {
    const call = http.request(
      url,
      { method: init.method ?? 'GET', headers: { ...lengthOf(init.body), ...init.headers }, agent },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
      },
    )
    call.on('error', (error: NodeJS.ErrnoException) => {
      const wasEnded = call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(wasEnded ? new StaleConnection(error.message, { cause: error }) : error)
    })
    call.end(init.body)
  })
}

/** Node leaves the length out for methods that seldom have a body. */
const lengthOf = (body: string | Buffer | undefined) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
