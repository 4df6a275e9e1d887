import sharp from 'sharp'
import { expect, test } from 'vitest'
import { gifLength } from './makePhoto.ts'

const gif = await sharp({ create: { width: 7, height: 5, channels: 3, background: '#123456' } })
  .gif()
  .toBuffer()

test('a GIF ends with its trailer', () => {
  expect(gifLength(gif)).toBe(gif.length)
  expect(gifLength(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]))).toBe(gif.length)
})

test.each([1, 10, 20])('a GIF without its last %i bytes has no end', (bytes) => {
  expect(gifLength(gif.subarray(0, -bytes))).toBeNull()
})

test.each(['GIF89a', 'GIF89a/*', 'GIF89a=1;alert(document.cookie)//'])('%s is not a GIF', (text) => {
  expect(gifLength(Buffer.from(text))).toBeNull()
})
