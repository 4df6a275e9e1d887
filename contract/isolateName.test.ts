import { expect, test } from 'vitest'
import { isolateName, songName } from './isolateName.ts'

test('names from right to left are isolated in plain text, others stay as they are', () => {
  expect(songName({ title: 'شعر 1999', artist: 'Ada' })).toBe('\u2068شعر 1999\u2069 by Ada')
  expect(
    ['שלום', 'ދިވެހި', 'ߒߞߏ', '𞤀𞤣𞤤𞤢𞤥'].map(isolateName).every((name) => /^\u2068.+\u2069$/.test(name)),
  ).toBe(true)
  expect(['Björk', '坂本龍一', 'नमस्ते', 'Ω 1'].map(isolateName)).toEqual(['Björk', '坂本龍一', 'नमस्ते', 'Ω 1'])
})
