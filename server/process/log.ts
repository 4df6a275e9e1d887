import { type DestinationStream, type Logger, pino } from 'pino'

/** The server's log: JSON lines, with errors reduced to what may be logged. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, serializers: { err: serializeError } }, destination)
}

/**
 * PostgreSQL's errors quote whole rows in `detail`, with addresses and hashes, and input in their message. Logged are
 * kind, code, place, and the text without anything that looks like personal data.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redact(String(error))
  const { name, message, stack = '', cause } = error
  return {
    type: name,
    message: redact(message),
    stack: redact(stack),
    ...Object.fromEntries(Object.entries(error).filter(([key]) => LOGGED_FIELDS.has(key))),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}

/** Codes of PostgreSQL and of the system. */
const LOGGED_FIELDS = new Set(['code', 'severity', 'routine', 'table', 'column', 'constraint', 'syscall'])

const redact = (text: string) =>
  text
    .replace(/[^\s"'<>()=,;:]+@[^\s"'<>()=,;]+/g, '[e-mail]')
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, '[token]')
