import { expect, test } from 'vitest'
import { parseVideoTitle } from './recogniseAddress.ts'

test.each([
  ['Slowdive - Alison (Official Video)', 'Slowdive', 'Alison', 'Slowdive'],
  ['Alison', 'Slowdive - Topic', 'Alison', 'Slowdive'],
  ['Godspeed - You - Black', 'anybody', 'You - Black', 'Godspeed'],
  ['My Bloody Valentine – “Soon” [HD]', 'anybody', 'Soon', 'My Bloody Valentine'],
  ['Soon', 'somebody’s uploads', 'Soon', null],
  ['(Official Video)', null, '(Official Video)', null],
  ['Ob-La-Di', null, 'Ob-La-Di', null],
])('desk-3: a video called %s on %s is %s by %s', (title, channel, name, artist) => {
  expect(parseVideoTitle(title, channel)).toEqual({ title: name, artist })
})
