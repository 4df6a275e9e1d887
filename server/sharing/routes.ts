import { domainToUnicode } from 'node:url'
import * as blind from '../../contract/blindRounds.ts'
import * as contract from '../../contract/sharing.ts'
import { getCurrentUser } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { Answer } from '../http/answers.ts'
import type { Exchange } from '../http/exchange.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { exportSongs } from '../library/exportBangers.ts'
import { getStats } from '../profiles/stats.ts'
import { readMap } from '../taste/map.ts'
import { compareVerdicts, getBlindRound, readBlindRound, shareBlindRound } from './blindRounds.ts'
import type { PictureMaker, RenderedPicture } from './pictures/PictureMaker.ts'
import type { Format, Subject } from './pictures/picture.ts'
import { toPictureSubject } from './pictures/picture.ts'
import {
  orNotShared,
  readShared,
  readSharedAchievement,
  readSharedCollection,
  readSharedMix,
  shareAchievement,
  viewSharedCollection,
  withSongs,
} from './sharedItems.ts'
import { SHARING_LIMIT } from './shareTokens.ts'

export function sharingRoutes(pictures: PictureMaker): Route<Context>[] {
  /** A picture for the caller only. */
  const sendOwnStory = async ({ user, exchange }: OwnCall, context: Context, subject: Subject) => {
    const order = { owner: user.id, subject: `${subject.kind} ${user.id}`, signal: exchange.signal }
    const { png } = await pictures.make({ format: 'story', subject, site: siteOf(context) }, order)
    return new Answer((reply) => reply.type('image/png').send(png))
  }

  const sendPicture = (format: Format) => async (call: PictureCall, context: Context) => {
    const { kind, shareToken } = call.params
    const find = (db: Database) => readShared(db, context.env, kind as contract.ShareKind, shareToken)
    // A replica may not have a new link yet.
    const { page, owner } = orNotShared((await context.read(find)) ?? (await find(context.db)))
    const picture = { format, subject: toPictureSubject(page), site: siteOf(context) }
    const order = { owner, subject: shareToken, signal: call.exchange.signal }
    return toPictureAnswer(await pictures.make(picture, order))
  }

  return [
    route(contract.getSharedCollection, async ({ params, user, exchange }, { db, env }: Context) => {
      const find = exchange.isHead ? readSharedCollection : viewSharedCollection
      const collection = orNotShared(await find(db, params.shareToken, user?.id ?? null))
      return withoutIndexing(await withSongs(db, env, collection))
    }),

    route(contract.getSharedAchievement, async ({ params }, { db }: Context) =>
      withoutIndexing(orNotShared(await readSharedAchievement(db, params.shareToken))),
    ),

    route(contract.getSharedMix, async ({ params }, { db, env }: Context) =>
      withoutIndexing(orNotShared(await readSharedMix(db, env, params.shareToken))),
    ),

    route(contract.exportSharedMix, async ({ params, query }, { db, env }: Context) => {
      const { name, songs } = orNotShared(await readSharedMix(db, env, params.shareToken))
      const songIds = songs.map(({ id }) => id)
      return withoutIndexing(exportSongs(db, songIds, name, query.form))
    }),

    route(contract.shareAchievement, async ({ user, params }, { db }: Context) => {
      await enforceLimit(db, SHARING_LIMIT, user.id)
      return shareAchievement(db, user.id, params.id)
    }),

    route(contract.getSharePreview, sendPicture('preview')),
    route(contract.getShareStory, sendPicture('story')),

    route(contract.getStatsStory, async (call, context: Context) => {
      const { db } = context
      const { id } = call.user
      const [stats, person] = await Promise.all([getStats(db, id), getCurrentUser(db, id)])
      return sendOwnStory(call, context, {
        kind: 'stats',
        bangers: stats.totalBangers,
        rated: stats.totalRatings,
        favourite: stats.favoriteMicrogenre,
        creator: contract.sharerName(person),
      })
    }),

    route(contract.getMapStory, async (call, context: Context) => {
      const { db } = context
      const { id } = call.user
      const [map, person] = await Promise.all([readMap(db, id), getCurrentUser(db, id)])
      const places = map.map(({ name, color, x, y, ratings, bangers }) => ({
        name,
        color,
        x,
        y,
        ratings,
        bangers,
      }))
      return sendOwnStory(call, context, { kind: 'map', places, creator: contract.sharerName(person) })
    }),
  ]
}

/** Only while visitors may hear and rate (visitors-1). */
export const blindRoundRoutes: Route<Context>[] = [
  route(blind.getBlindRound, ({ user }, { db }: Context) => getBlindRound(db, user.id)),

  route(blind.shareBlindRound, async ({ user }, { db }: Context) => {
    await enforceLimit(db, SHARING_LIMIT, user.id)
    return shareBlindRound(db, user.id)
  }),

  route(blind.unshareBlindRound, async ({ user }, { db }: Context) => {
    await db`delete from blind_rounds where user_id = ${user.id}`
    return { success: true }
  }),

  route(blind.getSharedBlindRound, async ({ params }, { db, env }: Context) => {
    const { verdicts: _, ...round } = orNotShared(await readBlindRound(db, env, params.shareToken))
    return withoutIndexing(round)
  }),

  route(blind.compareVerdicts, async ({ params, body, exchange }, { db, env }: Context) => {
    if (body.result) await enforceLimit(db, RESULTS_PER_NETWORK, exchange.ip)
    return orNotShared(await compareVerdicts(db, env, params.shareToken, body))
  }),
]

const RESULTS_PER_NETWORK = defineLimit({
  name: 'round-results',
  max: 20,
  seconds: 3600,
  message: 'Many results were sent from your network. Please wait an hour.',
  counts: 'results of blind rounds',
  per: 'network',
})

interface PictureCall {
  params: Record<'kind' | 'shareToken', string>
  exchange: Exchange
}

interface OwnCall {
  user: { id: string }
  exchange: Exchange
}

/** In Unicode: 'bängers.example', not 'xn--bngers-bua.example'. */
export function siteOf({ env }: Context): string {
  const { hostname, port } = new URL(env.publicUrl)
  return (domainToUnicode(hostname) || hostname) + (port && `:${port}`) + env.basePath
}

/** Links are meant to be shared, not found by search engines (sharing-16). */
const withoutIndexing = (value: object) =>
  new Answer((reply) => {
    reply.header('x-robots-tag', 'noindex')
    return value instanceof Answer ? value.send(reply) : reply.send(value)
  })

/** Embeddable on other sites. A shared one is cached for five minutes only, because a link can be revoked. */
export const toPictureAnswer = ({ png, etag }: RenderedPicture, { isShared = true } = {}) =>
  new Answer((reply) => {
    reply
      .header('cache-control', `public, max-age=${isShared ? 300 : 86_400}`)
      .header('etag', etag)
      .header('cross-origin-resource-policy', 'cross-origin')
    if (isShared) reply.header('x-robots-tag', 'noindex')
    const matchingTags = reply.request.headers['if-none-match']
      ?.split(',')
      .map((one) => one.trim().replace('W/', ''))
    if (matchingTags?.some((one) => one === etag || one === '*')) return reply.status(304).send()
    return reply.type('image/png').send(png)
  })
