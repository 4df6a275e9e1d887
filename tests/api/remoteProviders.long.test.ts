import { connect } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { getUploadSettings, setPhoto } from '../../contract/uploads.ts'
import { packagePath } from '../../server/packagePath.ts'
import { request } from '../harness/request.ts'
import { SESSION_SECRET, setUpApp, setUpListener, type TestApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startCompanion } from '../harness/startCompanion.ts'
import { freePort, startProgram } from '../harness/startProgram.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'
import { startUnsplash } from '../stand-ins/pictures.ts'
import { startS3 } from '../stand-ins/s3.ts'

/* The Companion process is real; Unsplash is a stand-in, and no other provider is reachable. */

const KEYS = {
  COMPANION_DROPBOX_KEY: 'dropbox-key',
  COMPANION_DROPBOX_SECRET: 'dropbox-secret',
  COMPANION_GOOGLE_KEY: 'google-key',
  COMPANION_GOOGLE_SECRET: 'google-secret',
  COMPANION_UNSPLASH_KEY: 'unsplash-key',
}

/** Companion's own, whose tokens the page keeps. */
const TOKENS_MODULE = 'companion/node_modules/@uppy/companion/lib/server/helpers/jwt.js'

const port = await freePort()
const companionUrl = `http://127.0.0.1:${port}`

describe('providers with keys', () => {
  const app = setUpApp({ COMPANION_URL: companionUrl })
  const ada = setUpListener(app)
  const outside = setUpCompanion(app)

  test('are listed in the settings, and those without keys are not (uploads-2)', async () => {
    expect((await ada.call(getUploadSettings)).body.providers).toEqual(['dropbox', 'drive', 'unsplash'])
  })

  test.each([
    ['dropbox', 'https://www.dropbox.com/oauth2/authorize', 'dropbox-key'],
    ['drive', 'https://accounts.google.com/o/oauth2/v2/auth', 'google-key'],
  ])('%s sign-in redirects to the provider with our callback address', async (provider, address, key) => {
    const state = Buffer.from(JSON.stringify({ origin: app.url })).toString('base64')
    const first = await ada.raw(`/companion/${provider}/connect?state=${encodeURIComponent(state)}`)
    expect(first.status).toBe(302)
    const second = await ada.raw(pathOf(first.headers.location))

    expect(second.status).toBe(302)
    const redirect = new URL(second.headers.location ?? '')
    expect(redirect.origin + redirect.pathname).toBe(address)
    expect(redirect.searchParams.get('client_id')).toBe(key)
    expect(redirect.searchParams.get('redirect_uri')).toMatch(new RegExp(`/companion/${provider}/redirect$`))
    expect(second.headers.location).not.toContain('secret')
  })

  test.each([
    '/companion/dropbox/connect',
    '/companion/dropbox/list',
    '/companion/search/unsplash/list?q=x',
    '/companion/connect/dropbox',
  ])('GET %s answers 401 to a visitor', async (path) => {
    const { status, body } = await app.visitor().raw(path)

    expect({ status, body }).toEqual(refusal(401, 'Please sign in.'))
  })

  test.each([
    '/companion/box/connect',
    '/companion/url/meta',
    '/companion/connect/box',
    '/companion/metrics',
  ])('GET %s is 404', async (path) => {
    expect(await ada.raw(path)).toMatchObject(refusal(404, 'There is no such call.'))
  })

  test('a list needs the token of a sign-in at the provider', async () => {
    expect((await ada.raw('/companion/dropbox/list')).status).toBe(401)
  })

  test("a token that is signed with the server's secret is none", async () => {
    const { generateEncryptedAuthToken } = (await import(pathToFileURL(packagePath(TOKENS_MODULE)).href)) as {
      generateEncryptedAuthToken(tokens: object, secret: string, seconds: number): string
    }
    const token = generateEncryptedAuthToken({ dropbox: { accessToken: 'a' } }, SESSION_SECRET, 60)

    const { status } = await ada.raw('/companion/dropbox/list', { headers: { 'uppy-auth-token': token } })
    expect(status).toBe(401)
  })

  test.each(['', 'no JSON', '[]', '{}', '{"metadata":{"name":7}}'])(
    'a transfer with the body %j is rejected, and reserves no quota',
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await ada.raw('/companion/unsplash/get/photo', { method: 'POST', headers, body })

      expect(answer).toMatchObject(refusal(400, 'The body must name the file.'))
      expect(await app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
    },
  )

  test.each([
    ['curl --http2', 'Upgrade, HTTP2-Settings', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'],
    ['a web socket for another path', 'keep-alive, Upgrade', 'Upgrade: websocket\r\n'],
  ])('a request with an unsupported upgrade is answered as if it had none: %s', async (_, options, more) => {
    const { port } = new URL(app.url)
    const socket = connect(Number(port), '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    const head = `Host: localhost\r\nConnection: ${options}\r\n${more}`
    const body = '{"email":"no address"}'
    socket.write(
      `POST ${sendMagicLink.path} HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 400 .*email/s)
    heard = ''
    // The connection stays open.
    const next = `GET ${getCurrentUser.path} HTTP/1.1\r\n${head}\r\n`
    socket.write(next)
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 401 /)

    // An upgrade is rejected while an earlier request has no response.
    socket.on('error', () => {})
    socket.write(next.repeat(2))
    await new Promise((resolve) => socket.once('close', resolve))
  })

  test('a photo chosen at Unsplash becomes the profile photo', async () => {
    const list = await ada.raw('/companion/search/unsplash/list?q=singing')
    expect(list.body).toMatchObject({ items: [{ id: 'ada-sings', name: 'Ada sings.jpg' }] })

    expect(await choosePhoto(app, ada)).toMatch(/^\/photos\//)
  })

  test('Companion answers only the server', async () => {
    for (const path of ['/providers', '/companion/dropbox/connect', '/companion/search/unsplash/list?q=x']) {
      const headers = { authorization: 'Bearer x' }
      const { status, text } = await request(companionUrl + path, { headers })

      expect({ status, text }).toEqual({
        status: 401,
        text: '{"message":"Only the server may call Companion."}',
      })
    }
  })

  test('a path with dots reaches only the calls of providers', async () => {
    expect((await ada.raw('/companion/dropbox/../../providers')).status).not.toBe(200)
    expect((await ada.raw('/companion/dropbox/%2e%2e/%2e%2e/providers')).status).not.toBe(200)
  })

  describe('a provider that cannot be reached', () => {
    beforeAll(() => outside.unsplash.close())
    afterAll(() => {
      const failures = outside.companion.logged().filter((line) => line.startsWith('{"level":50'))
      expect(failures.join('\n')).toContain('"msg":"RequestError: connect ECONNREFUSED')
    })

    test.each([
      [
        'a list',
        '/companion/search/unsplash/list?q=x',
        {},
        'The service does not answer right now. Please try again in a moment.',
      ],
      [
        'a file',
        '/companion/search/unsplash/get/photo',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"metadata":{"name":"photo.jpg","type":"image/jpeg"}}',
        },
        'Failed to download file',
      ],
    ])('%s answers 502 with a message, and reserves no quota', async (_, path, init, message) => {
      const { status, body } = await ada.raw(path, init)

      expect({ status, body }).toEqual(refusal(502, message))
      await expect.poll(() => app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
    })
  })

  test("a visitor's socket answers 401 and is closed", async () => {
    const { heard, closed } = openSocket(app.url, '/companion/api/token')
    await closed

    expect(heard()).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('with a path in PUBLIC_URL', () => {
  const app = setUpApp({ COMPANION_URL: companionUrl }, { subPath: '/music' })
  const ada = setUpListener(app)
  setUpCompanion(app)

  test('a sign-in at a provider comes back below it', async () => {
    const onSite = ada.at(new URL(app.url).origin)
    const state = Buffer.from(JSON.stringify({ origin: app.url })).toString('base64')
    const first = await ada.raw(`/companion/dropbox/connect?state=${encodeURIComponent(state)}`)
    const second = await onSite.raw(pathOf(first.headers.location))
    const redirect = new URL(second.headers.location ?? '')

    expect(redirect.origin + redirect.pathname).toBe('https://www.dropbox.com/oauth2/authorize')
    expect(redirect.searchParams.get('redirect_uri')).toBe(
      `${app.url.replace('127.0.0.1', 'localhost')}/companion/dropbox/redirect`,
    )
  })

  test('a photo chosen at Unsplash becomes the profile photo', async () => {
    expect(await choosePhoto(app, ada)).toMatch(/^\/photos\//)
  })
})

describe('with a bucket', () => {
  const s3 = setUpService(startS3)
  const app = setUpApp(() => ({ COMPANION_URL: companionUrl, ...s3.env }))
  const ada = setUpListener(app)
  setUpCompanion(app)

  test('a photo from Unsplash is stored under the key that the server chose', async () => {
    expect(await choosePhoto(app, ada)).toMatch(/^\/photos\//)
  })
})

describe('without Companion', () => {
  const app = setUpApp({ COMPANION_URL: 'http://127.0.0.1:9' })
  const ada = setUpListener(app)

  test('no provider is offered, and a call answers 502 with a message', async () => {
    expect((await ada.call(getUploadSettings)).body.providers).toEqual([])
    expect(await ada.raw('/companion/dropbox/connect')).toMatchObject(
      refusal(502, 'The service does not answer right now. Please try again in a moment.'),
    )
  })

  test('a transfer reserves no quota', async () => {
    const json = { metadata: { name: 'photo.jpg', type: 'image/jpeg' } }

    expect((await ada.raw('/companion/search/unsplash/get/photo', { method: 'POST', json })).status).toBe(502)
    await expect.poll(() => app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
  })
})

describe('without keys', () => {
  const app = setUpApp()
  const ada = setUpListener(app)

  test.each(['dropbox', 'box', 'drive', 'facebook', 'unsplash'])(
    'there is no call for %s (uploads-2)',
    async (name) => {
      expect((await ada.raw(`/companion/${name}/connect`)).status).toBe(404)
    },
  )

  test('Companion says which settings are missing, and exits', async () => {
    const { code, stderr } = await startProgram('companion', [], { folder: app.dataDir, env: {} }).programEnd

    expect(code).toBe(78)
    expect(stderr).toContain('COMPANION_BOX_KEY and COMPANION_BOX_SECRET')
  })
})

/** Companion with the keys of some providers, which reaches Unsplash. */
function setUpCompanion(app: TestApp) {
  return setUpService(
    async () => {
      const unsplash = await startUnsplash(await makePicture('jpeg'), KEYS.COMPANION_UNSPLASH_KEY)
      const hosts = { 'api.unsplash.com': unsplash.port }
      return { unsplash, companion: await startCompanion(app, { port, env: KEYS, hosts }) }
    },
    async ({ unsplash, companion }) => {
      await companion.stop()
      await unsplash.close()
    },
  )
}

/** Uploads Unsplash's photo as the dialog does, and makes it the profile photo. Returns its address. */
async function choosePhoto(app: TestApp, ada: Visitor & { id: string }): Promise<string | null> {
  const json = {
    metadata: { name: 'Ada sings.jpg', type: 'image/jpeg' },
    endpoint: 'https://elsewhere.test/',
  }
  const begun = await ada.raw('/companion/search/unsplash/get/ada-sings', { method: 'POST', json })
  const { token } = begun.body as { token: string }
  const { heard, close } = openSocket(app.url, `/companion/api/${token}`, ada.cookies)
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 101 .*"action":"success"/s)
  close()
  const [upload] = await app.db<{ key: string }[]>`select key from uploads where user_id = ${ada.id}`
  const { body } = await ada.call(setPhoto, { body: { photoURL: upload?.key ?? '' } })
  return body.profileImageUrl
}

/** Requests a WebSocket. */
function openSocket(url: string, path: string, cookies = new Map<string, string>()) {
  const { port, pathname } = new URL(url + path)
  const socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  // A reset counts as closed.
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: ${cookie}\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { heard: () => heard, closed, close: () => socket.destroy() }
}

const pathOf = (address = '') => {
  const { pathname, search } = new URL(address)
  return pathname + search
}
