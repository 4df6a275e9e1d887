import fc from 'fast-check'
import * as z from 'zod'
import type * as mini from 'zod/mini'
import { anyText } from './hostileTexts.ts'

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
 * Objects that a schema of the contract accepts. Values that only the world knows are left out, and filled in from a
 * working call: ids, e-mail addresses and texts with a fixed format.
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
