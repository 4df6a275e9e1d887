import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { Body, Response } from '../../contract/endpoint.ts'
import type { addPasskey, getPasskeyOptions, signInWithPasskey } from '../../contract/passkeys.ts'
import type { Database } from '../../server/db/connection.ts'

/** What a browser or an authenticator says wrongly. */
interface Lies {
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
  publicKey?: Buffer
}

/** A passkey in software: what a browser at `origin` and an ES256 authenticator that counts answer. */
export function makePasskey(
  origin: string,
  { id, userHandle, privateKey }: { id: Buffer; userHandle: Buffer; privateKey: KeyObject } = {
    id: randomBytes(32),
    // Until an account asks for it.
    userHandle: randomBytes(32),
    privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  },
) {
  const publicKey = createPublicKey(privateKey)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const { hostname } = new URL(origin)
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  let counter = 0

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...pick(lies) }))

  /** The hash of the site, the flags and the counter (WebAuthn §6.1). */
  function head(flags: number, lies: Lies): Buffer {
    const bytes = Buffer.alloc(37)
    createHash('sha256')
      .update(lies.rpId ?? hostname)
      .digest()
      .copy(bytes)
    bytes.writeUInt8(lies.flags ?? flags, 32)
    bytes.writeUInt32BE(lies.counter ?? counter, 33)
    return bytes
  }

  /** No model, the id, and the key in COSE (WebAuthn §6.5.1). */
  const credential = Buffer.concat([
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

  return {
    id: id.toString('base64url'),

    /** Adds it without a browser. */
    async store(db: Database, userId: string): Promise<void> {
      await db`
        insert into passkeys (credential_id, user_id, user_handle, public_key, counter, transports, name)
        values (${id}, ${userId}, ${userHandle}, ${spki}, 0, '{}', 'Phone')`
    },

    register(options: Response<typeof getPasskeyOptions>, lies: Lies = {}): Body<typeof addPasskey> {
      userHandle = Buffer.from(options.user.id, 'base64url')
      return {
        id: (lies.id ?? id).toString('base64url'),
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, lies).toString('base64url'),
          authenticatorData: Buffer.concat([
            head(PRESENT | VERIFIED | CREDENTIAL, lies),
            credential,
          ]).toString('base64url'),
          publicKey: (lies.publicKey ?? spki).toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    signIn({ challenge }: { challenge: string }, lies: Lies = {}): Body<typeof signInWithPasskey> {
      counter += 1
      const client = clientData('webauthn.get', challenge, lies)
      const authenticatorData = head(PRESENT | VERIFIED, lies)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()])
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: (lies.userHandle ?? userHandle).toString('base64url'),
        },
      }
    },
  }
}

export type SoftPasskey = ReturnType<typeof makePasskey>

const PRESENT = 0x01
const VERIFIED = 0x04
const CREDENTIAL = 0x40

/** What is in the browser's part. */
const pick = ({ type, origin, crossOrigin, challenge }: Lies) =>
  Object.fromEntries(
    Object.entries({ type, origin, crossOrigin, challenge }).filter(([, value]) => value !== undefined),
  )
