import fc from 'fast-check'

/** Texts that break programs: markup, quotes, NUL, lone surrogates, right-to-left text, addresses. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud83c',
  '\udfb5\ud83c',
  '\u202e\u2066',
  '﷽'.repeat(40),
  'İı\u0130ß',
  '👩🏽‍🎤'.repeat(20),
  "'; drop table users; --",
  '" or 1=1 --',
  '%',
  '%00%0d%0aSet-Cookie: session=x',
  '\r\nBcc: everybody@example.test\r\n',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '{{7*7}}',
  `\${7*7}`,
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9223372036854775808',
  '999999999999999999',
  '99999999999999999999999999999999999999',
  '1.5',
  '0x10',
  '१२३',
  'true',
  '[]',
  '{}',
  'x'.repeat(3000),
  // The server must never request an address from a listener: the test inserts one that it listens on.
  'CANARY',
]

/** Any text: unusual characters of all planes, and known problem cases. */
export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
