import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_TOKEN_PREFIX } from '../../contract/apiTokens.ts'
import { HttpError } from './HttpError.ts'

/**
 * The listener's token that a program sent (signin-28). Other credentials in this header are for a proxy, whose
 * listeners have a session.
 */
export function readApiToken({ headers: { authorization = '' } }: FastifyRequest): string | null {
  const [, scheme = '', token = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? []
  return scheme.toLowerCase() === 'bearer' && token.startsWith(API_TOKEN_PREFIX) ? token : null
}

/** A hook: a token opens only the routes that name a scope, also when a cookie comes with it (signin-28). */
export function refuseApiTokens(
  request: FastifyRequest,
  _: FastifyReply,
  done: (error?: Error) => void,
): void {
  const isRefused = readApiToken(request) !== null && !request.routeOptions.config.scope
  done(isRefused ? new HttpError(403, 'No token opens this call.') : undefined)
}
