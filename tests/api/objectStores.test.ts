import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import {
  abortMultipart,
  createMultipart,
  getUploadParameters,
  listParts,
  MAX_PHOTO_BYTES,
  MIN_PART_BYTES,
  requestPhotoUpload,
  setPhoto,
  signPart,
} from '../../contract/uploads.ts'
import { findCorsFault } from '../../server/integrations/storage/findCorsFault.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import {
  begin,
  choosePhoto,
  complete,
  namePart,
  part,
  putBytes,
  sendPart,
  sign,
  uploadPhoto,
} from '../harness/multipart.ts'
import { request, requestBytes } from '../harness/request.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'
import type { CorsRule } from '../stand-ins/behaviour.ts'
import { startS3 } from '../stand-ins/s3.ts'

/* The storage companion's calls as a browser makes them, against both stores (uploads-12, uploads-2). */

const standIn = setUpService(startS3)

const realServer = process.env.TEST_S3_ENDPOINT
if (!realServer) console.log('No real S3 server is asked: TEST_S3_ENDPOINT names none. The stand-in is.')

const stores: { name: string; forms: boolean; env: () => Record<string, string> }[] = [
  { name: 'the local disk', forms: false, env: () => ({}) },
  { name: 'the stand-in for S3', forms: true, env: () => standIn.env },
  ...(realServer
    ? [
        {
          name: `the S3 server at ${realServer}`,
          forms: process.env.TEST_S3_FORMS === 'true',
          env: () => ({
            S3_ENDPOINT: realServer,
            S3_BUCKET: process.env.TEST_S3_BUCKET ?? 'bangers',
            S3_ACCESS_KEY_ID: process.env.TEST_S3_ACCESS_KEY_ID ?? '',
            S3_SECRET_ACCESS_KEY: process.env.TEST_S3_SECRET_ACCESS_KEY ?? '',
            S3_FORCE_PATH_STYLE: 'true',
          }),
        },
      ]
    : []),
]

describe.each(stores)('$name', ({ forms, env }) => {
  const app = setUpApp(env)
  const ada = setUpListener(app)

  test('takes a file in parts, lists and joins them (uploads-12)', async () => {
    const contents = [randomBytes(MIN_PART_BYTES), randomBytes(MIN_PART_BYTES), randomBytes(777)]
    const upload = await begin(ada)
    const etags = await Promise.all(
      contents.map((content, index) => sendPart(ada, upload, index + 1, content)),
    )

    expect((await ada.call(listParts, namePart(upload))).body).toEqual(
      contents.map(({ length }, index) => ({ PartNumber: index + 1, Size: length, ETag: etags[index] })),
    )
    const wrong = etags.with(1, '"00000000000000000000000000000000"')
    expect((await complete(ada, upload, wrong)).status).toBe(400)
    expect((await complete(ada, upload, etags.with(2, etags[0] ?? ''))).status).toBe(400)
    const { status, body } = await complete(ada, upload, etags)
    expect(status).toBe(200)
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { bytes } = await requestBytes(body.location, { headers: { cookie } })
    expect(bytes.equals(Buffer.concat(contents))).toBe(true)
    expect((await ada.call(listParts, namePart(upload))).status).toBe(404)
    await discardAll(ada)
    expect(await app.store.measure(upload.key)).toBeNull()
  })

  test("the page's policy allows requests to the store and nowhere else", async () => {
    const { headers } = await app.visitor().raw(getCurrentUser.path)
    const [connect] = /connect-src[^;]*/.exec(String(headers['content-security-policy'])) ?? []

    expect(connect).toBe(['connect-src', "'self'", env().S3_ENDPOINT].filter(Boolean).join(' '))
    expect(headers['permissions-policy']).toContain('camera=(self)')
  })

  test('deletes an aborted upload (uploads-12)', async () => {
    const upload = await begin(ada)
    const etag = await sendPart(ada, upload, 1, Buffer.from('part'))
    const { url } = await sign(ada, upload, 2)
    const { status, body } = await ada.call(abortMultipart, namePart(upload))

    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect((await ada.call(listParts, namePart(upload))).status).toBe(404)
    expect((await ada.call(abortMultipart, namePart(upload))).status).toBe(404)
    expect((await complete(ada, upload, [etag])).status).toBe(404)
    expect((await putBytes(url, Buffer.from('late'))).status).toBe(404)
    expect(await app.store.measure(upload.key)).toBeNull()
  })

  test('rejects a file larger than announced', async () => {
    const upload = await begin(ada, 10)
    const sent = await putBytes((await sign(ada, upload, 1)).url, Buffer.alloc(11))
    // S3 accepts a part of any size; completing the upload fails instead.
    if (sent.status === 200) {
      const { status } = await complete(ada, upload, [sent.headers.etag ?? ''])
      expect(status).toBe(413)
    } else expect(sent.status).toBe(413)
    expect(await app.store.measure(upload.key)).toBeNull()
  })

  test('counts the parts before it gives the next address', async () => {
    const upload = await begin(ada, 10)
    const sent = await putBytes((await sign(ada, upload, 1)).url, Buffer.alloc(11))
    const next = await ada.call(signPart, part(upload, 2))

    // The bucket takes a part of any size.
    expect([sent.status, next.status]).toEqual(forms ? [200, 413] : [413, 200])
    expect((await ada.call(listParts, namePart(upload))).status).toBe(forms ? 404 : 200)
  })

  test('keeps the profile photo, and no file it was made from (uploads-11)', async () => {
    const first = (await choosePhoto(ada, await makePicture('jpeg'))).body.profileImageUrl
    const second = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl

    expect((await request(app.url + first)).status).toBe(404)
    const served = await request(app.url + second)
    expect([served.status, served.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await app.db`select from uploads where user_id = ${ada.id} and discarded_at is null`).toHaveLength(
      1,
    )
    await ada.call(deleteAccount, { body: { confirmation: ada.email } })
    await sweepUploads(app.db, app.store)
    expect((await request(app.url + second)).status).toBe(404)
  })

  test('rejects a photo that is too large, also when its size was not told (uploads-3)', async () => {
    const before = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl
    const announced = (await ada.call(requestPhotoUpload, { body: { size: 10 } })).body
    expect((await putBytes(announced.uploadURL, Buffer.alloc(11))).status).toBeGreaterThan(400)
    const { uploadURL, key } = (await ada.call(requestPhotoUpload, { body: {} })).body
    expect((await putBytes(uploadURL, Buffer.alloc(MAX_PHOTO_BYTES + 1))).status).toBe(413)
    expect(await app.store.measure(key)).toBeNull()
    expect((await ada.call(getCurrentUser)).body.profileImageUrl).toBe(before)

    expect((await putBytes(uploadURL, await makePicture('jpeg'))).status).toBe(200)
    expect((await ada.call(setPhoto, { body: { photoURL: uploadURL } })).status).toBe(200)
  })

  test('takes a whole file of a known size, by params (uploads-12)', async () => {
    const query = { filename: 'note.txt', type: 'text/plain', size: '4' }
    const { body } = await ada.call(getUploadParameters, { query })
    expect(body.method).toBe('PUT')
    expect((await putBytes(body.url, Buffer.from('longer'))).status).toBeGreaterThan(400)
    const sent = await request(body.url, { method: 'PUT', headers: body.headers, body: 'note' })

    expect(sent.status).toBe(200)
    expect(sent.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
    await discardAll(ada)
  })

  test.each(['taken', 'rejected', 'of a deleted account'])(
    'deletes what arrives late at the address of a photo that is %s (uploads-11)',
    async (fate) => {
      const ada = await app.signIn()
      const picture = fate === 'rejected' ? Buffer.from('no picture') : await makePicture('png')
      const { uploadURL, key } = (await ada.call(requestPhotoUpload, { body: { size: picture.length } })).body
      await putBytes(uploadURL, picture)
      if (fate === 'of a deleted account') {
        await ada.call(deleteAccount, { body: { confirmation: ada.email } })
        await sweepUploads(app.db, app.store)
        expect(await app.store.measure(key)).toBeNull()
      } else await ada.call(setPhoto, { body: { photoURL: key } })
      await putBytes(uploadURL, picture)

      // The bucket has taken it.
      expect(await app.store.measure(key)).toBe(forms ? picture.length : null)
      expect((await ada.call(setPhoto, { body: { photoURL: key } })).status).toBeGreaterThanOrEqual(400)
      const [counted] = await app.db<{ size: string }[]>`select size from uploads where key = ${key}`
      expect(counted).toEqual(forms ? { size: String(picture.length) } : undefined)
      await discardAll(ada)
      expect(await app.store.measure(key)).toBeNull()
    },
  )

  if (forms) {
    test('takes a whole file of unknown size by a form, and rejects one that is too large (uploads-12)', async () => {
      const ada = await app.signIn()
      const { body } = await ada.call(getUploadParameters, { query: { filename: 'n', type: 'text/plain' } })
      expect(body.method).toBe('POST')
      const sent = await sendForm(body, Buffer.from('note'))

      expect(sent.status).toBe(201)
      const small = await app.another({ ...env(), UPLOAD_MAX_BYTES: String(MAX_PHOTO_BYTES) })
      const there = (await ada.at(small.url).call(getUploadParameters, { query: { filename: 'n' } })).body
      expect((await sendForm(there, Buffer.alloc(MAX_PHOTO_BYTES + 1))).status).toBe(400)
    })
  }

  /** Moves the upload a day into the past. */
  async function discardAll({ id }: { id: string }) {
    await app.db`
      update uploads set expires_at = now() - interval '1 second', discarded_at = discarded_at - interval '1 day'
      where user_id = ${id}`
    await sweepUploads(app.db, app.store)
    expect(await app.db`select from uploads where user_id = ${id}`).toHaveLength(0)
  }
})

describe('a bucket that is down', () => {
  const app = setUpApp(() => standIn.env)

  test('answers with a message, keeps the photo, and works again when the bucket is back', async () => {
    const ada = await app.signIn()
    const before = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl
    const { uploadURL } = (await ada.call(requestPhotoUpload, { body: {} })).body
    await putBytes(uploadURL, await makePicture('jpeg'))
    standIn.isDown = true
    const { status, headers, body } = await ada.call(setPhoto, { body: { photoURL: uploadURL } })

    expect({ status, body }).toEqual(
      refusal(503, 'The file store does not answer right now. Please try again in a moment.'),
    )
    expect(headers['retry-after']).toBe('5')
    expect((await ada.call(createMultipart, { body: { filename: 'a', type: '' } })).status).toBe(503)
    standIn.isDown = false
    expect((await ada.call(getCurrentUser)).body.profileImageUrl).toBe(before)
    expect((await ada.call(setPhoto, { body: { photoURL: uploadURL } })).status).toBe(200)
    // An account is deleted meanwhile, and its files when the bucket is back.
    standIn.isDown = true
    expect((await ada.call(deleteAccount, { body: { confirmation: ada.email } })).status).toBe(200)
    await expect(sweepUploads(app.db, app.store)).rejects.toThrow()
    standIn.isDown = false
    await app.db`
      update uploads set expires_at = now() - interval '1 second', discarded_at = discarded_at - interval '1 day'
      where user_id = ${ada.id}`
    await sweepUploads(app.db, app.store)
    expect(await app.db`select from uploads where user_id = ${ada.id}`).toEqual([])
  })
})

describe('a slow bucket', () => {
  const app = setUpApp(() => standIn.env)

  test('takes the photo of one listener while it still writes that of another', async () => {
    const [ada, bob] = [await app.signIn(), await app.signIn()]
    const urls = [
      await uploadPhoto(ada, await makePicture('jpeg')),
      await uploadPhoto(bob, await makePicture('png')),
    ]
    const sentBefore = standIn.sentPhotos.length
    const release = standIn.holdPhotos()
    const waiting = [ada, bob].map((listener, n) =>
      listener.call(setPhoto, { body: { photoURL: urls[n] ?? '' } }),
    )
    try {
      await expect.poll(() => standIn.sentPhotos.length - sentBefore).toBe(2)
    } finally {
      release()
    }

    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
  })
})

test('the bucket has no photos and files of deleted accounts', () => {
  const remainingKeys = [...standIn.objects.keys()].filter((key) => !key.startsWith('photos/'))

  expect(remainingKeys).toHaveLength(1)
  expect(standIn.parts()).toBe(0)
})

/* What `npm run doctor` reports about a bucket's CORS rules. */
describe('CORS rules', () => {
  const app = setUpApp(() => standIn.env)
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
    const before = standIn.objects.size

    expect(await findCorsFault(app.store, `uploads/0/${randomUUID()}`, origin)).toBe(fault)
    expect(standIn.objects.size).toBe(before)
    expect(standIn.parts()).toBe(0)
  })
})

async function sendForm({ url, fields }: { url: string; fields: Record<string, string> }, bytes: Buffer) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(bytes)]))
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return request(url, { method: 'POST', headers, body: Buffer.from(await encoded.arrayBuffer()) })
}
