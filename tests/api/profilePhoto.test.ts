import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { actOnAccount } from '../../contract/admin.ts'
import { getCurrentUser } from '../../contract/auth.ts'
import { decideCase, undoDecision } from '../../contract/desk.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import { reportSubject } from '../../contract/reports.ts'
import {
  MAX_PHOTO_BYTES,
  PHOTO_SIZES,
  photoSources,
  removePhoto,
  requestPhotoUpload,
  setPhoto,
} from '../../contract/uploads.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { choosePhoto, putBytes } from '../harness/multipart.ts'
import { request, requestBytes } from '../harness/request.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { makePhonePicture, makePicture, makePlainPicture } from '../pictures.ts'

const app = setUpApp()
const ada = setUpListener(app)

test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
  'a %s becomes the photo, square, as WebP, in every size that pages use (uploads-11)',
  async (format) => {
    const { status, body } = await choosePhoto(ada, await makePicture(format))

    expect(status).toBe(200)
    expect(body.profileImageUrl).toMatch(/^\/photos\/[\w-]{43}-192\.webp$/)
    expect((await ada.call(getCurrentUser)).body.profileImageUrl).toBe(body.profileImageUrl)
    for (const [source, size] of sourcesOf(body.profileImageUrl)) {
      const { status, headers, bytes } = await requestBytes(app.url + source)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=86400',
        'content-length': String(bytes.length),
      })
      const { format: storedFormat, width, height } = await sharp(bytes).metadata()
      expect({ made: storedFormat, width, height }).toEqual({ made: 'webp', width: size, height: size })
    }
    expect(await filesOf(ada)).toEqual([])
  },
)

test('a photo loses the metadata of the phone, and is upright (uploads-11)', async () => {
  const picture = await makePhonePicture()
  expect(picture.includes('SecretPhone')).toBe(true)
  const { body } = await choosePhoto(ada, picture)
  const photo = sharp((await requestBytes(app.url + body.profileImageUrl)).bytes)

  const { exif, orientation } = await photo.metadata()
  expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined })
  const [red = 0, , blue = 0] = await photo
    .extract({ left: 10, top: 96, width: 1, height: 1 })
    .raw()
    .toBuffer()
  expect(red).toBeGreaterThan(blue + 100)
})

test('exactly 5,242,880 bytes are accepted, one more is not (uploads-3)', async () => {
  const picture = await makePicture('jpeg')
  // Bytes after the end of a JPEG are ignored: some phones write data there.
  const full = Buffer.concat([picture, Buffer.alloc(MAX_PHOTO_BYTES - picture.length)])
  expect((await choosePhoto(ada, full)).status).toBe(200)
  const before = (await ada.call(getCurrentUser)).body.profileImageUrl
  const sent = await send(ada, Buffer.concat([full, Buffer.alloc(1)]))

  expect(sent.status).toBe(413)
  expect(JSON.parse(sent.text)).toEqual({ message: expect.stringContaining('too large') })
  expect((await ada.call(requestPhotoUpload, { body: { size: MAX_PHOTO_BYTES + 1 } })).status).toBe(413)
  await sweepUnfinished(ada)
  await expectUnchanged(ada, before)
})

/** A listener who has a photo. */
const settled = setUpService(async () => {
  const ada = await app.signIn()
  return { ada, photo: (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl }
})

test.each([
  ['a text named .png', async () => Buffer.from('I am a picture, really.'), 'Please choose a PNG'],
  ['a PNG header only', async () => Buffer.from('89504e470d0a1a0a', 'hex'), 'Please choose a PNG'],
  [
    'an SVG',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'Please choose a PNG',
  ],
  ['a script with a GIF header', async () => Buffer.from('GIF89a=1;alert(document.cookie)//'), 'damaged'],
  [
    'a GIF followed by a script',
    async () => Buffer.concat([await makePicture('gif'), Buffer.from('<script>alert(1)</script>')]),
    'contains more than a picture',
  ],
  ['12,000×12,000 pixels', () => makePlainPicture(12_000, 12_000), 'too many pixels: 12000 × 12000'],
  [
    'an interlaced PNG of 13 megapixels, which takes four times the memory of another,',
    () => makePlainPicture(3600, 3600, { interlaced: true }),
    'too many pixels: 3600 × 3600. Please choose one of at most 12.5 megapixels.',
  ],
  [
    'a truncated JPEG',
    async () => (await makePicture('jpeg', { width: 900, height: 900 })).subarray(0, 60_000),
    'damaged',
  ],
  [
    'a truncated PNG',
    async () => (await makePicture('png', { width: 300, height: 300 })).subarray(0, 60_000),
    'damaged',
  ],
  ['a truncated GIF', async () => (await makePicture('gif')).subarray(0, -2000), 'damaged'],
  ['a truncated WebP', async () => (await makePicture('webp')).subarray(0, -2000), 'damaged'],
])(
  '%s is refused with a message; the old photo stays, and no file is left (uploads-11)',
  async (_, make, words) => {
    const { status, body } = await choosePhoto(settled.ada, await make())

    expect({ status, body }).toEqual(refusal(400, expect.stringContaining(words)))
    await expectUnchanged(settled.ada, settled.photo)
  },
)

test('the same file twice is one photo, and the previous one is deleted (uploads-11)', async () => {
  const picture = await makePicture('png')
  const first = (await choosePhoto(ada, picture)).body.profileImageUrl
  const second = (await choosePhoto(ada, picture)).body.profileImageUrl

  expect((await request(app.url + first)).status).toBe(second === first ? 200 : 404)
  await expectUnchanged(ada, second)
})

test('two photos at once leave one complete photo', async () => {
  const [one, two] = await Promise.all([makePicture('png'), makePicture('jpeg')])
  const answers = await Promise.all([choosePhoto(ada, one), choosePhoto(ada, two)])

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await expectUnchanged(ada, (await ada.call(getCurrentUser)).body.profileImageUrl)
})

test('a removed photo is deleted completely', async () => {
  const photo = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl
  const { status, body } = await ada.call(removePhoto)

  expect(status).toBe(200)
  expect(body.profileImageUrl).toBeNull()
  expect((await request(app.url + photo)).status).toBe(404)
  expect(await rowsOf(ada)).toEqual([])
})

test('a photo is served to nobody while its owner is suspended, or after a steward took it down (uploads-11)', async () => {
  const [ada, operator] = [await app.signIn(), await app.signIn()]
  await ada.call(updateProfile, { body: { isPublic: true } })
  const photo = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl
  const statuses = () =>
    Promise.all(sourcesOf(photo).map(async ([to]) => (await request(app.url + to)).status))
  const act = (action: 'suspend' | 'restore') =>
    operator.call(actOnAccount, { params: { id: ada.id }, body: { action } })

  await act('suspend')
  expect(new Set(await statuses())).toEqual(new Set([404]))
  await act('restore')
  expect(new Set(await statuses())).toEqual(new Set([200]))
  const { headers } = await request(app.url + photo)
  const again = await request(app.url + photo, { headers: { 'if-none-match': String(headers.etag) } })
  expect(again).toMatchObject({ status: 304, text: '' })

  await operator.call(reportSubject, { body: { subject: 'photo', subjectId: ada.id, reason: 'sexual' } })
  const body = { subject: 'photo', subjectId: ada.id, action: 'block' } as const
  const { id } = (await operator.call(decideCase, { body })).body
  expect(new Set(await statuses())).toEqual(new Set([404]))
  await operator.call(undoDecision, { params: { id } })
  expect(new Set(await statuses())).toEqual(new Set([200]))
})

test.each([
  'https://example.org/me.png',
  'http://localhost:1/uploads/1/aaaaaaaaaaaaaaaaaaaaaa',
  'uploads/1/../2/aaaaaaaaaaaaaaaaaaaaaa',
  '/uploads/%2e%2e/%2e%2e/etc/passwd',
  '../../secret',
  'javascript:alert(1)',
  'data:image/png;base64,iVBORw0KGgo=',
  'https://',
  '',
])('photoURL %j is rejected because the listener did not upload it (uploads-11)', async (photoURL) => {
  const { status, body } = await settled.ada.raw(setPhoto.path, { method: 'PUT', json: { photoURL } })

  expect({ status, body }).toEqual(refusal(400, 'photoURL: must be a picture that you have just uploaded'))
  await expectUnchanged(settled.ada, settled.photo)
})

test('an upload that has not arrived cannot become the photo', async () => {
  const { uploadURL } = await ask(ada)

  expect((await ada.call(setPhoto, { body: { photoURL: uploadURL } })).status).toBe(400)
})

// everyCall.test.ts alters each part.
test('an address with a signature whose last letter decodes to the same bytes is rejected', async () => {
  const url = new URL((await ask(ada)).uploadURL)
  const signature = url.searchParams.get('signature') ?? ''
  const last = BASE64.indexOf(signature.at(-1) ?? '')
  url.searchParams.set('signature', signature.slice(0, -1) + BASE64[last + 1])

  expect((await putBytes(url.href, await makePicture('png'))).status).toBe(403)
  expect(await filesOf(ada)).toEqual([])
})

test('an address expires after 15 minutes, with the message that Uppy expects (uploads-8)', async () => {
  const { uploadURL, expires } = await ask(ada)
  expect(expires).toBe(900)
  const end = Number(new URL(uploadURL).searchParams.get('expires'))
  expect(Math.abs(end - Date.now() / 1000 - 900)).toBeLessThan(30)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
  const answer = await putBytes(uploadURL, Buffer.from('late')).finally(() => vi.useRealTimers())

  expect(answer.status).toBe(403)
  expect(answer.text).toContain('<Message>Request has expired</Message>')
})

test('more or fewer bytes than announced are rejected, and no file is left', async () => {
  const { uploadURL } = await ask(ada, { size: 1000 })

  expect((await putBytes(uploadURL, Buffer.alloc(1001))).status).toBe(413)
  expect((await putInChunks(uploadURL, Buffer.alloc(1001))).status).toBe(413)
  expect((await putBytes(uploadURL, Buffer.alloc(999))).status).toBe(400)
  expect(await filesOf(ada)).toEqual([])
  expect((await putBytes(uploadURL, Buffer.alloc(1000))).status).toBe(200)
})

test('an upload whose sender disconnects leaves no file', async () => {
  const { uploadURL } = await ask(ada)
  await goAwayDuring(uploadURL)

  await expect.poll(() => readdir(join(app.dataDir, 'uploads/arriving'))).toEqual([])
  expect(await filesOf(ada)).toEqual([])
})

test('an upload that never became a photo is deleted, with its row', async () => {
  const { uploadURL } = await ask(ada)
  await putBytes(uploadURL, await makePicture('png'))
  expect(await filesOf(ada)).toHaveLength(1)
  await sweepUnfinished(ada)

  expect(await filesOf(ada)).toEqual([])
  expect(await rowsOf(ada)).toEqual([])
  expect((await putBytes(uploadURL, await makePicture('png'))).status).toBe(404)
})

test('files of a killed server are deleted, and those being uploaded are not', async () => {
  const arriving = join(app.dataDir, 'uploads/arriving')
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000)
  await writeFile(join(arriving, 'left-over'), 'half')
  await utimes(join(arriving, 'left-over'), hoursAgo, hoursAgo)
  await writeFile(join(arriving, 'arriving'), 'half')
  await app.store.disk.sweep()

  expect(await readdir(arriving)).toEqual(['arriving'])
  await rm(join(arriving, 'arriving'))
})

test('deleting an account deletes its photo and its uploads (people-18)', async () => {
  const photo = (await choosePhoto(ada, await makePicture('png'))).body.profileImageUrl
  const { uploadURL } = await ask(ada)
  await putBytes(uploadURL, await makePicture('png'))
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  await sweepUploads(app.db, app.store)

  expect((await request(app.url + photo)).status).toBe(404)
  expect((await putBytes(uploadURL, await makePicture('png'))).status).toBe(404)
  await sweepUnfinished(ada)
  expect(await filesOf(ada)).toEqual([])
})

test('a photo that is stored while its account is deleted does not stay (people-18)', async () => {
  const ada = await app.signIn()
  const written: string[] = []
  const write = app.store.write.bind(app.store)
  vi.spyOn(app.store, 'write').mockImplementation(async (key, ...rest) => {
    if (written.length === 0) await ada.call(deleteAccount, { body: { confirmation: ada.email } })
    written.push(key)
    return write(key, ...rest)
  })

  expect((await choosePhoto(ada, await makePicture('png'))).status).toBe(401)
  expect(written).toHaveLength(PHOTO_SIZES.length)
  for (const key of written) expect(await app.store.measure(key)).toBeNull()
})

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

type Listener = Visitor & { id: string; email: string }

const ask = async (listener: Visitor, body: { size?: number } = {}) =>
  (await listener.call(requestPhotoUpload, { body: { filename: 'me.png', type: 'image/png', ...body } })).body

const send = async (listener: Visitor, bytes: Buffer) => putBytes((await ask(listener)).uploadURL, bytes)

/** Moves the uploads an hour into the past. */
async function sweepUnfinished({ id }: Listener) {
  await app.db`
    update uploads set expires_at = now() - interval '1 second' where user_id = ${id} and expires_at is not null`
  await sweepUploads(app.db, app.store)
}

/** The photo is `photo` and is served, and there are no other files or rows of the listener. */
async function expectUnchanged(listener: Listener, photo: string | null) {
  expect((await listener.call(getCurrentUser)).body.profileImageUrl).toBe(photo)
  for (const [source] of sourcesOf(photo)) expect((await request(app.url + source)).status).toBe(200)
  expect(await filesOf(listener)).toEqual([])
  expect(await rowsOf(listener)).toEqual([`photos/${photo?.slice(8, 51)}`])
  expect(await readdir(join(app.dataDir, 'uploads/arriving'))).toEqual([])
}

function sourcesOf(photo: string | null): [source: string, size: number][] {
  const sources = (photoSources(photo) ?? '').split(', ').map((source) => source.split(' '))
  expect(sources).toHaveLength(PHOTO_SIZES.length)
  return sources.map(([source = '', size = '']) => [source, Number.parseInt(size, 10)])
}

const filesOf = ({ id }: Listener) => readdir(join(app.dataDir, 'uploads/uploads', id)).catch(() => [])

const rowsOf = async ({ id }: Listener) =>
  (
    await app.db<{ key: string }[]>`select key from uploads where user_id = ${id} and discarded_at is null`
  ).map(({ key }) => key)

/** Without Content-Length. */
function putInChunks(url: string, bytes: Buffer): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const call = http.request(url, { method: 'PUT' }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode })
    })
    call.on('error', reject)
    call.write(bytes.subarray(0, 500))
    call.end(bytes.subarray(500))
  })
}

/** Closes the connection when the server has begun to write. */
async function goAwayDuring(url: string): Promise<void> {
  const call = http.request(url, { method: 'PUT', headers: { 'content-length': 1_000_000 } })
  call.on('error', () => {})
  call.write(Buffer.alloc(100_000))
  await expect.poll(() => readdir(join(app.dataDir, 'uploads/arriving'))).toHaveLength(1)
  call.destroy()
}
