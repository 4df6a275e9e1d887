import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import {
  abortMultipart,
  getUploadParameters,
  listParts,
  MIN_PART_BYTES,
  readUpload,
  receiveUpload,
} from '../../contract/uploads.ts'
import { failuresOf } from '../../server/http/apiDocument/openApi.ts'
import { MIN_SPEED } from '../../server/http/incomingBytes.ts'
import { begin, complete, namePart, putBytes, sendPart, sign } from '../harness/multipart.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

/* Limits on one listener's uploads, and what still works on a bad mobile connection. */

const app = setUpApp()
const ada = setUpListener(app)
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('limits-6: sending to an address again ends the upload in progress, as after a lost connection', async () => {
  const url = await address(ada)
  const first = send(url)
  await arriving(1)
  const second = send(url)

  expect(await first.answer).toMatchObject({ status: 409, text: expect.stringContaining('uploaded again') })
  expect(failuresOf(receiveUpload)).toContain(409)
  await arriving(1)
  second.end()
  expect((await second.answer).status).toBe(200)
  expect(await incomingFiles()).toEqual([])
})

test('an address whose file has arrived accepts no other; the page requests a new one', async () => {
  const url = await address(ada)
  expect((await putBytes(url, Buffer.from('mine'))).status).toBe(200)
  const again = await putBytes(url, Buffer.from('other'))

  expect(again.status).toBe(403)
  expect(again.text).toContain('Request has expired')
  const path = new URL(url).pathname
  expect((await ada.raw(path)).text).toBe('mine')
  expect(path).toMatch(new RegExp(readUpload.path.replace(/:\w+/g, '[^/]+')))
})

test('a listener has a limit of concurrent uploads, which does not affect others', async () => {
  const [eve, ada] = [await app.signIn(), await app.signIn()]
  const upload = await begin(eve)
  const urls = await Promise.all(Array.from({ length: 25 }, (_, i) => sign(eve, upload, i + 1)))
  const many = urls.slice(0, 24).map(({ url }) => send(url, 2))
  await arriving(24)
  const refused = await putBytes(urls[24]?.url ?? '', Buffer.from('x'))

  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await putBytes(await address(ada), Buffer.from('x'))).status).toBe(200)
  for (const each of many) each.end()
  expect(new Set((await Promise.all(many.map(({ answer }) => answer))).map(({ status }) => status))).toEqual(
    new Set([200]),
  )
})

test('an upload of a byte now and then times out, one of 512 bytes a second does not', async () => {
  const [tooSlow, slow] = [await address(await app.signIn()), await address(await app.signIn())]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [dripping, steady] = [send(tooSlow), send(slow)]
  await arriving(2)
  steady.write(MIN_SPEED.bytes)
  await expect.poll(() => incomingSizes()).toContain(MIN_SPEED.bytes + 1)
  vi.advanceTimersByTime(MIN_SPEED.within)

  expect(await dripping.answer).toMatchObject({ status: 408, text: expect.stringContaining('too slow') })
  expect(failuresOf(receiveUpload)).toContain(408)
  steady.end()
  expect((await steady.answer).status).toBe(200)
})

test('a part sent again after a lost connection keeps its reservation', async () => {
  const bytes = randomBytes(1000)
  const upload = await begin(ada, bytes.length)
  const dead = send((await sign(ada, upload, 1)).url, bytes.length)
  await arriving(1)
  const etag = await sendPart(ada, upload, 1, bytes)

  expect((await dead.answer).status).toBe(409)
  expect((await complete(ada, upload, [etag])).status).toBe(200)
})

test('completing an upload several times at once answers 200 or 409, and creates one file', async () => {
  const bytes = randomBytes(MIN_PART_BYTES)
  const upload = await begin(ada)
  const etags = [await sendPart(ada, upload, 1, bytes), await sendPart(ada, upload, 2, Buffer.from('end'))]
  const { store } = app
  const list = store.listParts
  const heldUploads: (() => void)[] = []
  let lookCount = 0
  // A call lists the parts twice. Hold the second time, just before the call joins them.
  vi.spyOn(store, 'listParts').mockImplementation(async (...upload) => {
    const parts = await list.apply(store, upload)
    if (++lookCount % 2 === 0) await new Promise<void>((go) => heldUploads.push(go))
    return parts
  })
  const first = complete(ada, upload, etags)
  await expect.poll(() => heldUploads.length).toBe(1)
  let isOver = false
  const second = complete(ada, upload, etags).finally(() => {
    isOver = true
  })
  await expect.poll(() => isOver || heldUploads.length === 2).toBe(true)
  heldUploads[0]?.()
  await first
  heldUploads[1]?.()
  vi.restoreAllMocks()
  const more = Array.from({ length: 4 }, () => complete(ada, upload, etags))
  const answers = await Promise.all([first, second, ...more])

  const right = answers.filter(({ status }) => status === 200)
  expect(right.length).toBeGreaterThan(0)
  expect(new Set(right.map(({ body }) => body.location)).size).toBe(1)
  for (const { status, headers } of answers.filter((answer) => !right.includes(answer))) {
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 409, wait: '1' })
  }
  expect((await complete(ada, upload, etags)).body).toEqual(right[0]?.body)
  expect(app.errors).toEqual([])
})

test('an upload deleted while it is being completed answers 404, not 503', async () => {
  const upload = await begin(ada)
  const etag = await sendPart(ada, upload, 1, Buffer.from('part'))
  const { store } = app
  const list = store.listParts
  let lookCount = 0
  vi.spyOn(store, 'listParts').mockImplementation(async (key, uploadId) => {
    const parts = await list.call(store, key, uploadId)
    // The store's own call, before it reads the parts.
    if (++lookCount === 2) await rm(join(app.dataDir, 'uploads/parts', uploadId), { recursive: true })
    return parts
  })

  expect((await complete(ada, upload, [etag])).status).toBe(404)
  expect((await ada.call(listParts, namePart(upload))).status).toBe(404)
  expect((await ada.call(abortMultipart, namePart(upload))).status).toBe(200)
})

const address = async (listener: Visitor) =>
  (await listener.call(getUploadParameters, { query: { filename: 'a' } })).body.url

const folder = () => join(app.dataDir, 'uploads/arriving')
const incomingFiles = () => readdir(folder()).catch(() => [])
const arriving = (files: number) => expect.poll(incomingFiles).toHaveLength(files)
const incomingSizes = async () =>
  Promise.all((await incomingFiles()).map(async (name) => (await stat(join(folder(), name))).size))

/** Sends the first byte of a file on its own connection; the rest and the end are sent on demand. */
function send(url: string, length?: number) {
  const headers = length === undefined ? {} : { 'content-length': length }
  const call = http.request(url, { method: 'PUT', agent: false, headers })
  call.write('x')
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
  })
  return {
    answer,
    write: (bytes: number) => void call.write(Buffer.alloc(bytes)),
    end: () => void call.end('x'),
  }
}
