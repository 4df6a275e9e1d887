import { createHmac, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { listen } from './behaviour.ts'

/** A person as /me returns one, without fields that the person lacks. */
export interface FacebookPerson {
  id: string
  email?: string
  first_name?: string
  last_name?: string
  picture?: { data: { url: string; is_silhouette: boolean; height?: number; width?: number } }
}

/**
 * How Facebook behaves from now on. `down` breaks connections, `slow` never responds, `failing` is its own 503 with
 * error 2, `limited` its error 4, `maintenance` an HTML page instead of JSON, `odd` JSON of another shape.
 */
export type FacebookMode = 'ok' | 'down' | 'slow' | 'failing' | 'limited' | 'maintenance' | 'odd'

export interface Facebook {
  /** Its address and keys. */
  env: Record<string, string>
  /** Sets the person who uses the next browser. */
  seat(person: FacebookPerson): void
  answer(mode: FacebookMode): void
  reset(): void
  close(): Promise<void>
}

/**
 * A stand-in for Facebook Login as documented, whose page has the links Allow and Deny:
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export async function startFacebook(): Promise<Facebook> {
  const clientId = '1234567890'
  const clientSecret = 'the-secret-of-the-application-at-facebook'
  const codes = new Map<string, { redirectUri: string; person: FacebookPerson }>()
  const tokens = new Map<string, FacebookPerson>()
  let mode: FacebookMode = 'ok'
  let seated: FacebookPerson = { id: '1' }

  const { port, close } = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const [, version, call] = /^\/(v\d+\.\d+)\/(.*)$/.exec(pathname) ?? []
    if (!version || request.method !== 'GET') return graphError(response, 400, 2500, 'Unknown path')
    if (call === 'dialog/oauth') return dialog(searchParams, response)
    if (mode === 'slow') return
    if (mode === 'down') return void request.socket.destroy()
    if (mode === 'failing') return graphError(response, 503, 2, 'Service temporarily unavailable')
    if (mode === 'limited') return graphError(response, 403, 4, 'Application request limit reached')
    if (mode === 'maintenance') return page(response, '<h1>Sorry, something went wrong.</h1>')
    if (mode === 'odd') return json(response, 200, { surprise: true })
    if (call === 'oauth/access_token') return accessToken(searchParams, response)
    if (call === 'me') return me(searchParams, response)
    graphError(response, 400, 2500, 'Unknown path')
  })

  function dialog(params: URLSearchParams, response: ServerResponse) {
    const redirectUri = params.get('redirect_uri') ?? ''
    if (params.get('client_id') !== clientId || !URL.canParse(redirectUri)) {
      return page(response, '<h1>Invalid App ID</h1>')
    }
    const code = randomUUID()
    codes.set(code, { redirectUri, person: seated })
    const allowed = { code, state: params.get('state') ?? '' }
    const denied = {
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
      state: params.get('state') ?? '',
    }
    const back = (answer: Record<string, string>) =>
      `${redirectUri}?${new URLSearchParams(answer)}#_=_`.replaceAll('&', '&amp;')
    page(response, `<h1>Log in</h1><a href="${back(allowed)}">Allow</a> <a href="${back(denied)}">Deny</a>`)
  }

  function accessToken(params: URLSearchParams, response: ServerResponse) {
    if (params.get('client_id') !== clientId || params.get('client_secret') !== clientSecret) {
      return graphError(response, 400, 1, 'Error validating client secret.')
    }
    if (params.get('grant_type') === 'client_credentials') {
      return json(response, 200, { access_token: `${clientId}|app`, token_type: 'bearer' })
    }
    const code = codes.get(params.get('code') ?? '')
    codes.delete(params.get('code') ?? '')
    if (!code) return graphError(response, 400, 100, 'This authorization code has been used.')
    if (code.redirectUri !== params.get('redirect_uri')) {
      return graphError(response, 400, 100, 'Error validating verification code: redirect_uri differs')
    }
    const token = randomUUID()
    tokens.set(token, code.person)
    json(response, 200, { access_token: token, token_type: 'bearer', expires_in: 5_183_944 })
  }

  function me(params: URLSearchParams, response: ServerResponse) {
    const token = params.get('access_token') ?? ''
    const person = tokens.get(token)
    if (!person) return graphError(response, 400, 190, 'Invalid OAuth access token.')
    const proof = createHmac('sha256', clientSecret).update(token).digest('hex')
    if (params.get('appsecret_proof') !== proof) {
      return graphError(response, 400, 100, 'Invalid appsecret_proof provided in the API argument')
    }
    const fields = (params.get('fields') ?? 'id')
      .split(',')
      .map((field) => field.replace(/\.type\(\w+\)/, ''))
    json(
      response,
      200,
      Object.fromEntries(Object.entries(person).filter(([field]) => fields.includes(field))),
    )
  }

  return {
    env: {
      FACEBOOK_DIALOG_URL: `http://127.0.0.1:${port}`,
      FACEBOOK_GRAPH_URL: `http://127.0.0.1:${port}`,
      FACEBOOK_CLIENT_ID: clientId,
      FACEBOOK_CLIENT_SECRET: clientSecret,
    },
    seat(person) {
      seated = person
    },
    answer(next) {
      mode = next
    },
    reset() {
      mode = 'ok'
    },
    close,
  }
}

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
function graphError(response: ServerResponse, status: number, code: number, message: string): void {
  json(response, status, {
    error: { message, type: 'OAuthException', code, fbtrace_id: randomUUID().slice(0, 11) },
  })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
}

function page(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><title>Facebook</title><link rel="icon" href="data:,"><body>${body}</body></html>`,
    )
}
