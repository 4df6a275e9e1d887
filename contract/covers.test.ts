import { expect, test } from 'vitest'
import { coverSizes } from './covers.ts'

test('a cover is offered in all its sizes, also below a path', () => {
  expect(coverSizes('/covers/7-640.webp', '')).toBe(
    '/covers/7-160.webp 160w, /covers/7-320.webp 320w, /covers/7-640.webp 640w',
  )
  expect(coverSizes('/music/covers/7-640.webp', '/music')).toBe(
    '/music/covers/7-160.webp 160w, /music/covers/7-320.webp 320w, /music/covers/7-640.webp 640w',
  )
})

test.each([
  ['https://example.org/covers/7-640.webp', ''],
  ['/covers/7-640.webp', '/music'],
])('%s is no cover of a service at %j', (address, basePath) => {
  expect(coverSizes(address, basePath)).toBeUndefined()
})
