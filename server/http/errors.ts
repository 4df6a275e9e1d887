import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, serviceBusy, signInRequired } from './HttpError.ts'
import { closeGently, isReceiving } from './incomingBytes.ts'
import { escapeHtml } from './pageExtras.ts'
import { type PageParts, plainPage } from './plainPage.ts'

const SERVER_ERROR_MESSAGE = 'Something went wrong on our side. Please try again.'
/**
 * Sends each error as JSON `{message}` with its status, without stack, SQL or paths. A browser's window gets a page
 * instead.
 */
export function handleErrors(app: FastifyInstance, parts: PageParts): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html'))
      return sendError(error, request, reply)
    reply.type('text/html; charset=utf-8')
    sendError(error, request, reply, (message) =>
      plainPage({
        title: 'Please try again',
        body: `<h1>This did not work</h1>
  <p>${escapeHtml(message)}</p>
  <p><a href="">Try again</a></p>`,
        parts,
      }),
    )
  })
}

/** Also handles errors before routing, such as an address that is not UTF-8. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (message: string) => unknown = (message) => ({ message }),
): void {
  const httpError = asHttpError(error)
  const { status } = httpError
  // For a 502, the client of the outside service has logged the reason. During an outage a stack for each call says no more.
  if (status >= 500 && status !== 502)
    request.log.error({ err: status === 503 ? String(error) : error }, 'request failed')
  if (httpError.retryAfter !== undefined) reply.header('retry-after', httpError.retryAfter)
  if (reply.getHeader('connection') === 'close' && !request.raw.complete) closeGently(request.raw)
  reply.status(status).header('cache-control', 'no-store').send(write(httpError.message))
}

function asHttpError(error: FastifyError | Error): HttpError {
  if (error instanceof HttpError) return error
  const code = 'code' in error ? String(error.code) : ''
  const rule = FASTIFY_ERRORS[code]
  if (rule) return rule
  if (isUnstorableText(error, code))
    return new HttpError(400, 'A text contains a character that cannot be stored.')
  // The account was just deleted, and this server still has its session in the cache.
  if (code === '23503' && 'constraint' in error && /_user_id_users_id_fk$/.test(String(error.constraint)))
    return signInRequired()
  if (isDatabaseUnavailable(error)) return serviceBusy()
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 429 || status === 503) {
    return status === 429 ? new HttpError(429, error.message, { retryAfter: 1 }) : serviceBusy()
  }
  if (status !== undefined && status >= 400 && status < 500)
    return new HttpError(status, 'The request cannot be read.')
  return new HttpError(500, SERVER_ERROR_MESSAGE)
}

const FASTIFY_ERRORS: Record<string, HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(415, 'The body must be JSON.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new HttpError(413, 'The body is too large.'),
  FST_ERR_CTP_INVALID_JSON_BODY: new HttpError(400, 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new HttpError(400, 'The body does not have the announced length.'),
}

/** Unlike JSON, PostgreSQL's text cannot contain NUL, and its jsonb no lone surrogates. */
function isUnstorableText(error: Error, code: string): boolean {
  if (code === '22021' || code === '22P05') return true
  return code === '22P02' && 'routine' in error && String(error.routine).startsWith('json')
}

/** Connection errors of the database and the system, and PostgreSQL's temporary errors, including a full disk. */
export function isDatabaseUnavailable(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['CONNECTION_LOST', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code) ||
    // The socket of a database that does not run. For a missing file, `syscall` is another one.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /^(57P0[1-5]|57014|40001|40P01|53\w{3}|58030|08\w{3}|25006)$/.test(code) ||
    // A worker of a cluster was lost in the middle of a statement.
    (code === 'XX000' && 'file' in error && error.file === 'remote_commands.c')
  )
}

/** Responds with JSON to a request that Node could not parse. Uploads may take longer than other requests. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceiving(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = RESPONSES[error.code ?? ''] ?? ['400 Bad Request', 'The request cannot be read.']
  const body = JSON.stringify({ message })
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

const RESPONSES: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
}
