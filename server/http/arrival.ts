import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** In this header `npm run doctor` sends its token, to be told how its request arrived. */
export const DOCTOR_HEADER = 'x-doctor'

/** How a request arrived. */
export interface Arrival {
  /** The addresses in X-Forwarded-For, that of the first sender first. */
  forwardedFor: string[]
  /** How many of them the server believes (TRUST_PROXY). */
  believed: number
}

/** Only the operator knows the secret. The token tells no more than the caller's own way, so it stays the same. */
export const doctorToken = (secret: string): string =>
  createHmac('sha256', secret).update('doctor').digest('base64url')

/** Null for everybody but the doctor. */
export function readArrival(request: FastifyRequest, secret: string): Arrival | null {
  const sentToken = Buffer.from(String(request.headers[DOCTOR_HEADER] ?? ''))
  const token = Buffer.from(doctorToken(secret))
  if (sentToken.length !== token.length || !timingSafeEqual(sentToken, token)) return null
  const addresses = String(request.headers['x-forwarded-for'] ?? '').split(',')
  return {
    forwardedFor: addresses.map((address) => address.trim()).filter(Boolean),
    // The first is the other end of the socket.
    believed: (request.ips?.length ?? 1) - 1,
  }
}
