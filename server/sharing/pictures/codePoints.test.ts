import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { hasCodePoint, readCodePoints } from './codePoints.ts'

const require = createRequire(import.meta.url)

test.each([
  ['instrument-sans/files/instrument-sans-latin-700-normal.woff', 'Az©…', 'Ā★日'],
  ['noto-sans-math/files/noto-sans-math-latin-400-normal.woff', '→∞𝓢', '日\u{1f0a1}\uffff'],
  ['noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff', '★✓\u{1f0a1}', 'ქ\u{1f525}'],
])('%s has %j and lacks %j', (file, present, missing) => {
  const codePoints = readCodePoints(require.resolve(`@fontsource/${file}`))
  const has = (sign: string) => hasCodePoint(codePoints, sign.codePointAt(0) ?? 0)

  expect([...present].filter((sign) => !has(sign))).toEqual([])
  expect([...missing].filter(has)).toEqual([])
})
