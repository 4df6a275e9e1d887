import { expect, test } from 'vitest'
import { foldText } from './foldText.ts'

test.each([
  ['accents', 'forro rai tropicalia dvorak', 'Forró Raï Tropicália Dvořák'],
  ['composed and decomposed accents', 'e\u0301 A\u030A', 'É Å'],
  ['letters with a stroke, and ligatures', 'royksopp zolw strasse aether', 'RØYKSOPP Żółw Straße Æther'],
  ['the dotted and the dotless i', 'istanbul isik', 'İSTANBUL Işık'],
  ['a Greek sigma at the end of a word', 'ΟΔΥΣ', 'οδυς'],
  ['a Greek accent', 'ωδη', 'Ωδή'],
  ['Cyrillic letters with marks', 'еще гудок қара', 'Ещё ґудок Кара'],
  ['full and half width', 'ＹＭＯ ｶﾞﾝﾀﾞﾑ', 'ymo ガンダム'],
  ['the two scripts of Japanese', 'ぽりりずむ', 'ポリリズム'],
  ['Persian and Arabic letters and digits', 'كيان ۱۲', 'کیان ١٢'],
  ['Arabic vowels, hamza and a stretched letter', 'أُمّ كـــلثوم', 'ام كلثوم'],
  ['points of Hebrew', 'שָׁלוֹם', 'שלום'],
  ['quotes, hyphens and spaces', "don't stop - now", 'Don’t  stop\u00A0– now'],
  ['joiners and soft hyphens', 'میخواهم softly', 'می\u200Cخواهم soft\u00ADly'],
  ['ligatures and superscripts', 'fin x2', 'ﬁn x²'],
  ['Vietnamese', 'duong', 'Đường'],
])('%s make no difference', (_, typed, written) => {
  expect(foldText(typed)).toBe(foldText(written))
})

test('what is folded stays as it is, whatever the character', () => {
  for (let point = 0; point <= 0x10ffff; point++) {
    const sign = String.fromCodePoint(point)
    if (/\p{Unified_Ideograph}|\p{Cn}|\p{Co}/u.test(sign)) continue
    const folded = foldText(sign)
    if (foldText(folded) !== folded || foldText(sign.normalize('NFC')) !== folded)
      expect.fail(`U+${point.toString(16)}`)
  }
})

test.each([
  ['шум', 'сум'],
  ['ara', 'ora'],
  ['中', '国'],
  ['👩', '👨'],
  ['a.c', 'abc'],
  ['100%', '100'],
])('%s and %s stay apart', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other))
})
