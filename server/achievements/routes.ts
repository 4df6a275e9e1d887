import * as contract from '../../contract/achievements.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { announceAchievements, listAchievementProgress, listAchievements } from './achievements.ts'

export const achievementRoutes: Route<Context>[] = [
  route(contract.listAchievements, ({ user }, { db }: Context) => listAchievements(db, user.id)),

  route(contract.listAchievementProgress, ({ user }, { db }: Context) =>
    listAchievementProgress(db, user.id),
  ),

  route(contract.checkAchievements, ({ user }, { db }: Context) => announceAchievements(db, user.id)),
]
