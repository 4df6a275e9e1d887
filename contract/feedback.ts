import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Id, Message, Moment } from './shapes.ts'
import { Lines } from './texts.ts'

/** Characters of a message (people-21). */
export const MAX_FEEDBACK_LENGTH = 5000

/** Messages per response of `listFeedback`. */
export const FEEDBACK_PAGE_SIZE = 50

const NewFeedback = z.object({
  email: Email,
  message: Lines.check(
    z.trim(),
    z.minLength(1, 'is missing'),
    z.maxLength(MAX_FEEDBACK_LENGTH, 'is too long'),
  ),
})

export const sendFeedback = endpoint('POST /api/contact', {
  access: 'signed-in',
  summary: 'Stores feedback for the operator; it is mailed afterwards.',
  body: NewFeedback,
  response: Message,
})

export const contactOperator = endpoint('POST /api/contact/operator', {
  access: 'public',
  summary: 'A message to the operator, also from people without an account. It is stored like feedback.',
  body: NewFeedback,
  response: Message,
})

export const ReceivedFeedback = z.object({
  id: Id,
  /** A listener with an account, or somebody who wrote from the privacy page. */
  from: z.enum(['listener', 'visitor']),
  /** Null for a listener who wants no e-mails (people-24). */
  email: z.nullable(z.string()),
  message: z.string(),
  createdAt: Moment,
  /** Whether it was mailed to the operator. */
  mailed: z.boolean(),
})
export type ReceivedFeedback = z.infer<typeof ReceivedFeedback>

export const listFeedback = endpoint('GET /api/feedback', {
  access: 'diagnostics',
  summary: 'Messages to the operator, newest first, 50 at a time, with ids below `before`.',
  query: z.object({ before: z.optional(Id) }),
  response: z.array(ReceivedFeedback),
})
