import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'

/** A signed-in browser. */
export const Session = z.object({
  id: Id,
  /** Browser and operating system, such as 'Firefox on Linux'. */
  device: z.string(),
  kind: z.enum(['computer', 'mobile', 'other']),
  createdAt: Moment,
  /** Rounded to the hour. */
  lastSeenAt: Moment,
  /** Whether this is the caller's session. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const listSessions = endpoint('GET /api/auth/sessions', {
  access: 'signed-in',
  summary: 'The sessions of the listener: the current one first, then by last use.',
  response: z.array(Session),
})

export const endSession = endpoint('DELETE /api/auth/sessions/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'session',
  summary: 'Signs one browser out.',
  response: Success,
})

export const endAllSessions = endpoint('DELETE /api/auth/sessions', {
  access: 'signed-in',
  summary: 'Signs out everywhere, this browser included.',
  response: Success,
})
