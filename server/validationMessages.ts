import type * as z from 'zod/mini'

/**
 * What is wrong with a value, in words that follow its name: 'limit: must be at most 20' (calls-11). For everything
 * that a shape does not put into words of its own. Pass it as `error` where input is parsed.
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

/** By the validator's names. */
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

/** British, which has no comma before the last one. */
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
