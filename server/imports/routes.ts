import * as contract from '../../contract/imports.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import {
  answerSong,
  createImport,
  getImport,
  listImports,
  listSongs,
  removeImport,
  startApplying,
} from './imports.ts'

/** A folder has a dozen files. */
const IMPORTS_PER_HOUR = defineLimit({
  name: 'imports',
  max: 30,
  seconds: 60 * 60,
  message: 'You have imported many files within an hour. Please wait a while.',
  counts: 'imports',
  per: 'listener',
})

export const importRoutes: Route<Context>[] = [
  route(contract.createImport, async ({ user, body }, context: Context) => {
    await enforceLimit(context.db, IMPORTS_PER_HOUR, user.id)
    return createImport(context, user.id, body)
  }),

  route(contract.listImports, ({ user }, { db }: Context) => listImports(db, user.id)),

  route(contract.getImport, ({ user, params }, { db }: Context) => getImport(db, user.id, params.id)),

  route(contract.listImportSongs, ({ user, params, query }, { db, env }: Context) =>
    listSongs(db, env, user.id, params.id, query),
  ),

  route(contract.answerImportSong, async ({ user, params, body }, { db }: Context) => {
    await answerSong(db, user.id, params.id, params.place, body.isSame)
    return { success: true }
  }),

  route(contract.applyImport, ({ user, params, body }, { db }: Context) =>
    startApplying(db, user.id, params.id, body),
  ),

  route(contract.removeImport, ({ user, params }, context: Context) =>
    removeImport(context, user.id, params.id),
  ),
]
