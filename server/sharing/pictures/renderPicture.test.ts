import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { FORMATS, type Picture } from './picture.ts'
import { renderPicture } from './renderPicture.ts'

const collection = (name: string, genres = [{ name: 'chillwave', color: '#35b5b0' }]): Picture => ({
  format: 'preview',
  subject: { kind: 'collection', name, genres, creator: 'Mina Okafor' },
})

test('a picture is a PNG with the size of its format', async () => {
  for (const format of ['preview', 'story'] as const) {
    expect(sizeOf(await renderPicture({ ...collection('Soft focus'), format }))).toEqual(FORMATS[format])
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
      text: 'Achievement unlocked',
      genre: null,
      creator,
    },
    { kind: 'stats', bangers: 2_000_000_000, rated: 0, favourite: null, creator },
  ]
  for (const subject of subjects) {
    expect(sizeOf(await renderPicture({ format: 'story', subject }))).toEqual(FORMATS.story)
  }
})

test.each([
  ['stars, notes, arrows and mathematics', '★♫♪→✓∞𝓢𝄞'],
  ['simplified Chinese', '简让们'],
  ['Thai, Tamil, Georgian, Armenian and Bengali', 'ไதქժব'],
])('%s: every character is drawn, none as a missing-glyph box', async (_, words) => {
  const signs = [...words]
  const pictures = await Promise.all([' ', ...signs].map(look))

  // A box would look the same for each character.
  expect(new Set(pictures).size).toBe(signs.length + 1)
})

test('a character without a font is left out, and the text around it stays', async () => {
  expect(await look('\u{12000}\ue000\u0007\ud800')).toBe(await look(' '))
  expect(await look('So\u{12000}ft\ue000')).toBe(await look('Soft'))
})

/** Equal for equal pictures. */
async function look(name: string): Promise<string> {
  const png = await renderPicture(collection(name))
  return createHash('sha256').update(png).digest('hex')
}

function sizeOf(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
