import * as contract from '../../contract/feedback.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { listFeedback, storeFeedback } from './feedback.ts'

const FEEDBACK_PER_LISTENER = defineLimit({
  name: 'feedback',
  max: 10,
  seconds: 3600,
  message: 'You have sent a lot of feedback. Please wait an hour.',
  counts: 'messages of feedback',
  per: 'listener',
})
const MESSAGES_PER_NETWORK = defineLimit({
  name: 'message-network',
  max: 5,
  seconds: 3600,
  message: 'Several messages were sent from your network. Please wait an hour.',
  counts: 'messages from the privacy page',
  per: 'network',
})
/** Of all networks together, so that no flood fills the database or the operator's mailbox. */
const MESSAGES_PER_DAY = defineLimit({
  name: 'messages',
  max: 200,
  seconds: 86_400,
  message: 'Too many messages arrived today. Please try again tomorrow.',
  counts: 'messages from the privacy page',
  per: 'all',
})

export const feedbackRoutes: Route<Context>[] = [
  route(contract.sendFeedback, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, FEEDBACK_PER_LISTENER, user.id)
    return storeFeedback(db, user.id, body)
  }),

  route(contract.contactOperator, async ({ user, body, exchange }, { db }: Context) => {
    await enforceLimit(db, MESSAGES_PER_NETWORK, exchange.ip)
    await enforceLimit(db, MESSAGES_PER_DAY, 'all')
    return storeFeedback(db, user?.id ?? null, body)
  }),

  route(contract.listFeedback, ({ query }, { db }: Context) =>
    listFeedback(db, { before: query.before ?? null, limit: contract.FEEDBACK_PAGE_SIZE }),
  ),
]
