import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PictureMaker } from './PictureMaker.ts'
import { FORMATS, type Picture } from './picture.ts'

let maker: PictureMaker
beforeAll(() => {
  maker = new PictureMaker()
})
afterAll(() => maker.close())

const collection = (name: string, genres = [{ name: 'chillwave', color: '#35b5b0' }]): Picture => ({
  format: 'preview',
  subject: { kind: 'collection', name, genres, creator: 'Mina Okafor' },
})

describe('a picture', () => {
  test('is a PNG of the size that its format has', async () => {
    for (const format of ['preview', 'story'] as const) {
      const { png } = await maker.make({ ...collection('Soft focus'), format })
      expect(sizeOf(png)).toEqual(FORMATS[format])
    }
  })

  test.each([
    '日曜日の朝、ソフトフォーカス',
    'موسيقى هادئة ليوم الأحد',
    'שלום עולם',
    '조용한 아침',
    'Привет, Ελλάδα, Đà Nẵng, हिन्दी',
    '🔥 night 🌙 👩🏽‍🎤🇯🇵❤️1️⃣',
    '<script>alert(1)</script> & "quotes" \' \\',
    'x'.repeat(10_000),
    'ไทย ქართული 简体 বাংলা, and മലയാളം, for which there is no font',
    '\ud800 half a sign, \u0007 a bell and \u202e turned',
    ' ',
  ])('of %j is drawn', async (name) => {
    const { png } = await maker.make(collection(name))
    expect(sizeOf(png)).toEqual(FORMATS.preview)
  })

  test('of a collection without microgenres, with 50, of an unknown achievement, of big numbers', async () => {
    const genres = Array.from({ length: 50 }, (_, i) => ({ name: `genre ${i}`, color: '#a15bd6' }))
    const creator = 'Music Explorer'
    const subjects: Picture['subject'][] = [
      collection('Empty', []).subject,
      collection('Full', genres).subject,
      {
        kind: 'achievement',
        type: '__proto__',
        name: '__proto__',
        text: 'Achievement unlocked',
        genre: null,
        creator,
      },
      { kind: 'stats', bangers: 2_000_000_000, rated: 0, favourite: null, creator },
    ]
    for (const subject of subjects) {
      expect(sizeOf((await maker.make({ format: 'story', subject })).png)).toEqual(FORMATS.story)
    }
  })
})

test('500 who ask for one picture at once get one that was rendered once', async () => {
  const before = maker.rendered
  const pictures = await Promise.all(Array.from({ length: 500 }, () => maker.make(collection('Everybody'))))

  expect(new Set(pictures.map(({ png }) => png)).size).toBe(1)
  expect(maker.rendered - before).toBe(1)
  await maker.make(collection('Everybody'))
  expect(maker.rendered - before).toBe(1)
})

test('what changes is rendered anew, and has another tag', async () => {
  const before = maker.rendered
  const [one, other] = [await maker.make(collection('Before')), await maker.make(collection('After'))]

  expect(maker.rendered - before).toBe(2)
  expect(one.etag).not.toBe(other.etag)
})

test('beyond the queue it is 503 with Retry-After, and those in the queue are made', async () => {
  const small = new PictureMaker({ queueLength: 2 })
  const asked = ['at work', 'waits', 'waits too', 'too many'].map((name) => small.make(collection(name)))
  const answers = await Promise.allSettled(asked)
  await small.close()

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect(answers[3]).toMatchObject({ reason: { status: 503, retryAfter: 5 } })
})

test('a picture that cannot be drawn fails alone', async () => {
  const broken = { format: 'preview', subject: { kind: 'collection' } } as unknown as Picture
  const answers = await Promise.allSettled([
    maker.make(collection('Left')),
    maker.make(broken),
    maker.make(collection('Right')),
  ])

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

function sizeOf(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
