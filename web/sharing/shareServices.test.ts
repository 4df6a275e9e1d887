import { expect, test } from 'vitest'
import { shareServices } from './shareServices.ts'

test('text and link survive URL encoding, whatever characters they contain', () => {
  const text = 'Soft & focus? 日曜日 🌙 100% #1'
  const link = 'https://bob.example/share/collection/a-b_c'
  for (const { address } of shareServices(text, link)) {
    const { protocol, searchParams } = new URL(address)
    expect(protocol).toBe('https:')
    const sharedText = [...searchParams.values()].join(' ')
    expect(sharedText).toContain(link)
  }
  const [x] = shareServices(text, link)
  expect(new URL(x?.address ?? '').searchParams.get('text')).toBe(text)
})
