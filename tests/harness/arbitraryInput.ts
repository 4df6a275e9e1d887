import fc from 'fast-check'
import * as z from 'zod'
import type * as mini from 'zod/mini'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/**
 * Objects that a schema of the contract accepts. Leaves out what only a fixture has; a working call fills it in:
 * ids, e-mail addresses and texts with a fixed format.
 */
export function arbitraryInput(shape: mini.ZodMiniObject): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = z.toJSONSchema(shape, {
    io: 'output',
    unrepresentable: 'any',
  }) as JsonSchema
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = arbitraryValue(schema)
    return value ? [[name, value] as const] : []
  })
  return fc.record(Object.fromEntries(entries), {
    requiredKeys: entries.map(([name]) => name).filter((name) => required.includes(name)),
  })
}

/** Null for schemas that need such a value. */
function arbitraryValue(schema: JsonSchema): fc.Arbitrary<unknown> | null {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) {
    const options = schema.anyOf.map(arbitraryValue).filter((option) => option !== null)
    return options.length > 0 ? fc.oneof(...options) : null
  }
  switch (schema.type) {
    case 'string':
      return schema.pattern || schema.format ? null : arbitraryText(schema)
    case 'integer':
      return fc.integer({ min: leastOf(schema), max: Math.min(schema.maximum ?? 1000, 1e9) })
    case 'number':
      return fc.double({ min: leastOf(schema), max: schema.maximum ?? 1000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return null
  }
}

const leastOf = ({ minimum, exclusiveMinimum }: JsonSchema) =>
  minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1)

function arbitraryText({ minLength = 0, maxLength = 500 }: JsonSchema): fc.Arbitrary<string> {
  return anyText
    .map((text) => (text.trim().length < minLength ? 'a'.repeat(minLength) : text))
    .filter((text) => text.length <= maxLength && !text.includes('\u0000'))
}

/** Texts that break programs: markup, quotes, NUL, lone surrogates, right-to-left text, addresses. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud83c',
  '\udfb5\ud83c',
  '\u202e\u2066',
  '﷽'.repeat(40),
  'İı\u0130ß',
  '👩🏽‍🎤'.repeat(20),
  "'; drop table users; --",
  '" or 1=1 --',
  '%',
  '%00%0d%0aSet-Cookie: session=x',
  '\r\nBcc: everybody@example.test\r\n',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '{{7*7}}',
  `\${7*7}`,
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9223372036854775808',
  '999999999999999999',
  '99999999999999999999999999999999999999',
  '1.5',
  '0x10',
  '१२३',
  'true',
  '[]',
  '{}',
  'x'.repeat(3000),
  // The server must never request an address from a listener: the test inserts one that it listens on.
  'CANARY',
]

/** Any text: unusual characters of all planes, and known problem cases. */
export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
