import { describe, expect, test } from 'vitest'
import { ApiError } from '../api/ApiError.ts'
import { explainFailure, explainWithStatus } from './explainFailure.ts'

const withMessage = new ApiError(429, '', '{"message":"One batch at a time."}')
const withoutMessage = new ApiError(500, 'Internal Server Error', '')
const offline = new TypeError('Failed to fetch')

describe('explainFailure', () => {
  test('says what failed and quotes the server', () => {
    expect(explainFailure('Verification failed', withMessage)).toBe(
      'Verification failed: One batch at a time.',
    )
    expect(explainFailure('Verification failed', withoutMessage)).toBe(
      'Verification failed: 500: Internal Server Error',
    )
  })

  test('without a response it suggests checking the connection', () => {
    expect(explainFailure('Verification failed', offline)).toMatch(
      /^Verification failed: The server does not/,
    )
  })
})

describe('explainWithStatus', () => {
  test('starts as diagnostics-20 says', () => {
    expect(explainWithStatus('Search failed', withMessage)).toBe('Search failed: 429. One batch at a time.')
    expect(explainWithStatus('Search failed', withoutMessage)).toBe('Search failed: 500')
    expect(explainWithStatus('Search failed', offline)).toMatch(/^Search failed: The server does not/)
  })
})
