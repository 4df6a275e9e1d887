import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  getTemporaryCredentials,
  getUploadParameters,
  getUploadSettings,
  listParts,
  MAX_PARTS,
  MIN_PART_BYTES,
  readUpload,
  signPart,
} from '../../contract/uploads.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { begin, complete, namePart, putBytes, sendPart, sign, type Upload } from '../harness/multipart.ts'
import { requestBytes } from '../harness/request.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

const MAX = 12 * 1024 * 1024

const app = setUpApp({ UPLOAD_MAX_BYTES: String(MAX), UPLOAD_QUOTA_BYTES: String(2 * MAX) })
const ada = setUpListener(app)

test('a file in parts arrives byte for byte, in whatever order the parts come (uploads-12)', async () => {
  const [one, two] = [randomBytes(MIN_PART_BYTES), randomBytes(1234)]
  const upload = await begin(ada)
  expect(await list(ada, upload)).toEqual([])
  const second = await sendPart(ada, upload, 2, two)
  const first = await sendPart(ada, upload, 1, one)

  expect(await list(ada, upload)).toEqual([
    { PartNumber: 1, Size: MIN_PART_BYTES, ETag: first },
    { PartNumber: 2, Size: 1234, ETag: second },
  ])
  const { status, body } = await complete(ada, upload, [first, second])
  expect(status).toBe(200)
  expect(body.location).toContain(upload.key)
  expect((await download(ada, body.location)).equals(Buffer.concat([one, two]))).toBe(true)
  expect(await partsOnDisk(upload)).toEqual([])
  // A client that lost the response asks again.
  expect((await complete(ada, upload, [first, second])).body.location).toBe(body.location)
})

test('a part sent again replaces the one before', async () => {
  const upload = await begin(ada)
  const before = await sendPart(ada, upload, 1, Buffer.from('before'))
  const after = await sendPart(ada, upload, 1, Buffer.from('after'))

  expect(await list(ada, upload)).toEqual([{ PartNumber: 1, Size: 5, ETag: after }])
  expect((await complete(ada, upload, [before])).status).toBe(400)
  const { body } = await complete(ada, upload, [after])
  expect(String(await download(ada, body.location))).toBe('after')
})

test('a part number is between 1 and 10,000 (uploads-7)', async () => {
  const { params, query } = namePart(await begin(ada))
  for (const partNumber of ['0', '10001', '1.5', '-1', 'x', '1e3']) {
    const { status, body } = await ada.call(signPart, { params: { ...params, partNumber }, query })
    expect({ status, body }).toEqual(refusal(400, `The part number must be between 1 and ${MAX_PARTS}.`))
  }
})

test('every part but the last has at least 5 MB, and parts are listed in order (uploads-7)', async () => {
  const upload = await begin(ada)
  const etags = [
    await sendPart(ada, upload, 1, Buffer.from('small')),
    await sendPart(ada, upload, 2, Buffer.from('last')),
  ]

  expect((await complete(ada, upload, etags)).status).toBe(400)
  const parts = etags.map((ETag, n) => ({ PartNumber: n + 1, ETag })).reverse()
  expect((await ada.call(completeMultipart, { ...namePart(upload), body: { parts } })).status).toBe(400)
  expect((await complete(ada, upload, ['"never-arrived"'])).status).toBe(400)
  expect(await list(ada, upload)).toHaveLength(2)
})

test('the parts together cannot exceed the file limit or the announced size', async () => {
  const small = await begin(ada, 10)
  await sendPart(ada, small, 1, Buffer.alloc(6))

  expect((await putBytes((await sign(ada, small, 2)).url, Buffer.alloc(5))).status).toBe(413)
  expect((await putBytes((await sign(ada, small, 2)).url, Buffer.alloc(4))).status).toBe(200)
  const tooLarge = await ada.call(createMultipart, { body: { filename: 'a', type: '', size: MAX + 1 } })
  expect(tooLarge.status).toBe(413)
})

test('a listener has a quota, which an aborted upload frees at once', async () => {
  const upload = await begin(ada)
  await begin(ada)
  const third = await ada.call(createMultipart, { body: { filename: 'c', type: '' } })

  expect({ status: third.status, body: third.body }).toEqual(
    refusal(413, expect.stringContaining('use up your quota')),
  )
  expect((await ada.call(getUploadParameters, { query: { filename: 'c' } })).status).toBe(413)
  await ada.call(abortMultipart, namePart(upload))
  await begin(ada)
  await begin(await app.signIn())
})

test('ten uploads at once cannot exceed the quota', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ada.call(createMultipart, { body: { filename: 'a', type: '' } })),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
})

test('a key that leads elsewhere is unknown', async () => {
  const { uploadId } = await begin(ada)
  for (const key of ['../../secret', 'uploads/1/../../secret', '%2e%2e%2fsecret', '\u0000', '']) {
    expect([400, 404]).toContain((await ada.call(listParts, namePart({ uploadId, key }))).status)
    expect((await ada.call(abortMultipart, namePart({ uploadId: '../x', key }))).status).toBe(404)
  }
})

test('a small file uploads in one request, by params (uploads-12)', async () => {
  const query = { filename: 'note.txt', type: 'text/plain' }
  const { status, body } = await ada.call(getUploadParameters, { query })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { method: 'PUT', fields: {}, headers: { 'Content-Type': 'text/plain' }, expires: 900 },
  })
  const sent = await putBytes(body.url, Buffer.from('note'))

  expect(sent.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
  const location = sent.headers.location ?? ''
  const answer = await ada.raw(new URL(location).pathname)
  expect(answer.text).toBe('note')
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
})

test('temporary credentials are rejected with a message (uploads-12, uploads-2)', async () => {
  const { status, body } = await ada.call(getTemporaryCredentials)

  expect({ status, body }).toEqual(refusal(404, expect.stringContaining('credentials')))
})

test('the settings contain the limit, and no remote provider without keys (uploads-2)', async () => {
  expect((await ada.call(getUploadSettings)).body).toEqual({ maxBytes: MAX, providers: [] })
})

test('an abandoned upload is deleted with its parts', async () => {
  const upload = await begin(ada)
  await sendPart(ada, upload, 1, Buffer.from('part'))
  await app.db`update uploads set expires_at = now() - interval '1 second' where key = ${upload.key}`
  expect((await ada.call(listParts, namePart(upload))).status).toBe(404)
  await sweepUploads(app.db, app.store)

  expect(await partsOnDisk(upload)).toEqual([])
  expect(await app.db`select from uploads where key = ${upload.key}`).toHaveLength(0)
})

const list = async (listener: Visitor, upload: Upload) =>
  (await listener.call(listParts, namePart(upload))).body

async function download({ cookies }: Visitor, location: string): Promise<Buffer> {
  expect(new URL(location).pathname).toMatch(new RegExp(`^${readUpload.path.replace(/:\w+/g, '[\\w-]+')}$`))
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return (await requestBytes(location, { headers: { cookie } })).bytes
}

const partsOnDisk = ({ uploadId }: Upload) =>
  readdir(join(app.dataDir, 'uploads/parts', uploadId)).catch(() => [])
