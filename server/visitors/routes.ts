import type { PreviewAnswer } from '../../contract/playback.ts'
import * as contract from '../../contract/visitors.ts'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { findPreviewForVisitor } from '../playback/preview.ts'
import { createTryouts } from './tryout.ts'

export function visitorRoutes(): Route<Context>[] {
  const lookups = new Map<string, Promise<PreviewAnswer>>()
  const readTryout = createTryouts()
  return [
    route(contract.getVisitorPreview, ({ params, exchange }, { db, integrations }: Context) =>
      findPreviewForVisitor(
        db,
        integrations.deezer,
        params.id,
        exchange.isHead ? null : exchange.ip,
        lookups,
      ),
    ),

    route(contract.getTryout, ({ query }, { read, env }: Context) =>
      read((db) => readTryout(db, env, query.microgenre)),
    ),
  ]
}
