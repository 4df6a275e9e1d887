import http from 'node:http'

export interface Init {
  method?: string
  headers?: Record<string, string>
  /** Sent as it is. */
  body?: string
}

export interface RawAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

// Enough sockets that calls which a test sends at once are under way at once.
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

/** One HTTP request over a real socket, with any header that a test wants, Host included. Follows no redirect. */
export function request(url: string, init: Init = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = http.request(
      url,
      { method: init.method ?? 'GET', headers: { ...lengthOf(init.body), ...init.headers }, agent },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    call.on('error', reject)
    call.end(init.body)
  })
}

/** Node leaves the length out for methods that seldom have a body. */
const lengthOf = (body: string | undefined) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
