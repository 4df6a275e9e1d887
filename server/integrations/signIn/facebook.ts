import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import {
  type ProviderFailure,
  type ProviderProfile,
  type SignInProvider,
  STEP_TIMEOUT,
  toProviderFailure,
  withTimeLimit,
} from './signInProvider.ts'

export interface FacebookSettings {
  dialogUrl: string
  graphUrl: string
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** Facebook supports a version for at least two years, then treats it as the oldest supported one. */
const GRAPH_VERSION = 'v24.0'

/** Facebook Login by OAuth 2: https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export function createFacebook(log: Logger, settings: FacebookSettings): SignInProvider {
  const { clientId, clientSecret, redirectUri } = settings

  function ask<T>(path: string, parameters: Record<string, string>, shape: z.ZodType<T>): Promise<T> {
    return request(versionedUrl(settings.graphUrl, path, parameters), shape)
  }

  async function exchangeCode(code: string): Promise<ProviderProfile> {
    const { access_token } = await ask(
      'oauth/access_token',
      { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri, code },
      Token,
    )
    const proof = createHmac('sha256', clientSecret).update(access_token).digest('hex')
    const fields = 'id,email,name,first_name,last_name,picture.type(large)'
    return toPerson(await ask('me', { fields, access_token, appsecret_proof: proof }, Me))
  }

  return {
    async begin({ state }) {
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'public_profile,email',
        state,
      }
      return { url: versionedUrl(settings.dialogUrl, 'dialog/oauth', parameters).href }
    },

    async identify({ code, error }) {
      if (error) return { failure: toProviderFailure(error) }
      if (!code) return { failure: 'refused' }
      try {
        return { person: await withTimeLimit(exchangeCode(code)) }
      } catch (error) {
        log.warn({ provider: 'facebook', reason: reasonOf(error) }, 'sign-in with a provider failed')
        return { failure: failureOf(error) }
      }
    },

    async findFault() {
      const parameters = {
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'client_credentials',
      }
      try {
        await withTimeLimit(ask('oauth/access_token', parameters, Token))
        return null
      } catch (error) {
        return reasonOf(error)
      }
    },
  }
}

function versionedUrl(base: string, path: string, parameters: Record<string, string>): URL {
  const address = new URL(`${base}/${GRAPH_VERSION}/${path}`)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address
}

/**
 * @throws GraphError for an error that Facebook reports; any other error when it is unreachable, slow, or answers
 * something else.
 */
async function request<T>(address: URL, shape: z.ZodType<T>): Promise<T> {
  const response = await fetch(address, { signal: AbortSignal.timeout(STEP_TIMEOUT), redirect: 'error' })
  const body: unknown = await response.json()
  const failure = Failure.safeParse(body)
  if (failure.success) throw new GraphError(failure.data.error.code)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return shape.parse(body)
}

class GraphError extends Error {
  readonly code: number

  constructor(code: number) {
    super(`error ${code}`)
    this.code = code
  }
}

/**
 * Transient errors: unknown, service down, limits.
 * https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
const TRANSIENT_ERRORS = new Set([1, 2, 4, 17, 32, 341, 613])

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof z.ZodError) return 'refused'
  return error instanceof GraphError && !TRANSIENT_ERRORS.has(error.code) ? 'refused' : 'unreachable'
}

/** Never the address: it contains the secret. */
function reasonOf(error: unknown): string {
  if (error instanceof GraphError || (error instanceof Error && /^status \d+$/.test(error.message)))
    return error.message
  return error instanceof Error ? error.name : 'unknown'
}

const Failure = z.object({ error: z.object({ code: z.number() }) })

const Token = z.object({ access_token: z.string().min(1) })

const optionalText = z.string().min(1).nullish().catch(null).default(null)

const Me = z.object({
  id: z.string().min(1).max(255),
  email: optionalText,
  name: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  picture: z
    .object({ data: z.object({ url: z.string(), is_silhouette: z.boolean() }) })
    .nullish()
    .catch(null),
})

/** Facebook does not say whether it verified the address, so it counts as unverified (signin-7). */
function toPerson(me: z.infer<typeof Me>): ProviderProfile {
  const picture = me.picture?.data
  return {
    subject: me.id,
    email: me.email,
    emailVerified: false,
    firstName: me.first_name ?? (me.last_name === null ? me.name : null),
    lastName: me.last_name,
    picture: picture && !picture.is_silhouette ? picture.url : null,
  }
}
