import { type DestinationStream, type Logger, pino } from 'pino'

/** The server's log: a JSON object per line, with errors reduced to what may be logged. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, serializers: { err: serializeError } }, destination)
}

/**
 * Keeps type, code and stack of an error, and its message without what looks like personal data. PostgreSQL's errors quote
 * input in `message`, and whole rows in `detail`, with e-mail addresses and hashes.
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

/** Fields of errors of PostgreSQL and the system. */
const LOGGED_FIELDS = new Set(['code', 'severity', 'routine', 'table', 'column', 'constraint', 'syscall'])

/** Replaces what may be an e-mail address or a token. */
export const redact = (text: string) =>
  text
    .replace(/[^\s"'<>()=,;:]+@[^\s"'<>()=,;]+/g, '[e-mail]')
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, '[token]')

/** Prints a line for the person at the terminal, outside of the log. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Replaces control characters, which terminals interpret, in texts that others wrote. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')
}
