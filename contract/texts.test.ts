import { expect, test } from 'vitest'
import { cleanLine, cleanLines } from './texts.ts'

test.each([
  ['a turned direction', 'abc\u202Edef\u202C', 'abcdef'],
  ['isolates and marks of direction', '\u2066\u200FAda\u200E\u2069', 'Ada'],
  ['spaces of no width', 'A\u200Bd\u2060a\uFEFF', 'Ada'],
  ['joiners where nothing joins', 'A\u200Dd\u200Ca', 'Ada'],
  ['joiners in a row', 'می\u200C\u200C\u200Dخواهم', 'می\u200Cخواهم'],
  ['a soft hyphen', 'A\u00ADda', 'Ada'],
  ['letters that show nothing', 'A\u3164\u115Fda', 'Ada'],
  ['selectors of no character', '\uFE0FAda \uFE0E', 'Ada'],
  ['tags that spell no flag', 'Ada\u{E0041}\u{E007F}', 'Ada'],
  ['a bell, an escape and a delete', 'Ada\u0007\u001B\u007FB', 'Ada B'],
  ['line breaks and tabs', ' Ada\r\n\tLovelace\u2028', 'Ada Lovelace'],
  ['nothing to see at all', '\u200B\u2060 \u3000', ''],
])('of a name goes %s', (_, typed, kept) => {
  expect(cleanLine(typed)).toBe(kept)
})

test.each([
  ['emoji of several signs', '👩🏽‍🎤🎧🏳️‍🌈🇩🇪❤️‍🔥👨‍👩‍👧‍👦1️⃣'],
  ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['Persian', 'می‌خواهم'],
  ['Hindi and Sinhala', 'क्‍ष ක්‍ෂ'],
  ['Malayalam with a joiner at its end', 'അവന്‍'],
  ['Arabic and Hebrew', 'موسيقى الليل שלום'],
  ['a Japanese name with a rare form', '葛\u{E0100}城'],
  ['accents apart from their letters', 'e\u0301 A\u030A'],
  ['two spaces', 'A  B'],
])('of a name %s stays whole', (_, typed) => {
  expect(cleanLine(typed)).toBe(typed)
})

test('a text of several lines keeps its lines, by the same rule', () => {
  expect(cleanLines(' one\r\n\ttwo \u202Eeerht\u202C\u0007 ')).toBe(' one\r\n\ttwo eerht ')
})
