import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import type { addPasskey, getPasskeyOptions, signInWithPasskey } from '../../contract/passkeys.ts'
import type { Database } from '../../server/db/connection.ts'

/** Fields that a forged response changes. */
interface ForgedFields {
  type?: string
  origin?: string
  crossOrigin?: boolean
  challenge?: string
  rpId?: string
  /** By the bits of WebAuthn §6.1. */
  flags?: number
  counter?: number
  userHandle?: Buffer
  /** Instead of the id inside the authenticator's data. */
  id?: Buffer
  /** The public key in COSE. */
  cose?: Buffer
}

/** A passkey in software: what a browser at `origin` and an authenticator that counts answer. */
export function makePasskey(
  origin: string,
  {
    id = randomBytes(32),
    // Replaced when the passkey is registered.
    userHandle = randomBytes(32),
    privateKey = es256().privateKey,
  }: { id?: Buffer; userHandle?: Buffer; privateKey?: KeyObject } = {},
) {
  const publicKey = createPublicKey(privateKey)
  const { hostname } = new URL(origin)
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  let counter = 0

  const clientData = (type: string, challenge: string, forged: ForgedFields) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...pickClientData(forged) }))

  /** The hash of the site, the flags and the counter (WebAuthn §6.1). */
  function authenticatorHeader(flags: number, forged: ForgedFields): Buffer {
    const bytes = Buffer.alloc(37)
    createHash('sha256')
      .update(forged.rpId ?? hostname)
      .digest()
      .copy(bytes)
    bytes.writeUInt8(forged.flags ?? flags, 32)
    bytes.writeUInt32BE(forged.counter ?? counter, 33)
    return bytes
  }

  /** No model, and the id; the key in COSE follows (WebAuthn §6.5.1). */
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id])

  return {
    id: id.toString('base64url'),

    /** Adds it without a browser, as version 0.1 stored it. */
    async store(db: Database, userId: string): Promise<void> {
      await db`
        insert into passkeys (credential_id, user_id, user_handle, public_key, counter, transports, name)
        values (${id}, ${userId}, ${userHandle}, ${spki}, 0, '{}', 'Phone')`
    },

    register(
      options: ResponseOf<typeof getPasskeyOptions>,
      forged: ForgedFields = {},
    ): BodyOf<typeof addPasskey> {
      userHandle = Buffer.from(options.user.id, 'base64url')
      return {
        id: (forged.id ?? id).toString('base64url'),
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, forged).toString('base64url'),
          attestationObject: withoutAttestation(
            Buffer.concat([
              authenticatorHeader(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, forged),
              credential,
              forged.cose ?? coseOf(publicKey),
            ]),
          ).toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    signIn(
      { challenge }: { challenge: string },
      forged: ForgedFields = {},
    ): BodyOf<typeof signInWithPasskey> {
      counter += 1
      const client = clientData('webauthn.get', challenge, forged)
      const authenticatorData = authenticatorHeader(USER_PRESENT | USER_VERIFIED, forged)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()])
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: (forged.userHandle ?? userHandle).toString('base64url'),
        },
      }
    },
  }
}

export const es256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const rs256 = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A public key as CBOR has it (RFC 9053): kind, algorithm, then the curve and its two numbers or the two of RSA. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x, y, n } = publicKey.export({ format: 'jwk' })
  const parts = n ? ['a401030339010020590100', n, '2143010001'] : ['a5010203262001215820', x, '225820', y]
  return Buffer.concat(parts.map((part = '', i) => Buffer.from(part, i % 2 ? 'base64url' : 'hex')))
}

/** An attestation object in CBOR (WebAuthn §8.7): the map, 'fmt' and 'none', 'attStmt' and nothing, 'authData'. */
function withoutAttestation(authenticatorData: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authenticatorData.length)
  const authenticatorHeader = 'a363666d74646e6f6e656761747453746d74a068617574684461746159'
  return Buffer.concat([Buffer.from(authenticatorHeader, 'hex'), length, authenticatorData])
}

export type SoftPasskey = ReturnType<typeof makePasskey>

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** The forged fields of the client data. */
const pickClientData = ({ type, origin, crossOrigin, challenge }: ForgedFields) =>
  Object.fromEntries(
    Object.entries({ type, origin, crossOrigin, challenge }).filter(([, value]) => value !== undefined),
  )
