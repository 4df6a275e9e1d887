import { expect, test } from 'vitest'
import { compareNames } from './names.ts'

const compare = (title: string, found: string, disambiguation?: string) =>
  compareNames({ artist: 'X', title }, { artist: 'X', title: found, disambiguation })

test.each([
  ['Blue Monday', 'BLUE  MONDAY!'],
  ['Café del Mar', 'Cafe\u0301 Del Mar'],
  ['Smørrebrød', 'smorrebrod'],
  ['Rock & Roll', "Rock 'n' Roll"],
  ['Break Down', 'Breakdown'],
  ["Don't You (Forget About Me)", 'Don’t You Forget About Me'],
  ["(I Can't Get No) Satisfaction", 'I Can’t Get No Satisfaction'],
  ['Song, Pt. 2', 'Song, Part 2'],
  ['Song', 'Song (feat. Somebody Else)'],
  ['Song', 'Song feat. Somebody (Remastered 2011)'],
  ['Song', 'Song - 2009 Digital Remaster'],
  ['Song', 'Song (Original Mix) [Official Video]'],
  ['Song', 'Song (Album Version)'],
  ['Song (Live)', 'Song - Live'],
  ['Song (Ann Remix)', 'Song [Ann Remix]'],
  ['シティ・ポップ', 'シティ ポップ'],
  ['S\u200bo\u202eng', 'Song'],
  ['!!!', '! ! !'],
])('%j and %j are the same recording', (title, found) => {
  expect(compare(title, found)).toBe('same')
  expect(compare(found, title)).toBe('same')
})

test.each([
  ['Song', 'Song (Live)'],
  ['Song', 'Song - Live at the Apollo, 1962'],
  ['Song', 'Song (En Vivo)'],
  ['Song', 'Song (Ann Remix)'],
  ['Song (Ann Remix)', 'Song (Ben Remix)'],
  ['Song', 'Song (Radio Edit)'],
  ['Song', 'Song (12″ Version)'],
  ['Song', 'Song (Acoustic)'],
  ['Song', 'Song (Karaoke Version)'],
  ['Song', 'Song (In the Style of X)'],
  ['Song', 'Song (Originally Performed by X)'],
  ['Song', 'Song feat. Somebody (Ann Remix)'],
  ['Song', 'Song (Ann (Extended) Mix)'],
  ['Song', 'Song (Slowed + Reverb)'],
  ['Song', 'Song (Rerecorded)'],
  ['Symphony No. 5: I. Allegro', 'Symphony No. 5: II. Andante'],
  ['Part One', 'Part Two'],
  ['か', 'が'],
  ['!!!', '???'],
])('%j and %j are different recordings', (title, found) => {
  expect(compare(title, found)).toBe('other')
  expect(compare(found, title)).toBe('other')
})

test.each([
  ['live, 1969-08-16: Bethel', 'other'],
  ['radio edit', 'other'],
  ['acoustic', 'other'],
  ['karaoke', 'other'],
  ['from “Best Of”; instrumental', 'other'],
  ['album version', 'same'],
  ['stereo mix', 'same'],
  ['explicit', 'same'],
  ['', 'same'],
])('MusicBrainz tells %j from others: %s', (disambiguation, expected) => {
  expect(compare('Song', 'Song', disambiguation)).toBe(expected)
})

test('a subtitle that one of two titles lacks needs the proof of the length', () => {
  expect(compare('Sweet Dreams', 'Sweet Dreams (Are Made of This)')).toBe('alike')
  expect(compare('Sweet Dreams (Of You)', 'Sweet Dreams (Are Made of This)')).toBe('other')
})

test.each([
  ['The Beatles', 'Beatles', 'same'],
  ['Simon & Garfunkel', 'simon and garfunkel', 'same'],
  ['Jay-Z', 'JAY‐Z feat. Alicia Keys', 'same'],
  ['Bob Marley', 'Bob Marley & The Wailers', 'alike'],
  ['Queen', 'Queen Latifah', 'other'],
  ['Queen', 'David Bowie & Queen', 'other'],
  ['Queen', 'Karaoke Kings', 'other'],
  ['The The', 'The', 'other'],
])('artists %j and %j: %s', (artist, found, expected) => {
  expect(compareNames({ artist, title: 'Song' }, { artist: found, title: 'Song' })).toBe(expected)
})

test('another name of an artist needs the proof of the length', () => {
  const found = { artist: 'فيروز', title: 'Song', aliases: ['Fairouz', 'Fairuz'] }

  expect(compareNames({ artist: 'Fairuz', title: 'Song' }, found)).toBe('alike')
  expect(compareNames({ artist: 'Oum Kalthoum', title: 'Song' }, found)).toBe('other')
})
