import * as contract from '../../contract/feedback.ts'
import type { Context } from '../context.ts'
import { countUse, defineLimit, enforceLimit } from '../http/limits/limits.ts'
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
const FLOOD = {
  seconds: 86_400,
  message: 'Too many messages arrived today. Please try again tomorrow.',
}
/** Of all networks. Beyond it, each network may still send one. */
const MESSAGES_PER_DAY = defineLimit({
  ...FLOOD,
  name: 'messages',
  max: 200,
  counts: 'messages from the privacy page',
  per: 'all',
})
const MESSAGES_IN_FLOOD = defineLimit({
  ...FLOOD,
  name: 'flood-network',
  max: 1,
  counts: 'messages from the privacy page, beyond those of all',
  per: 'network',
})

export const feedbackRoutes: Route<Context>[] = [
  route(contract.sendFeedback, async ({ user, body }, { db }: Context) => {
    await enforceLimit(db, FEEDBACK_PER_LISTENER, user.id)
    return storeFeedback(db, user.id, body)
  }),

  route(contract.contactOperator, async ({ user, body, exchange }, { db }: Context) => {
    await enforceLimit(db, MESSAGES_PER_NETWORK, exchange.ip)
    if ((await countUse(db, MESSAGES_PER_DAY, 'all')) > 0)
      await enforceLimit(db, MESSAGES_IN_FLOOD, exchange.ip)
    return storeFeedback(db, user?.id ?? null, body)
  }),

  route(contract.listFeedback, ({ query }, { db }: Context) =>
    listFeedback(db, { before: query.before ?? null, limit: contract.FEEDBACK_PAGE_SIZE }),
  ),
]
