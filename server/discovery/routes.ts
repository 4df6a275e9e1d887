import * as contract from '../../contract/discovery.ts'
import {
  getMap,
  getSongExplanation,
  listNextMicrogenres as suggestMicrogenresCall,
} from '../../contract/discovery.ts'
import type { Context } from '../context.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Route, route } from '../http/route.ts'
import { readMap } from '../taste/map.ts'
import { deferSong, explainSong, leanTowards, listNextSongs, undoDefer } from './dealtSongs.ts'
import { listMicrogenres, restartMicrogenre, suggestMicrogenres } from './microgenres.ts'
import type { RatingQueue } from './RatingQueue.ts'

export const discoveryRoutes = (ratings: RatingQueue): Route<Context>[] => [
  route(contract.listMicrogenres, ({ user }, { db }: Context) => listMicrogenres(db, user.id)),

  route(getMap, ({ user }, { db }: Context) => readMap(db, user.id)),

  route(suggestMicrogenresCall, ({ user, query }, { db }: Context) => suggestMicrogenres(db, user.id, query)),

  route(contract.getNextSong, async ({ user, params, query }, { db, env }: Context) => {
    const prefetch = query.prefetch === 'true'
    const songs = await listNextSongs(db, env, user.id, params.id, prefetch ? contract.PREFETCH_SIZE : 1)
    if (prefetch) return { prefetch: true as const, songs }
    const [song] = songs
    if (!song) throw new HttpError(404, 'There are no more songs in this microgenre.')
    return song
  }),

  route(contract.rateAndAdvance, ({ user, body }) => ratings.rate(user.id, body)),

  route(contract.deferSong, ({ user, body }, { db, env }: Context) => deferSong(db, env, user.id, body)),

  route(contract.undoDefer, ({ user, params, query }, { db }: Context) =>
    undoDefer(db, user.id, params.songId, query.saidAt),
  ),

  route(contract.leanTowards, ({ user, params }, { db }: Context) =>
    leanTowards(db, user.id, params.id, true),
  ),

  route(contract.stopLeaning, ({ user, params }, { db }: Context) =>
    leanTowards(db, user.id, params.id, false),
  ),

  route(getSongExplanation, ({ user, params }, { db }: Context) => explainSong(db, user.id, params.id)),

  route(contract.restartMicrogenre, ({ user, params }, { db }: Context) =>
    restartMicrogenre(db, user.id, params.id),
  ),
]
