import { expect, test } from 'vitest'
import { songKey } from './songKey.ts'

test.each([
  ['Sigur Rós', 'Sæglópur', 'SIGUR ROS', 'sæglópur'],
  ['Simon & Garfunkel', 'The Sound of Silence', 'Simon and Garfunkel', 'Sound Of Silence'],
  ['The Beatles', 'Ob-La-Di, Ob-La-Da', 'Beatles', 'Ob La Di Ob La Da'],
  ['Mark Ronson', 'Uptown Funk (feat. Bruno Mars)', 'Mark Ronson ft. Bruno Mars', 'Uptown Funk'],
  ['New Order', 'Blue Monday - 2011 Remaster', 'New Order', 'Blue Monday'],
  ['Slowdive', 'Ali\u200bson', '\u202eSlowdive\u202c', 'Alison'],
  ['Ｐｅｒｆｕｍｅ', 'ポリリズム', 'Perfume', 'ポリリズム'],
  ['Кино', 'Группа крови', 'КИНО', 'группа крови'],
  ['Røyksopp', 'Żółw', 'Royksopp', 'Zolw'],
  ['!!!', 'Heart of Hearts', ' !!! ', 'heart of hearts'],
  ['The The', "This Is the Day's", 'THE THE', 'This is the days'],
])('desk-5: %s, %s and %s, %s are one song', (artist, title, otherArtist, otherTitle) => {
  expect(songKey(otherArtist, otherTitle)).toBe(songKey(artist, title))
})

test.each([
  ['New Order', 'Blue Monday', 'Orgy', 'Blue Monday'],
  ['New Order', 'Blue Monday', 'New Order', 'Blue Monday (live)'],
  ['New Order', 'Blue Monday', 'New Order', 'Blue Monday (Hardfloor Remix)'],
  ['Кино', 'Группа крови (live)', 'Кино', 'Звезда по имени Солнце (live)'],
  ['Beirut', 'No No No', 'Beirut', 'No'],
  ['!!!', 'Hello', '???', 'Hello'],
])('desk-5: %s, %s and %s, %s are two', (artist, title, otherArtist, otherTitle) => {
  expect(songKey(otherArtist, otherTitle)).not.toBe(songKey(artist, title))
})
