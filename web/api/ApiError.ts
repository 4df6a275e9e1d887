/**
 * The error of every unsuccessful answer. Its message is the status, a colon, a space and the body, or the status
 * text when the body is empty (calls-4): `404: {"message":"…"}`, `500: Internal Server Error`.
 */
export class ApiError extends Error {
  readonly status: number
  /** The `message` of a JSON body; null for any other body. */
  readonly serverMessage: string | null
  /** Milliseconds that the server asks to wait (RFC 9110 §10.2.3); 0 when it says nothing, or names a date. */
  readonly retryAfter: number

  constructor(status: number, statusText: string, body: string, retryAfter: string | null = null) {
    super(`${status}: ${body || statusText || statusPhrases[status] || 'Unknown Error'}`)
    this.name = 'ApiError'
    this.status = status
    this.serverMessage = parseServerMessage(body)
    this.retryAfter = Number(retryAfter) * 1000 || 0
  }
}

function parseServerMessage(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || !('message' in parsed)) return null
    return typeof parsed.message === 'string' ? parsed.message : null
  } catch {
    return null
  }
}

/** Standard phrases (RFC 9110), because HTTP/2 has no status text. */
const statusPhrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** A proxy in front of the server has answered in its place, because its own session has ended (calls-13). */
export class ProxySessionError extends Error {
  constructor() {
    super('The session of the proxy in front of this site has ended')
    this.name = 'ProxySessionError'
  }
}

/** Whether this is a redirect to a sign-in page, or such a page: the API answers JSON, and redirects nobody. */
export function isSignInPage({ type, status, headers }: Response): boolean {
  if (type === 'opaqueredirect') return true
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return isPage && (status < 300 || status === 401 || status === 403)
}

/** Why the server refused a call, such as a limit, in its words; null when it failed or did not answer. */
export function refusalMessage(error: unknown): string | null {
  return error instanceof ApiError && error.status < 500 ? error.serverMessage : null
}
