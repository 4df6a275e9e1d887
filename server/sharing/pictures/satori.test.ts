import sharp from 'sharp'
import { expect, test } from 'vitest'
import { selectFonts } from './fonts.ts'
import { splitGraphemes } from './graphemes.ts'
import { satori } from './renderPicture.ts'

/* The height of the ink at 100 pixels, as Chromium draws it with the same fonts. A mark in a wrong place changes it. */
test.each([
  ['Latin of several marks', 'm̃̈', 97],
  ['Yoruba', 'Ọ̀', 114],
  ['Ewe', 'ɔ̃́', 98],
  ['Arabic', 'هادئة', 84],
  ['Arabic with vowels', 'بِسْمِ', 118],
  ['Arabic with two marks', 'ٱلرَّحْمَـٰنِ', 136],
  ['Pashto', 'ښځې', 138],
  ['Hebrew with points', 'שִׁ֔ית', 97],
  ['Thai', 'ที่', 104],
  ['Lao', 'ຫຼັ້', 132],
  ['Khmer', 'ព្រឹ', 115],
  ['Khmer with a mark above', 'ក៏', 93],
  ['Burmese', 'မြန်မာ', 147],
  ['Tibetan', 'སྐྱིད', 169],
  ['Bengali', 'র্কি', 92],
  ['Javanese', 'ꦗꦮꦶ', 96],
  ['Meetei Mayek', 'ꯃꯤꯇꯩ', 104],
  ["N'Ko", 'ߒߞߏ߫', 94],
])('sharing-21: marks stand where a browser draws them: %s', async (_, word, height) => {
  expect(Math.abs((await inkHeight(word)) - height)).toBeLessThanOrEqual(1)
})

async function inkHeight(word: string): Promise<number> {
  const { fonts, families } = selectFonts(splitGraphemes(word), 'Text')
  const style = { display: 'flex', fontFamily: families, fontWeight: 700, fontSize: 100, lineHeight: 3 }
  const element = { type: 'div', props: { style, children: word } } as unknown as Parameters<typeof satori>[0]
  const svg = await satori(element, { width: 600, height: 300, fonts })
  const { info } = await sharp(Buffer.from(svg))
    .flatten({ background: 'white' })
    .trim({ threshold: 127 })
    .toBuffer({ resolveWithObject: true })
  return info.height
}
