import { getSystemErrorMap } from 'node:util'
import type * as z from 'zod/mini'

/** The file or the command line is invalid. The message says what to do. */
export class BadInput extends Error {}

/** The command line is invalid, whatever the files contain. */
export class UsageError extends BadInput {}

/**
 * Says what is wrong with a value, in words that follow its name: 'limit: must be at most 20' (calls-11). Pass it as
 * `error` where input is parsed. Messages of the shape itself come first.
 */
export const validationMessages: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? 'something else'}`
    case 'invalid_value':
      return `must be ${alternatives.format(issue.values.map(String))}`
    case 'too_small':
      return limitMessage(issue, issue.minimum, 'at least', 'more than')
    case 'too_big':
      return limitMessage(issue, issue.maximum, 'at most', 'less than')
    default:
      return 'is not valid'
  }
}

/** By zod's names. */
const TYPE_NAMES: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const UNITS: Partial<Record<string, string>> = { string: 'character', array: 'item' }

/** British English, which has no comma before 'or'. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function limitMessage(
  { origin, inclusive }: { origin: string; inclusive?: boolean | undefined },
  limit: number | bigint,
  within: string,
  beyond: string,
): string {
  const amount = `${inclusive === false ? beyond : within} ${limit}`
  const unit = UNITS[origin]
  return unit ? `must have ${amount} ${unit}${Number(limit) === 1 ? '' : 's'}` : `must be ${amount}`
}

/** The system's message about a file, with the name of the file instead of its draft; null for other errors. */
export function fileErrorMessage(error: unknown): string | null {
  const { errno, syscall, path } = error as NodeJS.ErrnoException
  const [, reason] = getSystemErrorMap().get(errno ?? 0) ?? []
  if (!reason || !(path || FILE_CALLS.test(syscall ?? ''))) return null
  return `${path?.replace(/(\.\d+)?\.part$/, '') ?? 'The file'} cannot be used: ${reason}.`
}

/** Calls on open files, whose errors name no path. */
const FILE_CALLS = /^(read|write|fsync|ftruncate|close)$/
