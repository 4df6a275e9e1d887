import * as z from 'zod/mini'

type JsonSchema = Record<string, unknown>

/**
 * The JSON schema that serialises answers, from the contract's shape. Unknown fields are not written. `T | null`
 * becomes a type array, because anyOf is slow in the serialiser.
 */
export function responseSchema(shape: z.ZodMiniType): JsonSchema {
  const cached = schemas.get(shape)
  if (cached) return cached
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'output', target: 'draft-7' }) as JsonSchema
  const simple = simplify(schema)
  schemas.set(shape, simple)
  return simple
}

/** One for all servers of a process: tests start hundreds. */
const schemas = new WeakMap<z.ZodMiniType, JsonSchema>()

function simplify(schema: JsonSchema): JsonSchema {
  const result = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !VALIDATION_ONLY.has(key))
      .map(([key, value]) => [key, simplifyValue(value)]),
  )
  const options = result.anyOf
  if (!Array.isArray(options) || options.length !== 2) return result
  const [value, nothing] = options as [JsonSchema, JsonSchema]
  if (nothing.type !== 'null' || typeof value.type !== 'string') return result
  const { anyOf: _, ...rest } = result
  return { ...rest, ...value, type: [value.type, 'null'] }
}

function simplifyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifyValue)
  return value !== null && typeof value === 'object' ? simplify(value as JsonSchema) : value
}

/** Validation keywords; the serialiser does not need them. */
const VALIDATION_ONLY = new Set(['pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'format'])
