import { expect, test } from 'vitest'
import { createSongDraft, getChanges } from './songDraft.ts'

const song = {
  id: '7',
  title: 'Machin Gun',
  artist: 'Slowdive',
  year: 1993,
  microgenreId: '1',
  microgenre: 'shoegaze',
  color: '#778899',
  albumArt: null,
  youtubeId: 'aaaaaaaaaaa',
  spotifyId: null,
  deezerTrackId: null,
  recordingMbid: null,
  ratings: 0,
}

test('desk-13: a correction has only the values that differ', () => {
  const draft = createSongDraft(song)
  expect(getChanges(song, draft)).toEqual({})
  expect(
    getChanges(song, {
      ...draft,
      title: ' Machine Gun ',
      artist: ' ',
      year: '1994',
      youtubeId: '',
      microgenreId: '2',
    }),
  ).toEqual({ title: 'Machine Gun', year: 1994, youtubeId: null, microgenreId: '2' })
  expect(getChanges(song, { ...draft, year: '' })).toEqual({ year: null })
  expect(getChanges(song, { ...draft, year: 'last' })).toEqual({ year: 'last' })
})
