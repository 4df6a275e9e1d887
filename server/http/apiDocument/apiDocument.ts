import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import * as achievements from '../../../contract/achievements.ts'
import * as admin from '../../../contract/admin.ts'
import * as apiTokens from '../../../contract/apiTokens.ts'
import * as auth from '../../../contract/auth.ts'
import * as blindRounds from '../../../contract/blindRounds.ts'
import * as collections from '../../../contract/collections.ts'
import * as community from '../../../contract/community.ts'
import * as coverage from '../../../contract/coverage.ts'
import * as covers from '../../../contract/covers.ts'
import * as desk from '../../../contract/desk.ts'
import * as diagnostics from '../../../contract/diagnostics.ts'
import * as discovery from '../../../contract/discovery.ts'
import * as exports from '../../../contract/exports.ts'
import * as feedback from '../../../contract/feedback.ts'
import * as imports from '../../../contract/imports.ts'
import * as library from '../../../contract/library.ts'
import * as listenbrainz from '../../../contract/listenbrainz.ts'
import * as mixes from '../../../contract/mixes.ts'
import * as onboarding from '../../../contract/onboarding.ts'
import * as passkeys from '../../../contract/passkeys.ts'
import * as playback from '../../../contract/playback.ts'
import * as profiles from '../../../contract/profiles.ts'
import * as reports from '../../../contract/reports.ts'
import * as shapes from '../../../contract/shapes.ts'
import * as sharing from '../../../contract/sharing.ts'
import * as signInCode from '../../../contract/signInCode.ts'
import * as suggestions from '../../../contract/suggestions.ts'
import * as uploads from '../../../contract/uploads.ts'
import * as visitors from '../../../contract/visitors.ts'
import { readPackageText } from '../../packagePath.ts'
import type { CallLimit } from '../limits/limitCalls.ts'
import { BODY_EXAMPLES, SHAPE_EXAMPLES } from './apiExamples.ts'
import { openApiDocument } from './openApi.ts'

const CONTRACT = {
  achievements,
  admin,
  apiTokens,
  auth,
  blindRounds,
  collections,
  community,
  coverage,
  covers,
  desk,
  diagnostics,
  discovery,
  exports,
  feedback,
  imports,
  library,
  listenbrainz,
  mixes,
  onboarding,
  passkeys,
  playback,
  profiles,
  reports,
  sharing,
  signInCode,
  suggestions,
  uploads,
  visitors,
  shapes,
}

/**
 * The OpenAPI document of the contract at /docs/json, and its pages at /docs. `sessionCookie` is the cookie's name,
 * `basePath` the path of PUBLIC_URL.
 */
export async function addApiDocument(
  app: FastifyInstance,
  sessionCookie: string,
  basePath: string,
  countCall: CallLimit['count'],
): Promise<void> {
  const document = documentFor(sessionCookie, basePath)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: basePath,
    uiHooks: { onRequest: countCall },
  })
}

function documentFor(sessionCookie: string, basePath: string) {
  const key = `${sessionCookie} ${basePath}`
  const description = readPackageText('docs/api.md')
  const examples = { shapes: SHAPE_EXAMPLES, bodies: BODY_EXAMPLES }
  documents[key] ??= openApiDocument(CONTRACT, { sessionCookie, basePath, description }, examples)
  return documents[key]
}

/** One for all servers of a process that differ in neither: tests start hundreds. */
const documents: Record<string, ReturnType<typeof openApiDocument>> = {}
