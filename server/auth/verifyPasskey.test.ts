import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canHavePasskeys, isSignedBy, readCeremony, siteOf } from './verifyPasskey.ts'

describe('the site', () => {
  test.each([
    ['https://bangers.example', 'https://bangers.example', 'bangers.example'],
    ['https://bangers.example:8443', 'https://bangers.example:8443', 'bangers.example'],
    ['https://Example.org/music', 'https://example.org', 'example.org'],
    ['https://bängers.example', 'https://xn--bngers-bua.example', 'xn--bngers-bua.example'],
    ['http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ])('%s is origin and host name only', (publicUrl, origin, rpId) => {
    expect(siteOf({ publicUrl })).toEqual({ origin, rpId })
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
    expect(canHavePasskeys(siteOf({ publicUrl }))).toBe(can)
  })
})

test('RS256, as of Windows Hello, is signed by its key and by no other', () => {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  const parts = { authenticatorData: randomBytes(37), clientDataJSON: randomBytes(100) }
  const clientHash = createHash('sha256').update(parts.clientDataJSON).digest()
  const signature = sign('sha256', Buffer.concat([parts.authenticatorData, clientHash]), own.privateKey)
  const isSignedByKeyOf = ({ publicKey }: typeof own) =>
    isSignedBy(publicKey.export({ format: 'der', type: 'spki' }), { ...parts, signature })

  expect([isSignedByKeyOf(own), isSignedByKeyOf(other)]).toEqual([true, false])
})

/* The ES256 credential with no attestation of https://www.w3.org/TR/webauthn-3/#sctn-test-vectors-none-es256 */
describe("the specification's example", () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const coordinate = (hex: string) => bytes(hex).toString('base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: coordinate('afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61'),
      y: coordinate('930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220'),
    },
  }).export({ format: 'der', type: 'spki' })
  const assertion = {
    authenticatorData: bytes('bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000'),
    clientDataJSON: bytes(
      '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    ),
    signature: bytes(
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
    ),
  }

  test('is signed by its key', () => {
    expect(isSignedBy(publicKey, assertion)).toBe(true)
  })

  test('is not signed when any byte is another', () => {
    for (const [name, part] of Object.entries(assertion)) {
      const altered = Buffer.from(part)
      altered.writeUInt8(altered.readUInt8(part.length - 1) ^ 1, part.length - 1)
      expect(isSignedBy(publicKey, { ...assertion, [name]: altered }), name).toBe(false)
    }
  })

  test('signin-22: nobody asked who used it, so it is refused', () => {
    const site = siteOf({ publicUrl: 'https://example.org' })
    const verified = Buffer.from(assertion.authenticatorData)
    verified.writeUInt8(verified.readUInt8(32) | 0x04, 32)
    const read = (authenticatorData: Buffer) =>
      readCeremony('webauthn.get', assertion.clientDataJSON, authenticatorData, site)

    expect(read(assertion.authenticatorData)).toBeNull()
    expect(read(verified)).toEqual({
      challenge: coordinate('39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408'),
      counter: 0,
      credentialId: null,
    })
  })
})
