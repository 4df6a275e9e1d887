import { expect, test } from 'vitest'
import { hasBars, withoutBars, withoutThumbnail } from './thumbnail.ts'

const at = (file: string) => `https://i.ytimg.com/vi/dQw4w9WgXcQ/${file}.jpg`

test("only YouTube's 4:3 thumbnails have bars", () => {
  for (const file of ['hqdefault', 'sddefault', '0']) expect(hasBars(at(file))).toBe(true)
  for (const file of ['mqdefault', 'maxresdefault', 'hq720']) expect(hasBars(at(file))).toBe(false)
  expect(hasBars('https://covers.test/hqdefault.jpg')).toBe(false)
})

test('the lock screen gets the 16:9 thumbnail; other art is unchanged', () => {
  expect(withoutBars(at('hqdefault'))).toBe(at('mqdefault'))
  expect(withoutBars('https://covers.test/a.jpg')).toBe('https://covers.test/a.jpg')
})

test('beside its video a song shows its cover, or no picture, but never the thumbnail', () => {
  expect(withoutThumbnail(at('hqdefault'))).toBeNull()
  expect(withoutThumbnail(`/covers/7-640.webp#${at('hqdefault')}`)).toBe('/covers/7-640.webp')
  expect(withoutThumbnail('https://covers.test/a.jpg')).toBe('https://covers.test/a.jpg')
  expect(withoutThumbnail(null)).toBeNull()
})
