import { expect, test } from 'vitest'
import { FORMATS, type Picture } from './picture.ts'
import { renderPicture } from './renderPicture.ts'

const site = 'bangers.example'

const collection = (name: string, genres = [{ name: 'chillwave', color: '#35b5b0' }]): Picture => ({
  format: 'preview',
  subject: { kind: 'collection', name, genres, creator: 'Mina Okafor' },
  site,
})

test('a picture is a PNG with the size of its format', async () => {
  for (const format of ['preview', 'story'] as const) {
    expect(sizeOf(await renderPicture({ ...collection('Soft focus'), format }))).toEqual(FORMATS[format])
  }
})

test.each([
  '🔥 night 🌙 👩🏽‍🎤🇯🇵❤️1️⃣',
  '<script>alert(1)</script> & "quotes" \' \\',
  'x'.repeat(10_000),
  'ไทย ქართული 简体 বাংলা and മലയാളം in one name',
  '\ud800 half a sign, \u0007 a bell and \u202e turned',
  ' ',
])('a picture of %j is rendered', async (name) => {
  expect(sizeOf(await renderPicture(collection(name)))).toEqual(FORMATS.preview)
})

test('collections with 0 and 50 microgenres, an unknown achievement and big numbers are rendered', async () => {
  const genres = Array.from({ length: 50 }, (_, i) => ({ name: `genre ${i}`, color: '#a15bd6' }))
  const creator = 'Music Explorer'
  const subjects: Picture['subject'][] = [
    collection('Empty', []).subject,
    collection('Full', genres).subject,
    {
      kind: 'achievement',
      type: '__proto__',
      name: '__proto__',
      text: null,
      genre: null,
      creator,
    },
    { kind: 'stats', bangers: 2_000_000_000, rated: 0, favourite: null, creator },
  ]
  for (const subject of subjects) {
    expect(sizeOf(await renderPicture({ format: 'story', subject, site }))).toEqual(FORMATS.story)
  }
})

test("a story shows the site's address, however long, and a preview does not (sharing-19)", async () => {
  const pictures = (format: 'preview' | 'story') =>
    Promise.all(
      [site, 'localhost:3000', `${'long.'.repeat(30)}example`].map((site) =>
        renderPicture({ ...collection('Soft focus'), format, site }),
      ),
    )

  expect(new Set((await pictures('story')).map(String)).size).toBe(3)
  expect(new Set((await pictures('preview')).map(String)).size).toBe(1)
})

function sizeOf(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
