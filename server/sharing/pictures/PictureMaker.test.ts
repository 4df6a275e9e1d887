import { beforeEach, expect, test, vi } from 'vitest'
import { PictureMaker, type PictureRequest } from './PictureMaker.ts'
import { PictureRenderer } from './PictureRenderer.ts'
import type { Picture } from './picture.ts'

/** Records the names on rendered pictures; rendering takes no time. */
let rendered: string[] = []
let maker: PictureMaker
beforeEach(() => {
  rendered = []
  maker = new PictureMaker()
  vi.spyOn(PictureRenderer.prototype, 'render').mockImplementation(async (picture) => {
    const name = 'name' in picture.subject ? picture.subject.name : ''
    rendered.push(name)
    await new Promise(setImmediate)
    return Buffer.from(name)
  })
})

const collection = (name: string): Picture => ({
  format: 'preview',
  subject: { kind: 'collection', name, genres: [], creator: 'Mina Okafor' },
  site: 'bangers.example',
})

/** The subject `A1` belongs to owner A. */
const order = (subject: string, signal?: AbortSignal): PictureRequest => ({
  owner: subject.charAt(0),
  subject,
  ...(signal ? { signal } : {}),
})

test('500 requests for one picture at once render it once', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 500 }, () => maker.make(collection('Everybody'), order('A1'))),
  )

  expect(new Set(pictures.map(({ png }) => png)).size).toBe(1)
  await maker.make(collection('Everybody'), order('B1'))
  expect(rendered).toEqual(['Everybody'])
})

test('a changed picture is rendered again, with another ETag', async () => {
  const one = await maker.make(collection('Before'), order('A1'))
  const other = await maker.make(collection('After'), order('A1'))

  expect(rendered).toEqual(['Before', 'After'])
  expect(one.etag).not.toBe(other.etag)
})

test('when a collection is renamed while its picture is queued, only the newest is rendered, for all requests', async () => {
  const first = maker.make(collection('At work'), order('A1'))
  const names = ['One', 'Two', 'Three', 'Four']
  const versions = await Promise.all(names.map((name) => maker.make(collection(name), order('B1'))))
  await first

  expect(rendered).toEqual(['At work', 'Four'])
  expect(new Set(versions.map(({ etag }) => etag)).size).toBe(1)
  expect(versions[0]?.etag).toBe((await maker.make(collection('Four'), order('B1'))).etag)
})

test('a request with the new name of a picture that is rendering gets the new one', async () => {
  const before = maker.make(collection('Before'), order('A1'))
  while (rendered.length === 0) await null
  const after = maker.make(collection('After'), order('A1'))

  expect([String((await before).png), String((await after).png)]).toEqual(['Before', 'After'])
})

test('a picture is dropped when nobody waits for it any more, and rendered while somebody does', async () => {
  const first = maker.make(collection('At work'), order('A1'))
  const [gone, away] = [new AbortController(), new AbortController()]
  const dropped = Promise.allSettled(
    [gone, away].map(({ signal }) => maker.make(collection('Dropped'), order('B1', signal))),
  )
  const kept = [gone.signal, undefined].map((signal) => maker.make(collection('Kept'), order('C1', signal)))
  gone.abort(new Error('gone'))
  away.abort(new Error('gone'))
  const again = maker.make(collection('Dropped'), order('B1'))
  await Promise.all([first, ...kept])

  expect(await dropped).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(rendered).toEqual(['At work', 'Kept', 'Dropped'])
  expect(String((await again).png)).toBe('Dropped')
})

test('limits-5: a listener who keeps changing a picture gets 60 a minute, and others get theirs', async () => {
  for (let n = 0; n < 60; n++) await maker.make(collection(`Version ${n}`), order('A1'))
  const refused = maker.make(collection('One more'), order('A2'))

  await expect(refused).rejects.toMatchObject({ status: 503, retryAfter: expect.any(Number) })
  expect(rendered).toHaveLength(60)
  expect(String((await maker.make(collection('Version 59'), order('A1'))).png)).toBe('Version 59')
  expect(String((await maker.make(collection('Another'), order('B1'))).png)).toBe('Another')
})
