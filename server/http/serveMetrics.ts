import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { isLoopbackHost } from '../settings.ts'
import { isForwarded } from './exchange.ts'
import { withDeadline } from './HttpError.ts'
import type { Gauges, Metrics } from './metrics.ts'

/** Milliseconds after which the metrics are sent without the database's gauges. */
const GAUGES_DEADLINE = 2000

/**
 * GET /metrics for Prometheus, from this machine or with METRICS_TOKEN as a bearer token. Everybody else gets a 404.
 */
export function serveMetrics(app: FastifyInstance, env: Env, metrics: Metrics, db: Database): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.config.template
    const labels = {
      method: route ? request.method : 'any',
      route: route ?? 'other',
      status: reply.statusCode,
    }
    metrics.countRequest(labels, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isLocalRequest(request) && !hasToken(request, env.METRICS_TOKEN)) return reply.callNotFound()
    const gauges = await withDeadline(readGauges(db), GAUGES_DEADLINE).catch(() => null)
    const { type, text } = await metrics.write(gauges)
    return reply.header('cache-control', 'no-store').type(type).send(text)
  })
}

/** Checks the Host header, too, because of DNS rebinding: a site whose name points here. */
function isLocalRequest(request: FastifyRequest): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopbackHost(peer) && isLoopbackHost(request.hostname) && !isForwarded(request)
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (!token) return false
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** A longer queue is no more alarming. */
const MAX_COUNTED_CHANGES = 100_000

async function readGauges(db: Database): Promise<Gauges> {
  // A statement of its own, because on a cluster the queue is on the workers.
  const waiting = db<{ changes: number; lag: number }[]>`
    select count(*)::int as changes, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as lag
    from (select created_at from rating_changes order by id limit ${MAX_COUNTED_CHANGES}) waiting`
  const [row] = await db<
    (Omit<Gauges, 'ratings' | 'ratingChangesWaiting' | 'rollUpLag'> & { bangers: number; busts: number })[]
  >`
    select c.bangers::float8, (c.ratings - c.bangers)::float8 as busts,
      (select count(*)::int from feedback where mailed_at is null) as feedback_waiting,
      (select coalesce(json_object_agg(state, connections), '{}') from (
         select coalesce(state, 'unknown') as state, count(*)::int as connections from pg_stat_activity
         where application_name = 'banger-or-bust' and datname = current_database() group by 1) states) as connections,
      (select coalesce(json_object_agg(service, greatest(0, extract(epoch from
         greatest(held_until, turns[cardinality(turns)]) - now()))), '{}') from service_turns) as service_waits,
      (select coalesce(json_object_agg(name, json_build_object('failures', failures, 'late',
         greatest(0, extract(epoch from now() - case when lease_until > now() then started_at + interval '3 hours'
           else greatest(next_run_at, lease_until) end)))), '{}') from jobs) as jobs,
      (select json_build_object('age', extract(epoch from now() - started_at), 'bytes', bytes)
       from backups where bytes is not null order by run desc limit 1) as backup,
      (select extract(epoch from now() - max(proven_at))::float8 from backups) as backup_proof_age
    from community_totals c`
  const {
    bangers = 0,
    busts = 0,
    ...rest
  } = row ?? {
    feedbackWaiting: 0,
    connections: {},
    serviceWaits: {},
    jobs: {},
    backup: null,
    backupProofAge: null,
  }
  const [{ changes, lag } = { changes: 0, lag: 0 }] = await waiting
  return {
    ratings: { banger: bangers, bust: busts },
    ratingChangesWaiting: changes,
    rollUpLag: lag,
    ...rest,
  }
}
