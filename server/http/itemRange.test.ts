import { expect, test } from 'vitest'
import { contentRange, firstItemsOf } from './itemRange.ts'

test('a range of the first items says how many', () => {
  expect(firstItemsOf('items=0-19')).toBe(20)
  expect(firstItemsOf('items=0-0')).toBe(1)
})

test('anything else is the whole list', () => {
  for (const range of [
    undefined,
    '',
    'bytes=0-19',
    'items=5-19',
    'items=0-',
    'items=0-4,8-9',
    'items=0-99999',
  ])
    expect(firstItemsOf(range), range).toBeNull()
})

test('Content-Range has the length of the whole list', () => {
  expect(contentRange(20, 5000)).toBe('items 0-19/5000')
})
