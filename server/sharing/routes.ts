import * as contract from '../../contract/sharing.ts'
import { getCurrentUser } from '../auth/currentUser.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { Answer } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { takeFromLimit } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import { getStats } from '../profiles/stats.ts'
import type { FinishedPicture, Order, PictureMaker } from './pictures/PictureMaker.ts'
import type { Format } from './pictures/picture.ts'
import { readAchievement, shareAchievement } from './sharedAchievement.ts'
import { notShared, readCollection, viewCollection } from './sharedCollection.ts'
import { SHARING_LIMIT } from './sharingLimit.ts'
import { achievementSubject, collectionSubject } from './subjects.ts'

export function sharingRoutes(pictures: PictureMaker): Route<Context>[] {
  const collectionPicture = (format: Format) => async (call: Shared, context: Context) => {
    const collection = await readShared(context, (db) => readCollection(db, call.params.shareToken))
    if (!collection) throw notShared()
    return publicPicture(
      await pictures.make({ format, subject: collectionSubject(collection) }, orderOf(call, collection)),
    )
  }
  const achievementPicture = (format: Format) => async (call: Shared, context: Context) => {
    const achievement = await readShared(context, (db) => readAchievement(db, call.params.shareToken))
    if (!achievement) throw notShared()
    return publicPicture(
      await pictures.make({ format, subject: achievementSubject(achievement) }, orderOf(call, achievement)),
    )
  }

  return [
    route(contract.getSharedCollection, async ({ params, user }, { db }: Context) =>
      unindexed(await viewCollection(db, params.shareToken, user?.id ?? null)),
    ),

    route(contract.getSharedAchievement, async ({ params }, { db }: Context) => {
      const achievement = await readAchievement(db, params.shareToken)
      if (!achievement) throw notShared()
      return unindexed(achievement)
    }),

    route(contract.shareAchievement, async ({ user, params }, { db }: Context) => {
      await takeFromLimit(db, SHARING_LIMIT, user.id)
      return shareAchievement(db, user.id, params.id)
    }),

    route(contract.getCollectionPreview, collectionPicture('preview')),
    route(contract.getCollectionStory, collectionPicture('story')),
    route(contract.getAchievementPreview, achievementPicture('preview')),
    route(contract.getAchievementStory, achievementPicture('story')),

    route(contract.getStatsStory, async ({ user, exchange }, { db }: Context) => {
      const [stats, person] = await Promise.all([getStats(db, user.id), getCurrentUser(db, user.id)])
      const subject = {
        kind: 'stats' as const,
        bangers: stats.totalBangers,
        rated: stats.totalRatings,
        favourite: stats.favoriteMicrogenre,
        creator: contract.sharerName(person),
      }
      const order = { owner: user.id, subject: `stats ${user.id}`, signal: exchange.signal }
      const picture = await pictures.make({ format: 'story', subject }, order)
      return new Answer((reply) => reply.type('image/png').send(picture.png))
    }),
  ]
}

/** A link that was made a moment ago is perhaps not on the replica yet. */
async function readShared<T>({ read, db }: Context, find: (db: Database) => Promise<T | null>) {
  return (await read(find)) ?? find(db)
}

interface Shared {
  params: { shareToken: string }
  exchange: Exchange
}

const orderOf = ({ params, exchange }: Shared, { owner }: { owner: string }): Order => ({
  owner,
  subject: params.shareToken,
  signal: exchange.signal,
})

/** Shared by link, not by search (sharing-16). */
const unindexed = (value: object) =>
  new Answer((reply) => reply.header('x-robots-tag', 'noindex').send(value))

/** A picture that other sites show; kept outside for five minutes, for a link that dies has to be dead. */
const publicPicture = ({ png, etag }: FinishedPicture) =>
  new Answer((reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .header('etag', etag)
      .header('x-robots-tag', 'noindex')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(png),
  )
