import { expect, test } from 'vitest'
import { packagePath } from '../../packagePath.ts'
import { FAMILIES } from './families.ts'
import { evictFontsWhenFull, fontFilesOf, hasCodePoint, readCodePoints, readFont } from './fontFiles.ts'
import { selectFonts } from './fonts.ts'
import { splitGraphemes } from './graphemes.ts'

const fontsOf = (words: string) => selectFonts(splitGraphemes(words), 'Display')
const familyOf = (grapheme: string, words: string) => fontsOf(words).fileOf(grapheme)?.family

test('Han characters are Chinese next to a simplified one, Japanese next to kana', () => {
  expect(familyOf('国', '国际')).toBe('noto-sans-sc')
  expect(familyOf('国', '国の歌')).toBe('biz-udpgothic')
  expect(familyOf('日', '日曜日')).toBe('biz-udpgothic')
})

test('a word whose letters the first font does not all have is in another, and whole', () => {
  expect(familyOf('S', 'Soft')).toBe('anybody')
  expect(familyOf('r', 'Ọ̀rọ̀')).toBe(familyOf('Ọ̀'.normalize('NFC'), 'Ọ̀rọ̀'))
})

test('Arabic letters are in a font that joins them, and a space is never drawn as a picture', () => {
  const fonts = fontsOf('موسيقى هاد')
  expect(fonts.fileOf('م')?.family).toBe('noto-sans-arabic')
  expect(fonts.isMisplaced(' ')).toBe(false)
})

test('texts load the fonts that they need, and of Han characters one', () => {
  const bytesFor = (words: string) => fontsOf(words).fonts.reduce((sum, { data }) => sum + data.length, 0)
  const latin = bytesFor('Soft focus')

  expect(latin).toBeLessThan(100_000)
  expect(bytesFor('简体中文的周末梦境') - latin).toBeLessThan(3_500_000)
  expect(bytesFor('★♫→∞') - latin).toBeLessThan(500_000)
})

test('fonts are forgotten before they fill the memory', () => {
  const paths = FAMILIES.flatMap(fontFilesOf).flatMap(({ weights }) => weights.map(({ path }) => path))
  const [first = ''] = paths
  const known = readFont(first)
  expect(readFont(first)).toBe(known)
  for (const path of paths) {
    readFont(path)
    evictFontsWhenFull()
  }
  expect(readFont(first)).not.toBe(known)
})

test.each([
  ['instrument-sans/latin-700.woff', 'Az©…', 'Ā★日'],
  ['noto-sans-math/latin-400.woff', '→∞𝓢', '日\u{1f0a1}\uffff'],
  ['noto-sans-symbols-2/symbols-400.woff', '★✓\u{1f0a1}', 'ქ\u{1f525}'],
])('%s has %j and lacks %j', (file, present, missing) => {
  const codePoints = readCodePoints(packagePath(`server/sharing/pictures/fonts/${file}`))
  const has = (sign: string) => hasCodePoint(codePoints, sign.codePointAt(0) ?? 0)

  expect([...present].filter((sign) => !has(sign))).toEqual([])
  expect([...missing].filter(has)).toEqual([])
})
