import { beforeEach, expect, test, vi } from 'vitest'
import { type Order, PictureMaker } from './PictureMaker.ts'
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
    if (name === 'Broken') throw new Error('A picture could not be rendered.')
    return Buffer.from(name)
  })
})

const collection = (name: string): Picture => ({
  format: 'preview',
  subject: { kind: 'collection', name, genres: [], creator: 'Mina Okafor' },
  site: 'bangers.example',
})

/** The subject `A1` belongs to owner A. */
const order = (subject: string, signal?: AbortSignal): Order => ({
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

test('beyond the queue requests get 503 with Retry-After, and queued ones are rendered', async () => {
  const small = new PictureMaker({ queueLength: 2 })
  const asked = ['At work', 'Busy', 'Calm', 'Dense'].map((name) => small.make(collection(name), order(name)))
  const answers = await Promise.allSettled(asked)

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect(answers[3]).toMatchObject({ reason: { status: 503, retryAfter: 5 } })
})

test('a picture that fails does not affect others', async () => {
  const names = ['Left', 'Broken', 'Right']
  const answers = await Promise.allSettled(names.map((name) => maker.make(collection(name), order(name))))

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a listener with many pictures does not delay others: owners take turns', async () => {
  const ask = (name: string) => maker.make(collection(name), order(name))
  const flood = Promise.allSettled(Array.from({ length: 60 }, (_, i) => ask(`F${i}`)))
  await Promise.all(['A1', 'B1', 'A2'].map(ask))

  expect(rendered.slice(0, 5)).toEqual(['F0', 'A1', 'B1', 'F1', 'A2'])
  const refused = (await flood).flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused.length).toBe(60 - 13)
  expect(refused[0]).toMatchObject({ status: 503, retryAfter: 5 })
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
