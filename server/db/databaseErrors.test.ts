import { expect, test } from 'vitest'
import { isUniqueViolation } from './databaseErrors.ts'

const message = 'duplicate key value violates unique constraint "songs_youtube_id_102009"'

test.each([
  [{ code: '23505', constraint: 'songs_youtube_id', message: '' }, true],
  [{ code: '23505', constraint: 'songs_spotify_id', message: '' }, false],
  [{ code: '23505', message }, true],
  [{ code: '23514', message }, false],
  [new Error('another'), false],
])('%o: %s', (error, expected) => {
  expect(isUniqueViolation(error, 'songs_youtube_id')).toBe(expected)
})
