import { expect, test } from 'vitest'
import { packagePath } from '../../packagePath.ts'
import { hasCodePoint, readCodePoints } from './codePoints.ts'

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
