import { expect, test } from 'vitest'
import { isLetterboxed, withoutLetterbox, withoutThumbnails } from './artAddress.ts'

const at = (file: string) => `https://i.ytimg.com/vi/dQw4w9WgXcQ/${file}.jpg`

test("only YouTube's 4:3 thumbnails have bars", () => {
  for (const file of ['hqdefault', 'sddefault', '0']) expect(isLetterboxed(at(file))).toBe(true)
  for (const file of ['mqdefault', 'maxresdefault', 'hq720']) expect(isLetterboxed(at(file))).toBe(false)
  expect(isLetterboxed('https://covers.test/hqdefault.jpg')).toBe(false)
})

test('the lock screen gets the 16:9 thumbnail; other art is unchanged', () => {
  expect(withoutLetterbox(at('hqdefault'))).toBe(at('mqdefault'))
  expect(withoutLetterbox('https://covers.test/a.jpg')).toBe('https://covers.test/a.jpg')
})

test('beside its video a song shows its cover, or no picture, but never the thumbnail', () => {
  expect(withoutThumbnails(at('hqdefault'))).toBeNull()
  expect(withoutThumbnails(`/covers/7-640.webp#${at('hqdefault')}`)).toBe('/covers/7-640.webp')
  expect(withoutThumbnails('https://covers.test/a.jpg')).toBe('https://covers.test/a.jpg')
  expect(withoutThumbnails(null)).toBeNull()
})
