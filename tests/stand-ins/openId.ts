import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { listen } from './behaviour.ts'

/** A person's claims, in OpenID Connect (or the provider's own). */
export interface OpenIdClaims {
  sub: string
  email?: string | string[]
  email_verified?: unknown
  /** Claims that only UserInfo has. */
  userInfo?: Record<string, unknown>
  [claim: string]: unknown
}

/**
 * How the provider behaves from now on. `down` breaks connections, `slow` never responds, `failing` is a 503,
 * `maintenance` an HTML page instead of JSON, `no tokens` a 500 to each exchange of a code, `forged` signs with an
 * unpublished key.
 */
export type OpenIdMode = 'ok' | 'down' | 'slow' | 'failing' | 'maintenance' | 'no tokens' | 'forged'

export interface OpenId {
  issuer: string
  clientId: string
  clientSecret: string
  /** Its address and keys as the provider of this name. */
  env(name: 'GOOGLE' | 'OIDC' | 'REPLIT'): Record<string, string>
  /** Sets the person who uses the next browser. */
  seat(claims: OpenIdClaims): void
  answer(mode: OpenIdMode): void
  /** Method and path of every request, in order. */
  requests: string[]
  reset(): void
  close(): Promise<void>
}

interface Options {
  /** A public client, without a secret. */
  isPublic?: boolean
  /** The path of the application's callback, on any port of localhost. */
  callback: string
  /** Returns the person's claims from /me only, and not in the ID token. */
  smallIdToken?: boolean
  /** Accepts the secret in the Authorization header, and not in the form. */
  onlyHeader?: boolean
}

/**
 * A real OpenID provider (`oidc-provider`, certified) on a free loopback port, with one registered application.
 * Its page has the links Allow and Deny.
 */
export async function startOpenId({
  callback,
  isPublic = false,
  smallIdToken = false,
  onlyHeader = false,
}: Options): Promise<OpenId> {
  const people = new Map<string, OpenIdClaims>()
  const requests: string[] = []
  let mode: OpenIdMode = 'ok'
  let seated: OpenIdClaims = { sub: randomUUID() }
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}

  const { port, close } = await listen((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (mode === 'slow') return
    if (mode === 'down') return void request.socket.destroy()
    if (mode === 'failing') return void response.writeHead(503).end('Service Unavailable')
    if (mode === 'maintenance') return void page(response, '<h1>Back soon</h1>')
    if (mode === 'no tokens' && request.url === '/token')
      return void json(response, { error: 'server_error' }, 500)
    if (mode === 'forged' && request.url === '/jwks') return void json(response, { keys: [foreignKey] })
    handle(request, response)
  })
  const issuer = `http://127.0.0.1:${port}`
  const clientId = 'banger-or-bust'
  const clientSecret = 'the-secret-of-the-application-at-the-provider'

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        // Native: a loopback redirect may use any port, but only this path (RFC 8252 §7.3).
        application_type: 'native',
        redirect_uris: [`http://localhost${callback}`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        ...(isPublic
          ? { token_endpoint_auth_method: 'none' as const }
          : {
              client_secret: clientSecret,
              token_endpoint_auth_method: onlyHeader
                ? ('client_secret_basic' as const)
                : ('client_secret_post' as const),
            }),
      },
    ],
    clientAuthMethods: onlyHeader ? ['client_secret_basic'] : ['client_secret_post', 'none'],
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'emails', 'mail'],
      groups: ['groups'],
      profile: [
        ...['given_name', 'family_name', 'picture', 'first_name', 'last_name', 'profile_image_url'],
        ...['name', 'nickname', 'preferred_username'],
      ],
    },
    conformIdTokenClaims: smallIdToken,
    findAccount: (_, sub) => ({
      accountId: sub,
      claims(use) {
        const { userInfo, ...claims } = people.get(sub) ?? {}
        return { ...claims, ...(use === 'userinfo' ? userInfo : {}), sub }
      },
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  })
  const callbackOfProvider = provider.callback()

  handle = (request, response) => {
    const [, uid, choice] = /^\/interaction\/([\w-]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? []
    if (!uid) return void callbackOfProvider(request, response)
    if (!choice) {
      return void page(
        response,
        `<h1>Who are you?</h1><a href="/interaction/${uid}/allow">Allow</a> <a href="/interaction/${uid}/deny">Deny</a>`,
      )
    }
    decide(request, response, choice === 'allow').catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }

  async function decide(request: IncomingMessage, response: ServerResponse, isAllowed: boolean) {
    if (!isAllowed) {
      const deniedParameters = { error: 'access_denied', error_description: 'The person said no.' }
      return provider.interactionFinished(request, response, deniedParameters)
    }
    people.set(seated.sub, seated)
    const grant = new provider.Grant({ accountId: seated.sub, clientId })
    grant.addOIDCScope('openid email profile groups')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { login: { accountId: seated.sub }, consent })
  }

  return {
    issuer,
    clientId,
    clientSecret,
    env: (name) => ({
      [`${name}_ISSUER`]: issuer,
      [`${name}_CLIENT_ID`]: clientId,
      ...(isPublic ? {} : { [`${name}_CLIENT_SECRET`]: clientSecret }),
    }),
    seat(claims) {
      seated = claims
    },
    answer(next) {
      mode = next
      // Not during the request, which has to be quick on a busy machine too.
      if (next === 'forged') foreignKey ??= publicKey()
    },
    requests,
    reset() {
      mode = 'ok'
      requests.length = 0
    },
    close,
  }
}

// Generating a key takes a while, so all providers of a process share one.
const privateKey: KeyObject = newKey()

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

/** Of a key that signs nothing. */
let foreignKey: ReturnType<typeof publicKey> | undefined

function publicKey() {
  const { kty, n, e } = newKey().export({ format: 'jwk' })
  return { kty, n, e, use: 'sig', alg: 'RS256' }
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function page(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><body>${body}</body></html>`,
    )
}
