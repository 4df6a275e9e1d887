import { expect, test } from 'vitest'
import { ApiError } from '../api/ApiError.ts'
import { explainFailure, explainWithStatus } from './useTool.ts'

const OFFLINE = 'Search failed: The server does not answer. Check your connection.'

test.each([
  [
    new ApiError(429, '', '{"message":"One batch at a time."}'),
    'Search failed: One batch at a time.',
    'Search failed: 429. One batch at a time.',
  ],
  [
    new ApiError(500, 'Internal Server Error', ''),
    'Search failed: 500: Internal Server Error',
    'Search failed: 500',
  ],
  [new TypeError('Failed to fetch'), OFFLINE, OFFLINE],
])('diagnostics-20: says what failed, and why: %s', (error, words, wordsWithStatus) => {
  expect(explainFailure('Search failed', error)).toBe(words)
  expect(explainWithStatus('Search failed', error)).toBe(wordsWithStatus)
})
