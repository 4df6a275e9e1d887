import { expect, test } from 'vitest'
import { splitGraphemes } from './graphemes.ts'
import { drawPicture } from './renderPicture.ts'

/* Names in many scripts are drawn whole: each character has its own shape, and none is an empty box (sharing-21). */

test.each([
  ['Latin with Vietnamese marks', 'Đà Nẵng ơi'],
  ['Yoruba, whose marks have no composed letters', 'Ọ̀rọ̀ ẹ̀kọ́'],
  ['Greek and Cyrillic', 'Ψυχή Ёжик'],
  ['simplified Chinese', '简体中文的周末梦境'],
  ['traditional Chinese and Cantonese', '憂鬱臺灣嘅嘢'],
  ['Japanese', '日曜日のソフト髙﨑'],
  ['Korean', '조용한 아침'],
  ['Arabic', 'موسيقى هادئة'],
  ['Urdu, Persian and Pashto', 'ڈھول گپ ښځې'],
  ['Hebrew', 'שבת שלום'],
  ['Thai', 'เพลงช้าวันอาทิตย์'],
  ['Lao', 'ເພງຊ້າ'],
  ['Khmer', 'ចម្រៀង'],
  ['Burmese', 'သီချင်း'],
  ['Tibetan', 'གླུ་དབྱངས'],
  ['Hindi', 'संगीत हिन्दी'],
  ['Bengali', 'বাংলা গান'],
  ['Punjabi', 'ਪੰਜਾਬੀ'],
  ['Gujarati', 'ગુજરાતી'],
  ['Odia', 'ଓଡ଼ିଆ'],
  ['Tamil', 'தமிழ் இசை'],
  ['Telugu', 'తెలుగు'],
  ['Kannada', 'ಕನ್ನಡ'],
  ['Malayalam', 'മലയാളം'],
  ['Sinhala', 'සිංහල'],
  ['Georgian', 'ქართული'],
  ['Armenian', 'Հայերեն'],
  ['Amharic', 'ሙዚቃ ቀስ'],
  ['Dhivehi', 'ދިވެހި'],
  ['Syriac', 'ܡܘܣܝܩܝ'],
  ["N'Ko", 'ߒߞߏ'],
  ['Cherokee', 'ᏣᎳᎩ'],
  ['Inuktitut', 'ᐃᓄᒃᑎᑐᑦ'],
  ['Mongolian and Tifinagh', 'ᠮᠣᠩᠭ ⵣⴰⵎ'],
  ['Javanese, Balinese and Sundanese', 'ꦗꦮ ᬩᬮᬶ ᮞᮥᮔ'],
  ['Yi, Vai and Cham', 'ꆈꌠ ꕙꔤ ꨌꩌ'],
  ['runes and Ogham', 'ᚠᚢᚦ ᚑᚌ'],
  ['stars, notes, arrows and mathematics', '★☆♫♪→✓∞⅔⁵₂𝄞'],
  ['mathematical letters', '𝓢𝓸𝓯𝓽 𝐁𝐨𝐥𝐝 𝔉𝔯𝔞𝔨 𝕂'],
  ['full-width and circled letters', 'Ｆｕｌｌ ⓒⓘⓡ ⑦ 🄰🄱'],
  ['small capitals, upside-down and superscript letters', 'ꜱᴍᴀʟʟ ʇɟos ᴬᴮ'],
  ['faces and ornaments', '꧁༺ ʕ•ᴥ•ʔ ಠ_ಠ ༻꧂ ツ'],
  ['emoji', '🔥🌙👩🏽‍🎤🏳️‍🌈❤️1️⃣'],
])('%s: %s', async (_, name) => {
  const graphemes = [...new Set(splitGraphemes(name))].filter((grapheme) => grapheme !== ' ')
  const [blank, ...drawn] = await Promise.all([' ', ...graphemes].map(draw))

  expect(graphemes.filter((_, at) => drawn[at] === blank)).toEqual([])
  // Boxes would be equal.
  expect(graphemes.filter((_, at) => drawn.indexOf(drawn[at] ?? '') !== at)).toEqual([])
  const [one = '', other = ''] = graphemes
  expect(await draw(name)).not.toBe(await draw(swap(name, one, other)))
})

test('an emoji is in colour, and one that is unknown is drawn by its parts', async () => {
  const fire = await draw('🔥')

  expect(imagesOf(fire).filter((image) => /fill="#f4900c"/i.test(image))).not.toEqual([])
  expect(await draw('👩🏽‍🎸🇽🇽')).toBe(await draw('👩🏽🎸XX'))
})

test('a character without a font is left out, and the text around it stays', async () => {
  expect(await draw('\u{17000}\ue000\u0007\ud800')).toBe(await draw(' '))
  // Adlam, Gothic, hieroglyphs and cuneiform: nobody has asked for them in a name.
  expect(await draw('𞤀𞤣𞤤𐌲𐌿𓆩𓂀𒀭')).toBe(await draw(' '))
  expect(await draw('So\u0007ft\ue000')).toBe(await draw('Soft'))
  expect(await draw('ソ\u{17000}フト')).toBe(await draw('ソフト'))
})

const draw = (name: string) =>
  drawPicture({
    format: 'preview',
    subject: { kind: 'collection', name, genres: [], creator: 'Mina Okafor' },
    site: 'bangers.example',
  })

const imagesOf = (svg: string) =>
  [...svg.matchAll(/data:image\/svg\+xml;base64,([^"]+)/g)].map(([, content = '']) =>
    Buffer.from(content, 'base64').toString(),
  )

/** Each in the place of the other. */
function swap(words: string, one: string, other: string): string {
  return splitGraphemes(words)
    .map((grapheme) => (grapheme === one ? other : grapheme === other ? one : grapheme))
    .join('')
}
