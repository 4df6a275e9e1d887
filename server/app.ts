import { statfs } from 'node:fs/promises'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { achievementRoutes } from './achievements/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { canSeeDesk, canSeeDiagnostics } from './auth/accountRights.ts'
import { ApiTokens } from './auth/apiTokens.ts'
import { sessionCookieName, setSessionCookie } from './auth/cookies.ts'
import { passkeyRoutes } from './auth/passkeyRoutes.ts'
import { authRoutes } from './auth/routes.ts'
import { Sessions } from './auth/sessions.ts'
import { collectionRoutes } from './collections/routes.ts'
import { communityRoutes } from './community/routes.ts'
import type { Context } from './context.ts'
import { coverRoutes } from './covers/routes.ts'
import type { Database } from './db/connection.ts'
import { hasCitus } from './db/distribute.ts'
import { deskRoutes } from './desk/routes.ts'
import { diagnosticsRoutes } from './diagnostics/routes.ts'
import { RatingQueue } from './discovery/RatingQueue.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import type { Env } from './env.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { addApiDocument } from './http/apiDocument/apiDocument.ts'
import { handleClientError, handleErrors, sendError } from './http/errors.ts'
import { ENCODINGS } from './http/exchange.ts'
import { HttpError } from './http/HttpError.ts'
import { addHealthRoutes, closeConnections } from './http/health.ts'
import { CALLS_PER_MINUTE, limitCalls } from './http/limits/limitCalls.ts'
import { type ConnectionLimits, connectionLimits, limitConnections } from './http/limits/limitConnections.ts'
import { parseTrustProxy } from './http/limits/networkOf.ts'
import { rejectUnderPressure } from './http/limits/rejectUnderPressure.ts'
import { Metrics } from './http/metrics.ts'
import { loadPageParts, type PageParts } from './http/plainPage.ts'
import {
  addHeadRoutes,
  checkOrigin,
  makeRequestIds,
  readApiToken,
  refuseApiTokens,
  sendRequestIds,
} from './http/requestHooks.ts'
import { type Authenticator, type Route, registerRoute } from './http/route.ts'
import { addSecurityHeaders } from './http/securityHeaders.ts'
import { serveMetrics } from './http/serveMetrics.ts'
import { type PageFacts, serveDevelopmentPages, servePages } from './http/servePages.ts'
import { rejectOutsideBasePath, withoutBasePath } from './http/subPath.ts'
import { importRoutes } from './imports/routes.ts'
import { libraryRoutes } from './library/routes.ts'
import { listenbrainzRoutes } from './listenbrainz/routes.ts'
import { mixRoutes } from './mixes/routes.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import { ProgressQueue } from './playback/ProgressQueue.ts'
import { playbackRoutes } from './playback/routes.ts'
import { profileRoutes } from './profiles/routes.ts'
import { describeMicrogenrePage, microgenrePageRoutes, robotsRoute } from './sharing/microgenrePage.ts'
import { PictureMaker } from './sharing/pictures/PictureMaker.ts'
import { blindRoundRoutes, sharingRoutes } from './sharing/routes.ts'
import { describeSharePage } from './sharing/sharePage.ts'
import { replaceMalformedToken } from './sharing/shareTokens.ts'
import { suggestionRoutes } from './suggestions/routes.ts'
import { addRemoteProviders } from './uploads/remote/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { visitorRoutes } from './visitors/routes.ts'

/** Milliseconds in which a request must arrive, and after which an idle connection is closed. */
const TIMEOUTS = { request: 30_000, idle: 90_000 }

/**
 * Calls answer 503 while the event loop's delay, averaged over a second, exceeds these milliseconds; 0 disables the check.
 * The limit is just under a call's deadline, so that one pause of the machine rejects few calls.
 */
const MAX_EVENT_LOOP_DELAY = 4000

/** Milliseconds after which a request is logged. */
const SLOW_REQUEST = 1000

/** Bytes of a request's body. The longest is feedback of 5,000 characters. */
const BODY_LIMIT = 64 * 1024

export type Pages = 'built' | 'development' | 'none'

export interface AppOptions {
  pages: Pages
  metrics?: Metrics
  maxEventLoopDelay?: number
  callsPerMinute?: number
  timeouts?: typeof TIMEOUTS
  connections?: ConnectionLimits
  /** Whether the address is going away, so that `/ready` fails. */
  isStopping?: () => boolean
  /** Whether each response closes its connection. */
  endsConnections?: () => boolean
}

/** The HTTP application, before it listens. */
export async function buildApp(
  context: Context,
  {
    pages,
    metrics = new Metrics({ poolSize: context.env.DATABASE_POOL }),
    maxEventLoopDelay = MAX_EVENT_LOOP_DELAY,
    callsPerMinute = CALLS_PER_MINUTE,
    timeouts = TIMEOUTS,
    connections = connectionLimits(context.env.DATABASE_POOL),
    isStopping = () => false,
    endsConnections = isStopping,
  }: AppOptions,
): Promise<FastifyInstance> {
  const { env, log } = context
  const trustProxy = parseTrustProxy(env.TRUST_PROXY)
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => replaceMalformedToken(withoutBasePath(url, env.basePath)),
    frameworkErrors: sendError,
    clientErrorHandler: handleClientError,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.idle,
    // Node checks for slow requests at this interval, so a timeout is late by a sixth at most.
    http: { headersTimeout: timeouts.request, connectionsCheckingInterval: timeouts.request / 6 },
    forceCloseConnections: 'idle',
    // During shutdown, requests on open connections are answered before the connection is closed.
    return503OnClosing: false,
    genReqId: makeRequestIds(env),
  })
  limitConnections(app, connections, trustProxy)
  const parts = await loadPageParts(pages, env)
  handleErrors(app, parts)
  addHeadRoutes(app)
  readBodies(app)
  logRequests(app)
  sendRequestIds(app)
  closeConnections(app, endsConnections)
  if (pages !== 'development') await addSecurityHeaders(app, env)
  rejectOutsideBasePath(app, env.basePath)
  checkOrigin(app, env)
  await app.register(cookie)
  await app.register(compress, { threshold: 2048, encodings: [...ENCODINGS], globalDecompression: false })
  rejectUnderPressure(app, maxEventLoopDelay)
  const sessions = new Sessions(context.db)
  const apiTokens = new ApiTokens(context.db)
  const limit = limitCalls(callsPerMinute, (request) => {
    const apiToken = readApiToken(request)
    return apiToken === null
      ? sessions.cachedListener(request.cookies[sessionCookieName(env)])
      : apiTokens.cachedOwner(apiToken)
  })
  const facts: PageFacts = {
    frames: parts.frames,
    async findExtras(path) {
      const describePage = async (db: Database) =>
        (await describeSharePage(db, env, path, parts.frames)) ??
        describeMicrogenrePage(db, env, path, parts.frames)
      const extras = await context.read(describePage)
      // A new link may not have reached the replica yet.
      return extras?.status === 404 ? describePage(context.db) : extras
    },
    // The page's calls then find the session in the cache.
    hasSession: async (request, reply) => (await authenticator.authenticate(request, reply)) !== null,
  }
  if (pages === 'built') await servePages(app, env, facts, limit.count)
  if (pages === 'development') await serveDevelopmentPages(app, env, facts)
  if (pages === 'none')
    app.setNotFoundHandler((_, reply) => reply.status(404).send({ message: 'There is no such call.' }))

  const pictures = new PictureMaker({ onRendered: () => log.debug('picture rendered') })
  app.addHook('onClose', () => pictures.close())
  const authenticator: Authenticator = {
    async authenticate(request, reply) {
      const { scope } = request.routeOptions.config
      const apiToken = scope ? readApiToken(request) : null
      const token = request.cookies[sessionCookieName(env)]
      const listener =
        scope && apiToken !== null
          ? await apiTokens.find(apiToken, scope)
          : // When the database extends a session, the cookie must be extended too.
            await sessions.find(token, () => {
              if (token && reply) setSessionCookie(env, token, reply.setCookie.bind(reply))
            })
      if (listener) limit.refundNetwork(request)
      return listener
    },
    canSeeDiagnostics: (user) => canSeeDiagnostics(env, user),
    canSeeDesk: (user) => canSeeDesk(env, user),
  }
  await addApiDocument(app, sessionCookieName(env), env.basePath, limit.count)
  serveMetrics(app, env, metrics, context.db)
  const isDistributed = await hasCitus(context.db)
  const ratings = new RatingQueue(context.db, env, log, { isDistributed })
  metrics.measure('banger_pictures_waiting', 'Share pictures waiting for a renderer.', () => pictures.waiting)
  metrics.measure('banger_ratings_waiting', 'Ratings waiting to be stored.', () => ratings.waiting)
  metrics.measure(
    'banger_disk_free_bytes',
    'Free bytes on the disk of DATA_DIR.',
    () => readFreeBytes(env),
    'min',
  )
  const { isReplicaUsable } = context.read
  if (isReplicaUsable)
    metrics.measure('banger_replica_usable', 'Processes that read from the replica.', () =>
      Number(isReplicaUsable()),
    )
  const progress = new ProgressQueue(context.db, { isDistributed })
  await app.register(async (scope) => {
    scope.addHook('onRequest', limit.count)
    scope.addHook('onRequest', refuseApiTokens)
    for (const route of allRoutes(env, sessions, ratings, progress, pictures, parts))
      registerRoute(scope, route, context, authenticator)
    addRemoteProviders(scope, context, authenticator)
  })
  addHealthRoutes(app, context, isStopping)
  return app
}

export function allRoutes(
  env: Env,
  sessions: Sessions,
  ratings: RatingQueue,
  progress: ProgressQueue,
  pictures: PictureMaker,
  parts: PageParts,
): Route<Context>[] {
  return [
    ...authRoutes(sessions, parts),
    ...passkeyRoutes(sessions),
    ...discoveryRoutes(ratings),
    ...importRoutes,
    ...libraryRoutes(),
    ...listenbrainzRoutes(),
    ...profileRoutes(sessions),
    ...achievementRoutes,
    ...communityRoutes,
    ...collectionRoutes,
    ...mixRoutes,
    ...sharingRoutes(pictures),
    ...onboardingRoutes,
    ...playbackRoutes(progress),
    ...coverRoutes(),
    ...feedbackRoutes,
    ...suggestionRoutes,
    ...deskRoutes,
    ...uploadRoutes(),
    ...diagnosticsRoutes,
    ...adminRoutes(sessions),
    robotsRoute,
    // Closed to visitors, these calls are unknown ones.
    ...(env.visitors ? [...visitorRoutes(), ...microgenrePageRoutes(pictures), ...blindRoundRoutes] : []),
  ]
}

/** Parses JSON, and accepts empty forms, which pages without JavaScript post. */
function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body, done)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, body: string, done) => {
      if (body.length === 0) done(null, undefined)
      else done(new HttpError(415, 'The body must be JSON.'), undefined)
    },
  )
}

/** NaN when the folder cannot be read. */
const readFreeBytes = ({ DATA_DIR }: Env) =>
  statfs(DATA_DIR).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.NaN,
  )

/** Logs slow requests, by the route's pattern instead of the address, which may contain a token. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isSlow = reply.elapsedTime > SLOW_REQUEST
    request.log[isSlow ? 'warn' : 'debug'](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'page',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      isSlow ? 'slow request' : 'answered',
    )
    done()
  })
}
