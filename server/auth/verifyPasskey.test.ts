import { describe, expect, test } from 'vitest'
import { canHavePasskeys, passkeySite } from './verifyPasskey.ts'

describe('the site', () => {
  test.each([
    ['https://bangers.example', 'https://bangers.example', 'bangers.example'],
    ['https://bangers.example:8443', 'https://bangers.example:8443', 'bangers.example'],
    ['https://Example.org/music', 'https://example.org', 'example.org'],
    ['https://bängers.example', 'https://xn--bngers-bua.example', 'xn--bngers-bua.example'],
    ['http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ])('%s is origin and host name only', (publicUrl, origin, rpId) => {
    expect(passkeySite({ publicUrl })).toEqual({ origin, rpId })
  })

  test.each([
    ['https://bangers.example', true],
    ['http://localhost:3000', true],
    ['http://bob.localhost', true],
    ['http://bangers.example', false],
    ['http://192.168.1.7:3000', false],
    ['https://192.168.1.7', false],
    ['http://127.0.0.1:3000', false],
    ['https://[fd00::7]', false],
    ['http://notlocalhost', false],
  ])('signin-20: browsers allow passkeys at %s: %s', (publicUrl, can) => {
    expect(canHavePasskeys(passkeySite({ publicUrl }))).toBe(can)
  })
})
