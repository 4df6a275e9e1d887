import { expect, test } from 'vitest'
import { fontsFor } from './fonts.ts'

const familyOf = (sign: string, words: string) => fontsFor(new Set(words)).find('Display', sign)?.family

test('Han characters are Chinese next to a simplified one, Japanese next to kana', () => {
  expect(familyOf('国', '国际')).toBe('noto-sans-sc')
  expect(familyOf('国', '国の歌')).toBe('biz-udpgothic')
  expect(familyOf('日', '日曜日')).toBe('biz-udpgothic')
})

test('texts load the fonts that they need, not whole families', () => {
  const bytesFor = (words: string) =>
    fontsFor(new Set(words)).fonts.reduce((sum, { data }) => sum + data.length, 0)
  const latin = bytesFor('Soft focus')

  expect(latin).toBeLessThan(100_000)
  expect(bytesFor('简体中文的周末梦境') - latin).toBeLessThan(500_000)
  expect(bytesFor('★♫→∞') - latin).toBeLessThan(500_000)
})
