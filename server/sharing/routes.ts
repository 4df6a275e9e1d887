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
import { toVisitorSong } from '../visitors/visitorSong.ts'
import { compareVerdicts, getBlindRound, readBlindRound, shareBlindRound } from './blindRounds.ts'
import type { PictureMaker, PictureRequest, RenderedPicture } from './pictures/PictureMaker.ts'
import type { Format, Subject } from './pictures/picture.ts'
import { toPictureSubject } from './pictures/picture.ts'
import {
  notShared,
  readShared,
  readSharedAchievement,
  readSharedCollection,
  readSharedMix,
  shareAchievement,
  toSharedMix,
  viewSharedCollection,
  withSongs,
} from './sharedItems.ts'
import { SHARING_LIMIT } from './shareTokens.ts'

export function sharingRoutes(pictures: PictureMaker): Route<Context>[] {
  const sendPicture = pictureSender(pictures)
  /** A picture for the caller only. */
  const sendOwnStory = async ({ user, exchange }: OwnCall, context: Context, subject: Subject) => {
    const order = { owner: user.id, subject: `${subject.kind} ${user.id}`, signal: exchange.signal }
    const { png } = await pictures.make({ format: 'story', subject, site: siteOf(context) }, order)
    return new Answer((reply) => reply.type('image/png').send(png))
  }

  return [
    route(contract.getSharedCollection, async ({ params, user, exchange }, { db, env }: Context) => {
      const find = exchange.isHead ? readSharedCollection : viewSharedCollection
      const collection = await find(db, params.shareToken, user?.id ?? null)
      if (!collection) throw notShared()
      return withoutIndexing(await withSongs(db, env, collection))
    }),

    route(contract.getSharedAchievement, async ({ params }, { db }: Context) => {
      const achievement = await readSharedAchievement(db, params.shareToken)
      if (!achievement) throw notShared()
      return withoutIndexing(achievement)
    }),

    route(contract.getSharedMix, async ({ params }, { db, env }: Context) =>
      withoutIndexing(toSharedMix(await requireMix(db, params.shareToken), env)),
    ),

    route(contract.exportSharedMix, async ({ params, query }, { db }: Context) => {
      const { name, rows } = await requireMix(db, params.shareToken)
      const songIds = rows.map(({ songId }) => songId)
      return withoutIndexing(exportSongs(db, songIds, name, query.form))
    }),

    route(contract.shareAchievement, async ({ user, params }, { db }: Context) => {
      await enforceLimit(db, SHARING_LIMIT, user.id)
      return shareAchievement(db, user.id, params.id)
    }),

    route(contract.getCollectionPreview, sendPicture('collection', 'preview')),
    route(contract.getCollectionStory, sendPicture('collection', 'story')),
    route(contract.getAchievementPreview, sendPicture('achievement', 'preview')),
    route(contract.getAchievementStory, sendPicture('achievement', 'story')),

    route(contract.getMixPreview, sendPicture('mix', 'preview')),
    route(contract.getMixStory, sendPicture('mix', 'story')),

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
export function blindRoundRoutes(pictures: PictureMaker): Route<Context>[] {
  const sendPicture = pictureSender(pictures)
  return [
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
      const round = await readBlindRound(db, params.shareToken)
      if (!round) throw notShared()
      const { createdAt, user, songs } = round
      return withoutIndexing({ createdAt, user, songs: songs.map((row) => toVisitorSong(row, env)) })
    }),

    route(blind.compareVerdicts, async ({ params, body, exchange }, { db }: Context) => {
      if (body.result) await enforceLimit(db, RESULTS_PER_NETWORK, exchange.ip)
      const comparison = await compareVerdicts(db, params.shareToken, body)
      if (!comparison) throw notShared()
      return comparison
    }),

    route(blind.getBlindRoundPreview, sendPicture('blind', 'preview')),
    route(blind.getBlindRoundStory, sendPicture('blind', 'story')),
  ]
}

const RESULTS_PER_NETWORK = defineLimit({
  name: 'round-results',
  max: 20,
  seconds: 3600,
  message: 'Many results were sent from your network. Please wait an hour.',
  counts: 'results of blind rounds',
  per: 'network',
})

const pictureSender =
  (pictures: PictureMaker) =>
  (kind: contract.ShareKind, format: Format) =>
  async (call: SharedCall, context: Context) => {
    const found = await findShared(context, kind, call.params.shareToken)
    if (!found) throw notShared()
    const wanted = { format, subject: toPictureSubject(found.page), site: siteOf(context) }
    return toPictureAnswer(await pictures.make(wanted, pictureRequest(call, found)))
  }

/** A replica may not have a new link yet. */
async function findShared({ read, db }: Context, kind: contract.ShareKind, token: string) {
  const find = (from: Database) => readShared(from, kind, token)
  return (await read(find)) ?? find(db)
}

async function requireMix(db: Database, token: string) {
  const mix = await readSharedMix(db, token)
  if (!mix) throw notShared()
  return mix
}

interface OwnCall {
  user: { id: string }
  exchange: Exchange
}

interface SharedCall {
  params: { shareToken: string }
  exchange: Exchange
}

const pictureRequest = ({ params, exchange }: SharedCall, { owner }: { owner: string }): PictureRequest => ({
  owner,
  subject: params.shareToken,
  signal: exchange.signal,
})

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
