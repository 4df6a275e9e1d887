import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { charactersOf, cleanLine, cleanLines, Lines, maxCharacters } from './texts.ts'

test.each([
  ['a direction override', 'abc\u202Edef\u202C', 'abcdef'],
  ['directional isolates and marks', '\u2066\u200FAda\u200E\u2069', 'Ada'],
  ['zero-width spaces', 'A\u200Bd\u2060a\uFEFF', 'Ada'],
  ['joiners where nothing joins', 'A\u200Dd\u200Ca', 'Ada'],
  ['joiners in a row', 'می\u200C\u200C\u200Dخواهم', 'می\u200Cخواهم'],
  ['a soft hyphen', 'A\u00ADda', 'Ada'],
  ['accents beside their letters', 'e\u0301 A\u200B\u030A', 'é Å'],
  ['invisible letters', 'A\u3164\u115Fda', 'Ada'],
  ['variation selectors without a character', '\uFE0FAda \uFE0E', 'Ada'],
  ['variation selectors of letters that have no variants', 'A\uFE0Fd\u{E0100}a Ж\uFE0E', 'Ada Ж'],
  ['tags that form no flag', 'Ada\u{E0041}\u{E007F}', 'Ada'],
  ['a bell, an escape and a delete', 'Ada\u0007\u001B\u007FB', 'Ada B'],
  ['line breaks and tabs', ' Ada\r\n\tLovelace\u2028', 'Ada Lovelace'],
  ['only invisible characters', '\u200B\u2060 \u3000', ''],
  ['only letters that look empty', '\u2800\u3164\uFFA0\u{13441}\u{1D159}', ''],
  ['only marks', '\u0301\uFE0F', ''],
  ['empty Braille cells at its ends', '\u2800Ada\u2800', 'Ada'],
  ['a non-joiner that ends a word', 'نام\u200C نام\u200C', 'نام نام'],
  ['annotations, replaced objects and what is no character', 'A\uFFF9d\uFFFBa\uFFFC\uFFFE\u{1FFFF}', 'Ada'],
])('a name is stored without %s', (_, typed, kept) => {
  expect(cleanLine(typed)).toBe(kept)
})

test.each([
  ['emoji of several code points', '👩🏽‍🎤🎧🏳️‍🌈🇩🇪❤️‍🔥👨‍👩‍👧‍👦1️⃣'],
  ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['Persian', 'می‌خواهم'],
  ['Hindi and Sinhala', 'क्‍ष ක්‍ෂ'],
  ['Mongolian with a vowel separator', 'ᠬᠠᠭᠠᠨ\u180Eᠠ'],
  ['Javanese with a joiner', 'ꦏ꧀\u200Dꦱ'],
  ['Malayalam with a joiner at its end', 'അവന്‍'],
  ['Arabic and Hebrew', 'موسيقى الليل שלום'],
  ['a Japanese name with a rare form', '葛\u{E0100}城'],
  ['accents that no letter has composed', 'Ọ̀rọ̀ x\u0301'],
  ['a heart, a keycap and a copyright sign as emoji', '❤️ 1️⃣ ©️'],
  ['two spaces', 'A  B'],
])('a name keeps %s', (_, typed) => {
  expect(cleanLine(typed)).toBe(typed)
})

test('an emoji is one character, for the counter and for the limit', () => {
  const bio = '🎧'.repeat(280)
  expect(charactersOf(bio)).toHaveLength(280)
  expect(z.safeParse(Lines.check(maxCharacters(280)), bio).success).toBe(true)
  expect(z.safeParse(Lines.check(maxCharacters(280)), `${bio}a`).success).toBe(false)
})

test('a text of several lines keeps them, by the same rule', () => {
  expect(cleanLines(' one\r\n\ttwo \u202Eeerht\u202C\u0007 ')).toBe(' one\r\n\ttwo eerht ')
})
