import { expect, test } from 'vitest'
import { contentRange, negotiateEncoding, parseItemRange } from './exchange.ts'

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

test('a range says how many items, and how many come before them', () => {
  expect(parseItemRange('items=0-19')).toEqual({ from: 0, limit: 20 })
  expect(parseItemRange('items=0-0')).toEqual({ from: 0, limit: 1 })
  expect(parseItemRange('items=5-19')).toEqual({ from: 5, limit: 15 })
})

test('anything else is the whole list', () => {
  for (const range of [
    undefined,
    '',
    'bytes=0-19',
    'items=19-5',
    'items=-5',
    'items=0-',
    'items=0-4,8-9',
    'items=0-99999999',
  ])
    expect(parseItemRange(range), range).toBeNull()
})

test('Content-Range has the length of the whole list', () => {
  expect(contentRange(0, 20, 5000)).toBe('items 0-19/5000')
  expect(contentRange(20, 100, 5000)).toBe('items 20-119/5000')
})
