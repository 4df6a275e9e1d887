import http from 'node:http'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  /** Sent unchanged. */
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

// Enough sockets that all calls of a test are in flight together.
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

/** One HTTP request over a real socket, with any headers, Host included. Does not follow redirects. */
export async function request(url: string, init: RequestOptions = {}): Promise<RawAnswer> {
  const { status, headers, bytes } = await requestBytes(url, init)
  return { status, headers, text: bytes.toString() }
}

/** Like `request`, with a binary response. */
export async function requestBytes(url: string, init: RequestOptions = {}): Promise<BinaryAnswer> {
  try {
    return await send(url, init)
  } catch (error) {
    // The server closed a kept-alive connection as it was reused: like browsers, retry on another one.
    if (error instanceof StaleConnection) return send(url, init)
    throw error
  }
}

class StaleConnection extends Error {}

function send(url: string, init: RequestOptions): Promise<BinaryAnswer> {
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

/** Node omits the length for methods that rarely have a body. */
const lengthOf = (body: string | Buffer | undefined) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
