import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, serviceBusy, signInRequired } from './HttpError.ts'
import { closeGently } from './incomingBytes.ts'
import type { PageParts } from './pageExtras.ts'
import { escapeHtml } from './pageExtras.ts'
import { plainPage } from './plainPage.ts'

const SERVER_ERROR_MESSAGE = 'Something went wrong on our side. Please try again.'
/**
 * Every failure is sent as JSON `{message}` with the right status, without stack, SQL or paths; as a page to a browser's
 * window.
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

/** Also handles what Fastify rejects before routing, such as an address that is not UTF-8. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (message: string) => unknown = (message) => ({ message }),
): void {
  const httpError = asHttpError(error)
  // A 502 comes from an outside service; its client has logged the reason.
  if (httpError.status >= 500 && httpError.status !== 502) request.log.error({ err: error }, 'request failed')
  if (httpError.retryAfter !== undefined) reply.header('retry-after', httpError.retryAfter)
  if (reply.getHeader('connection') === 'close' && !request.raw.complete) closeGently(request.raw)
  reply.status(httpError.status).header('cache-control', 'no-store').send(write(httpError.message))
}

function asHttpError(error: FastifyError | Error): HttpError {
  if (error instanceof HttpError) return error
  const code = 'code' in error ? String(error.code) : ''
  const rule = FASTIFY_ERRORS[code]
  if (rule) return rule
  if (isUnstorableText(error, code))
    return new HttpError(400, 'A text contains a character that cannot be stored.')
  // The account was deleted a moment ago, and a server still trusts its session.
  if (code === '23503' && 'constraint' in error && /_user_id_users_id_fk$/.test(String(error.constraint)))
    return signInRequired()
  if (isDatabaseUnavailable(code, error)) return serviceBusy()
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

/** PostgreSQL text cannot contain NUL, and its JSON no lone surrogates; JSON in requests can. */
function isUnstorableText(error: Error, code: string): boolean {
  if (code === '22021' || code === '22P05') return true
  return code === '22P02' && 'routine' in error && String(error.routine).startsWith('json')
}

/** Connection errors of the database and the system, and PostgreSQL's temporary errors, including a full disk. */
function isDatabaseUnavailable(code: string, error: Error): boolean {
  return (
    ['CONNECTION_LOST', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code) ||
    // The socket of a database that does not run; for a missing file the error names another call.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /^(57P0[1-5]|57014|40001|40P01|53\w{3}|58030|08\w{3}|25006)$/.test(code) ||
    // A worker of a cluster was lost in the middle of a statement.
    (code === 'XX000' && 'file' in error && error.file === 'remote_commands.c')
  )
}
