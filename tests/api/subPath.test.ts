import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  followMagicLink,
  getCurrentUser,
  logout,
  sendMagicLink,
  signInWithGoogle,
  signInWithReplit,
} from '../../contract/auth.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { exportData } from '../../contract/profiles.ts'
import { getStatsStory } from '../../contract/sharing.ts'
import { requestPhotoUpload, setPhoto } from '../../contract/uploads.ts'
import { checkProxy } from '../../server/doctor/checkProxy.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { PictureRenderer } from '../../server/sharing/pictures/PictureRenderer.ts'
import { describeSharePage } from '../../server/sharing/sharePage.ts'
import { putBytes } from '../harness/multipart.ts'
import { request } from '../harness/request.ts'
import { PRODUCTION, setUpApp } from '../harness/setUpApp.ts'
import { visitorAt, visitProvider } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'
import { listen } from '../stand-ins/behaviour.ts'
import { startMailServer } from '../stand-ins/mailServer.ts'
import { startOpenId } from '../stand-ins/openId.ts'

/* A service whose PUBLIC_URL has a path, behind a proxy that passes addresses on unchanged. */

const app = setUpApp({}, { subPath: '/music' })
let origin = ''
let publicUrl = ''
beforeAll(() => {
  origin = new URL(app.url).origin
  publicUrl = app.url.replace('127.0.0.1', 'localhost')
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('calls are below the path, and nothing is elsewhere (screens-21)', async () => {
  expect(await request(app.url + listMicrogenres.path)).toMatchObject({ status: 401 })
  for (const path of [
    listMicrogenres.path,
    '/',
    '/profile',
    '/musical/',
    '/Music/',
    '//music/',
    '/x/music/',
    '/music%2fprofile',
    '/assets/x.js',
  ]) {
    const { status, text } = await request(origin + path)
    expect([path, status, JSON.parse(text)]).toEqual([
      path,
      404,
      { message: 'Banger or Bust is at /music/. A proxy must leave this path in the address.' },
    ])
  }
  expect((await request(origin + sendMagicLink.path, { method: 'POST' })).status).toBe(404)
})

test('the path without its slash redirects to the main screen (screens-21)', async () => {
  expect(await request(`${origin}/music`)).toMatchObject({ status: 302, headers: { location: '/music/' } })
  expect(await request(`${origin}/music?section=library`)).toMatchObject({
    status: 302,
    headers: { location: '/music/?section=library' },
  })
  expect((await request(`${origin}/music`, { method: 'POST' })).status).toBe(404)
})

test.each(['/live', '/ready', '/health', '/metrics'])(
  '%s answers probes of the process as well, which know no path',
  async (path) => {
    expect((await request(origin + path)).status).toBe(200)
    expect((await request(app.url + path)).status).toBe(200)
  },
)

test('a sign-in link, its cookies and its redirects stay below the path', async () => {
  const ada = app.visitor()
  const sent = await ada.call(sendMagicLink, { body: { email: 'ada@example.test' } })
  const link = new URL(sent.body.magicLink ?? '')
  expect(link.origin + link.pathname).toBe(publicUrl + followMagicLink.path)
  expect(sent.headers['set-cookie']).toEqual([expect.stringMatching(/^asking=.*; Path=\/music\/;/)])

  const phone = app.visitor()
  const page = await phone.raw(followMagicLink.path + link.search)
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? []
  expect(new URL(action, link).href).toBe(link.href)

  const followed = await ada.raw(followMagicLink.path + link.search)
  expect(followed).toMatchObject({ status: 302, headers: { location: '/music/' } })
  expect(followed.headers['set-cookie']).toEqual([
    expect.stringMatching(/^session=.*; Path=\/music\/;/),
    expect.stringMatching(/^asking=;.* Path=\/music\/;/),
  ])
  expect((await ada.call(getCurrentUser)).status).toBe(200)

  const failed = await ada.raw(signInWithReplit.path)
  expect(failed.headers.location).toBe('/music/auth?error=provider-unavailable')
  const out = await ada.raw(logout.path)
  expect(out).toMatchObject({ status: 302, headers: { location: '/music/' } })
  expect(out.headers['set-cookie']).toEqual([expect.stringMatching(/^session=;.* Path=\/music\/;/)])
})

test('a provider sends people back below the path', async () => {
  const google = await startOpenId({ callback: '/music/api/auth/google/callback' })
  onTestFinished(() => google.close())
  const server = await app.another(google.env('GOOGLE'))
  google.seat({ sub: 'g-1', email: 'grace@example.test', email_verified: true })
  const browser = server.visitor()
  const start = await browser.raw(signInWithGoogle.path)
  const back = await visitProvider(start.headers.location ?? '', 'Allow')
  expect(back.origin + back.pathname).toBe(
    `${server.url.replace('127.0.0.1', 'localhost')}/api/auth/google/callback`,
  )

  const signedIn = await visitorAt(new URL(server.url).origin, browser.cookies).raw(
    back.pathname + back.search,
  )
  expect(signedIn).toMatchObject({ status: 302, headers: { location: '/music/' } })
  expect((await browser.call(getCurrentUser)).body.email).toBe('grace@example.test')
})

test('requests from other sites are rejected, and those of the own origin are not', async () => {
  const send = (from: string) =>
    app.visitor().raw(sendMagicLink.path, {
      method: 'POST',
      json: { email: 'origin@example.test' },
      headers: { origin: from },
    })

  expect((await send(new URL(publicUrl).origin)).status).toBe(200)
  expect((await send('https://evil.example')).status).toBe(403)
})

test('a photo is uploaded to a signed address below the path', async () => {
  const ada = await app.signIn()
  const { body: signed } = await ada.call(requestPhotoUpload, { body: { filename: 'me.png' } })
  expect(signed.uploadURL).toMatch(new RegExp(`^${publicUrl}/uploads/`))
  expect((await putBytes(signed.uploadURL, await makePicture('png'))).status).toBe(200)

  const { body } = await ada.call(setPhoto, { body: { photoURL: signed.uploadURL } })
  expect(body.profileImageUrl).toMatch(/^\/photos\//)
  expect((await ada.raw(body.profileImageUrl ?? '')).status).toBe(200)
  const data = await ada.call(exportData)
  expect(data.body).toMatchObject({ profile: { photo: publicUrl + body.profileImageUrl } })
})

test('a shared page names addresses below the path', async () => {
  const page = await describeSharePage(
    app.db,
    readEnv({ PUBLIC_URL: 'http://localhost/music' }),
    '/share/collection/x',
    NO_FRAMES,
  )

  expect(page?.body).toContain('<a href="/music/">')
})

test('a story carries the address of the site with its path (sharing-19)', async () => {
  const ada = await app.signIn()
  const render = vi.spyOn(PictureRenderer.prototype, 'render').mockResolvedValue(Buffer.from('a picture'))
  await ada.raw(getStatsStory.path)

  expect(render.mock.calls.map(([{ site }]) => site)).toEqual([`localhost:${new URL(app.url).port}/music`])
})

test('the API document names the path, and its page finds its files', async () => {
  const document = await app.visitor().raw('/docs/json')
  expect(document.body).toMatchObject({ servers: [{ url: '/music' }] })
  const page = await app.visitor().raw('/docs')
  const [, script = ''] = /<script src="([^"]+bundle\.js)"/.exec(page.text) ?? []

  expect((await request(origin + script)).status).toBe(200)
})

test('in production the link is mailed, and cookies are for this path of this host alone', async () => {
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const PUBLIC_URL = 'https://example.org/music/'
  const server = await app.another({
    ...PRODUCTION,
    PUBLIC_URL,
    MAIL_FROM: 'hello@example.org',
    SMTP_URL: mail.url,
  })
  const ada = server.visitor()
  const sent = await ada.call(sendMagicLink, { body: { email: 'ada@example.test' } })

  expect(sent.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Secure-asking=[\w-]{43}; Max-Age=900; Path=\/music\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  const text = mail.mails[0]?.text.replace(/=\r\n/g, '').replace('token=3D', 'token=') ?? ''
  const [, token] = /https:\/\/example\.org\/music\/sign-in\/link\?token=([\w-]{43})/.exec(text) ?? []
  const followed = await ada.raw(`${followMagicLink.path}?token=${token}`)
  expect(followed).toMatchObject({ status: 302, headers: { location: '/music/' } })
  expect([...ada.cookies.keys()]).toEqual(['__Secure-session'])
  expect((await ada.call(getCurrentUser)).status).toBe(200)
  expect(followed.headers['strict-transport-security']).toBe('max-age=31536000')
})

test('another service of the same host has separate cookies', async () => {
  const other = await app.another({ PUBLIC_URL: 'http://localhost:1/radio' })
  const sent = await other.visitor().call(sendMagicLink, { body: { email: 'ada@example.test' } })

  expect(sent.headers['set-cookie']).toEqual([expect.stringMatching(/^asking=.*; Path=\/radio\/;/)])
  expect((await request(`${new URL(other.url).origin}/music/`)).status).toBe(404)
})

describe('npm run doctor', () => {
  const check = (url: string) => checkProxy(readEnv({ PUBLIC_URL: url, TRUST_PROXY: '1' }))
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }

  /** A proxy for /music in front of the server, which may change the path. */
  async function startProxy(change: (path: string) => string) {
    const proxy = await listen(async ({ url = '' }, response) => {
      const answer = await request(origin + change(url), { headers: { ...forwarded, host: 'localhost' } })
      response.writeHead(answer.status, answer.headers).end(answer.text)
    })
    onTestFinished(() => proxy.close())
    return `http://127.0.0.1:${proxy.port}/music`
  }

  test('is content with a proxy that passes addresses on unchanged', async () => {
    const url = await startProxy((path) => path)

    expect(await check(url)).toMatchObject({
      state: 'ok',
      message: `${url} leads here, with what the server needs`,
    })
  })

  test('says that a proxy removes the path', async () => {
    expect(await check(await startProxy((path) => path.slice('/music'.length)))).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^the proxy removes \/music from addresses/),
    })
  })
})
