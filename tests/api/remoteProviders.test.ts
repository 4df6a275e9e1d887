import dns from 'node:dns'
import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { getUploadSettings } from '../../contract/uploads.ts'
import { setUpApp } from '../harness/setUpApp.ts'

/* What the providers themselves answer is theirs, at fixed addresses: how far the way to them goes is shown here. */

describe('providers with keys', () => {
  const app = setUpApp({
    COMPANION_DROPBOX_KEY: 'dropbox-key',
    COMPANION_DROPBOX_SECRET: 'dropbox-secret',
    COMPANION_GOOGLE_KEY: 'google-key',
    COMPANION_GOOGLE_SECRET: 'google-secret',
    COMPANION_UNSPLASH_KEY: 'unsplash-key',
  })

  test('are told to the page, those without are not (uploads-2)', async () => {
    const ada = await app.signIn()

    expect((await ada.call(getUploadSettings)).body.providers).toEqual(['dropbox', 'drive', 'unsplash'])
  })

  test.each([
    ['dropbox', 'https://www.dropbox.com/oauth2/authorize', 'dropbox-key'],
    ['drive', 'https://accounts.google.com/o/oauth2/v2/auth', 'google-key'],
  ])('%s is where the listener is sent, to come back to us', async (provider, address, key) => {
    const ada = await app.signIn()
    const state = Buffer.from(JSON.stringify({ origin: app.url })).toString('base64')
    const first = await ada.raw(`/companion/${provider}/connect?state=${encodeURIComponent(state)}`)
    expect(first.status).toBe(302)
    const second = await ada.raw(pathOf(first.headers.location))

    expect(second.status).toBe(302)
    const there = new URL(second.headers.location ?? '')
    expect(there.origin + there.pathname).toBe(address)
    expect(there.searchParams.get('client_id')).toBe(key)
    expect(there.searchParams.get('redirect_uri')).toMatch(new RegExp(`/companion/${provider}/redirect$`))
    expect(second.headers.location).not.toContain('secret')
  })

  test.each([
    '/companion/dropbox/connect',
    '/companion/dropbox/list',
    '/companion/search/unsplash/list?q=x',
    '/companion/connect/dropbox',
  ])('GET %s is for who is signed in', async (path) => {
    const { status, body } = await app.visitor().raw(path)

    expect({ status, body }).toEqual({ status: 401, body: { message: 'Please sign in.' } })
  })

  test.each([
    '/companion/box/connect',
    '/companion/url/meta',
    '/companion/connect/box',
    '/companion/metrics',
  ])('GET %s does not exist', async (path) => {
    const ada = await app.signIn()

    expect(await ada.raw(path)).toMatchObject({ status: 404, body: { message: 'There is no such call.' } })
  })

  test('a list wants the token of a sign-in at the provider', async () => {
    const ada = await app.signIn()

    expect((await ada.raw('/companion/dropbox/list')).status).toBe(401)
  })

  test.each(['', 'no JSON', '[]', '{}', '{"metadata":{"name":7}}'])(
    'a transfer whose body is %j is refused, and takes no room',
    async (body) => {
      const ada = await app.signIn()
      const headers = { 'content-type': 'application/json' }
      const answer = await ada.raw('/companion/unsplash/get/photo', { method: 'POST', headers, body })

      expect(answer).toMatchObject({ status: 400, body: { message: 'The body must name the file.' } })
      expect(await app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
    },
  )

  test.each([
    ['curl --http2', 'Upgrade, HTTP2-Settings', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'],
    ['a web socket for another path', 'keep-alive, Upgrade', 'Upgrade: websocket\r\n'],
  ])(
    'a request with an upgrade that nobody takes is answered as without it: %s',
    async (_, options, more) => {
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
      // The connection goes on.
      const next = `GET ${getCurrentUser.path} HTTP/1.1\r\n${head}\r\n`
      socket.write(next)
      await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 401 /)

      // An upgrade cannot be asked for before the answer to the last request.
      socket.on('error', () => {})
      socket.write(next.repeat(2))
      await new Promise((resolve) => socket.once('close', resolve))
    },
  )

  describe('a provider that cannot be reached', () => {
    afterEach(() => void vi.restoreAllMocks())

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
    ])('is 502 in words for %s, and takes no room', async (_, path, init, message) => {
      const ada = await app.signIn()
      lose('api.unsplash.com')
      const { status, body } = await ada.raw(path, init)

      expect({ status, body }).toEqual({
        status: 502,
        body: { message },
      })
      await expect.poll(() => app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
    })
  })

  test('a visitor’s socket is closed without a word', async () => {
    const { port } = new URL(app.url)
    const socket = connect(Number(port), '127.0.0.1')
    let heard = ''
    // Closed is closed, however abruptly.
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.write(
      'GET /companion/api/token HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await new Promise((resolve) => socket.once('close', resolve))

    expect(heard).toBe('')
  })
})

describe('without keys', () => {
  const app = setUpApp()

  test.each(['dropbox', 'box', 'drive', 'facebook', 'unsplash'])(
    'there is no call for %s (uploads-2)',
    async (name) => {
      const ada = await app.signIn()

      expect((await ada.raw(`/companion/${name}/connect`)).status).toBe(404)
    },
  )
})

/** As if there were no way to it. */
function lose(lost: string): void {
  const lookup = dns.lookup as (host: string, options: object, done: (...answer: unknown[]) => void) => void
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object, done: () => void) =>
    host === lost
      ? process.nextTick(done, Object.assign(new Error(`no way to ${host}`), { code: 'EHOSTUNREACH' }))
      : lookup(host, options, done)) as typeof dns.lookup)
}

const pathOf = (address = '') => {
  const { pathname, search } = new URL(address)
  return pathname + search
}
