import { expect, it } from 'vitest'
import { formatTime } from './formatDate.ts'

it.each([
  [0, '0:00'],
  [9.9, '0:09'],
  [88, '1:28'],
  [245, '4:05'],
  [3729, '1:02:09'],
])('%d s is %s', (seconds, text) => {
  expect(formatTime(seconds)).toBe(text)
})
