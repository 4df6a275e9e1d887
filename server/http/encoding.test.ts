import { expect, test } from 'vitest'
import { negotiateEncoding } from './encoding.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0', null],
  ['identity', null],
  ['', null],
  [undefined, null],
])('a response to %j is encoded as %j', (accepted, encoding) => {
  expect(negotiateEncoding(accepted)).toBe(encoding)
})
