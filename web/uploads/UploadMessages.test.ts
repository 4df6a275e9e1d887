import { describe, expect, test } from 'vitest'
import { fileStatus, overallStatus } from './UploadMessages.tsx'

const fresh = { uploadStarted: null }
const started = { uploadStarted: 1 }
const arrived = { uploadStarted: 1, uploadComplete: true }
const working = { mode: 'indeterminate' }

describe('the status of a file (uploads-5)', () => {
  test.each([
    ['waiting', { progress: fresh }],
    ['preprocessing', { progress: { ...fresh, preprocess: working } }],
    ['uploading', { progress: started }],
    ['postprocessing', { progress: { ...arrived, postprocess: working } }],
    ['complete', { progress: arrived }],
    ['error', { progress: arrived, error: 'Non 2xx' }],
  ])('%s', (status, file) => {
    expect(fileStatus(file)).toBe(status)
  })

  test('of several files the one that needs the listener or the network comes first', () => {
    const files = [{ progress: arrived }, { progress: started }, { progress: fresh }]
    expect(overallStatus(files)).toBe('uploading')
    expect(overallStatus([])).toBeNull()
  })
})
