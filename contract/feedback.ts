import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Message } from './shapes.ts'
import { Lines } from './texts.ts'

/** Characters of a message (people-21). */
export const FEEDBACK_LENGTH = 5000

export const sendFeedback = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'signed-in',
  summary: 'Stores feedback for the operator; it is mailed afterwards.',
  body: z.object({
    email: Email,
    message: Lines.check(z.trim(), z.minLength(1, 'is missing'), z.maxLength(FEEDBACK_LENGTH, 'is too long')),
  }),
  response: Message,
})
