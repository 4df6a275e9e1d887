import * as contract from '../../contract/feedback.ts'
import type { Context } from '../context.ts'
import { type Limit, takeFromLimit } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import { keepFeedback } from './feedback.ts'

const PER_LISTENER: Limit = {
  name: 'feedback',
  max: 10,
  seconds: 3600,
  message: 'You have sent a lot of feedback. Please wait an hour.',
}

export const feedbackRoutes: Route<Context>[] = [
  route(contract.sendFeedback, async ({ user, body }, { db }: Context) => {
    await takeFromLimit(db, PER_LISTENER, user.id)
    return keepFeedback(db, user.id, body)
  }),
]
