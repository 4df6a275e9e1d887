import { describe, expect, test } from 'vitest'
import { ApiError } from './ApiError.ts'

describe('ApiError', () => {
  test('is status, colon, space and body (calls-4)', () => {
    expect(new ApiError(418, "I'm a teapot", 'tea').message).toBe('418: tea')
  })

  test('falls back to the status text, then to the standard phrase (calls-4)', () => {
    expect(new ApiError(500, 'Internal Server Error', '').message).toBe('500: Internal Server Error')
    expect(new ApiError(503, '', '').message).toBe('503: Service Unavailable')
    expect(new ApiError(599, '', '').message).toBe('599: Unknown Error')
  })

  test('knows the message of a JSON body only', () => {
    expect(new ApiError(429, '', '{"message":"Slow down"}').serverMessage).toBe('Slow down')
    expect(new ApiError(500, '', '{"message":7}').serverMessage).toBeNull()
    expect(new ApiError(500, '', '<html>').serverMessage).toBeNull()
    expect(new ApiError(500, '', '').serverMessage).toBeNull()
  })
})
