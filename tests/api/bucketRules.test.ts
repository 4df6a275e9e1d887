import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCorsFault } from '../../server/integrations/storage/findCorsFault.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { CorsRule } from '../stand-ins/cors.ts'
import { type S3, startS3 } from '../stand-ins/s3.ts'

/* What `npm run doctor` reports about a bucket's CORS rules. */

let standIn: S3
beforeAll(async () => {
  standIn = await startS3()
})
afterAll(() => standIn.close())

const app = setUpApp(() => ({
  S3_ENDPOINT: standIn.url,
  S3_BUCKET: standIn.bucket,
  S3_ACCESS_KEY_ID: standIn.accessKeyId,
  S3_SECRET_ACCESS_KEY: standIn.secretAccessKey,
  S3_FORCE_PATH_STYLE: 'true',
}))

const origin = 'https://bangers.example'

/** As in docs/operating/run.md. */
const documented: CorsRule = { origin, methods: ['PUT', 'POST'], allow: ['content-type'], expose: ['etag'] }

const refused = `a photo cannot be sent from ${origin} with PUT and the header content-type`

test.each<[string, CorsRule | null, string | null]>([
  ['as documented', documented, null],
  ['for all origins', { ...documented, origin: '*' }, null],
  ['that are missing', null, refused],
  ['for another origin', { ...documented, origin: 'https://other.example' }, refused],
  ['for GET only', { ...documented, methods: ['GET'] }, refused],
  ['without Content-Type', { ...documented, allow: [] }, refused],
  [
    'without ETag',
    { ...documented, expose: ['location'] },
    'a part of a large file is accepted, but pages cannot read the response header etag',
  ],
])('rules %s are reported, and no object is left over', async (_, rule, fault) => {
  standIn.cors = rule

  expect(await findCorsFault(app.store, `uploads/0/${randomUUID()}`, origin)).toBe(fault)
  expect(standIn.objects.size).toBe(0)
  expect(standIn.parts()).toBe(0)
})
