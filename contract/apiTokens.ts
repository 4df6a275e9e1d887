import * as z from 'zod/mini'
import { endpoint, type Scope } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { VisibleLine } from './texts.ts'

export const SCOPES = ['read', 'rate', 'export'] as const satisfies readonly Scope[]

/** Secret scanners find tokens by it. */
export const API_TOKEN_PREFIX = 'bob_'

/** How many tokens a listener can have (signin-27). */
export const MAX_API_TOKENS = 20

export const MAX_API_TOKEN_NAME_LENGTH = 60

const Scopes = z.array(z.enum(SCOPES))

/** A listener's token for programs, without its secret (signin-27). */
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  scopes: Scopes,
  createdAt: Moment,
  /** At most a minute late. Null until the first use. */
  lastUsedAt: z.nullable(Moment),
})
export type ApiToken = z.infer<typeof ApiToken>

export const listApiTokens = endpoint('GET /api/auth/tokens', {
  access: 'signed-in',
  summary: 'The tokens of the listener for programs, the newest first.',
  response: z.array(ApiToken),
})

export const createApiToken = endpoint('POST /api/auth/tokens', {
  access: 'signed-in',
  summary: 'Makes a token for programs. Only this answer has it. 409 when there are 20.',
  body: z.object({
    name: VisibleLine.check(z.maxLength(MAX_API_TOKEN_NAME_LENGTH, 'is too long')),
    scopes: Scopes.check(z.minLength(1), z.maxLength(SCOPES.length)),
  }),
  response: z.extend(ApiToken, { token: z.string() }),
  fails: [409],
})

export const revokeApiToken = endpoint('DELETE /api/auth/tokens/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'token',
  summary: 'Revokes a token, at once.',
  response: Success,
})
