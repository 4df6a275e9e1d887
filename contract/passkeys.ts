import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { VisibleLine } from './texts.ts'

/** How many passkeys a listener can have (signin-23). */
export const MAX_PASSKEYS = 10

export const MAX_PASSKEY_NAME_LENGTH = 60

/** Browsers allow passkeys for host names, not for IP addresses (signin-20). */
export const isHostName = (host: string): boolean => !/^[\d.]+$|^\[/.test(host)

/** A listener's passkey, without its key (signin-23). */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Moment,
  /** Null until the first sign-in with it. */
  lastUsedAt: z.nullable(Moment),
})
export type Passkey = z.infer<typeof Passkey>

/** Bytes in base64url, as WebAuthn's JSON has them. */
const base64url = (max: number) =>
  z.string().check(z.regex(/^[\w-]+$/, 'must be base64url'), z.maxLength(max, 'is too long'))

/** At most 1023 bytes (WebAuthn §4). */
const CredentialId = base64url(1364)

const PasskeyName = VisibleLine.check(z.maxLength(MAX_PASSKEY_NAME_LENGTH, 'is too long'))

export const listPasskeys = endpoint('GET /api/auth/passkeys', {
  access: 'signed-in',
  summary: 'The passkeys of the listener, the newest first.',
  response: z.array(Passkey),
})

export const getPasskeyOptions = endpoint('GET /api/auth/passkeys/new', {
  access: 'signed-in',
  summary:
    'What `navigator.credentials.create` needs to make a passkey, as PublicKeyCredentialCreationOptionsJSON.',
  response: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: z.array(
      z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
})

export const addPasskey = endpoint('POST /api/auth/passkeys', {
  access: 'signed-in',
  summary: 'Adds a passkey, named after the browser. The body is a part of RegistrationResponseJSON.',
  body: z.object({
    id: CredentialId,
    response: z.object({
      clientDataJSON: base64url(4000),
      attestationObject: base64url(8000),
      transports: z.optional(
        z
          .array(z.string().check(z.regex(/^[a-z-]{1,20}$/, 'is not valid')))
          .check(z.maxLength(10, 'has too many items')),
      ),
    }),
  }),
  response: Passkey,
  fails: [409],
})

export const renamePasskey = endpoint('PUT /api/auth/passkeys/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'passkey',
  summary: 'Renames a passkey.',
  body: z.object({ name: PasskeyName }),
  response: Passkey,
})

export const removePasskey = endpoint('DELETE /api/auth/passkeys/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'passkey',
  summary: 'Removes a passkey. 409 when it is the only way to sign in (signin-25).',
  response: Success,
  fails: [409],
})

export const getPasskeyChallenge = endpoint('GET /api/auth/passkeys/challenge', {
  access: 'public',
  summary: 'What `navigator.credentials.get` needs to sign in, as PublicKeyCredentialRequestOptionsJSON.',
  response: z.object({
    challenge: z.string(),
    rpId: z.string(),
    userVerification: z.literal('required'),
  }),
})

export const signInWithPasskey = endpoint('POST /api/auth/passkeys/sign-in', {
  access: 'public',
  summary: 'Signs in with a passkey. The body is a part of AuthenticationResponseJSON.',
  body: z.object({
    id: CredentialId,
    response: z.object({
      clientDataJSON: base64url(4000),
      authenticatorData: base64url(4000),
      signature: base64url(1400),
      userHandle: base64url(88),
    }),
  }),
  response: Success,
  fails: [404, 409],
})
