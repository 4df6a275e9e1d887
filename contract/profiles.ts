import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const ListenerStats = z.object({
  totalBangers: z.int(),
  totalRatings: z.int(),
  favoriteMicrogenre: z.nullable(z.string()),
})

export const getMyStats = endpoint({
  method: 'GET',
  path: '/api/users/me/stats',
  access: 'signed-in',
  summary: "The listener's own totals; they never lag.",
  response: ListenerStats,
})

export const getDailyStats = endpoint({
  method: 'GET',
  path: '/api/users/me/stats/daily',
  access: 'signed-in',
  summary: "What was rated today, in the listener's own day (D-47).",
  query: z.object({ tz: z.optional(z.string().check(z.maxLength(64))) }),
  response: z.object({ dailyBangers: z.int(), dailyRatings: z.int() }),
})
