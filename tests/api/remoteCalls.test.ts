import { expect, test } from 'vitest'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { listen, sendJson } from '../stand-ins/behaviour.ts'

/* What the server passes on to Companion, which is a stand-in here: it answers every call, and sets a cookie. */

interface PassedOn {
  url: string
  cookie: string | undefined
  body: string
}

const companion = setUpService(async () => {
  const calls: PassedOn[] = []
  const { port, close } = await listen(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    calls.push({ url: request.url ?? '', cookie: request.headers.cookie, body })
    response.setHeader('set-cookie', 'uppyAuthToken--dropbox=token; HttpOnly')
    sendJson(response, 200, {})
  })
  return { url: `http://127.0.0.1:${port}`, calls, close }
})
const app = setUpApp(() => ({ COMPANION_URL: companion.url }))
const ada = setUpListener(app)

const post = (path: string) =>
  ada.raw(path, {
    method: 'POST',
    json: { metadata: { name: 'a', type: 'image/png' }, endpoint: 'https://x' },
  })

test.each([
  'dropbox/preauth',
  'dropbox/preauth/',
  'dropbox/PREAUTH',
  'dropbox/preauth?to=/get/a',
  'dropbox/%70reauth',
  'dropbox/preauth;get/a',
  'dropbox/simple-auth',
  'dropbox/deauthorization/callback',
  'connect/dropbox',
  'connect/dropbox/override',
  'dropbox/GET/a',
  'dropbox/Get/a/',
  'search/unsplash/GET/a?q=1',
  'dropbox/REFRESH-TOKEN',
  'dropbox/list',
])('POST /companion/%s is refused, and does not reach Companion (uploads-2)', async (path) => {
  companion.calls.length = 0

  expect((await post(`/companion/${path}`)).status).toBe(404)
  expect(companion.calls).toEqual([])
})

test.each(['dropbox/get/a', 'dropbox/get/a/', 'dropbox/get/a?from=/b', 'search/unsplash/get/a'])(
  'the server decides where the file of POST /companion/%s goes',
  async (path) => {
    companion.calls.length = 0
    await post(`/companion/${path}`)

    expect(companion.calls.map(({ url }) => url)).toEqual([`/companion/${path}`])
    expect(JSON.parse(companion.calls[0]?.body ?? '')).toMatchObject({
      endpoint: expect.stringContaining(`/uploads/${ada.id}/`),
    })
  },
)

test('a token can be renewed', async () => {
  companion.calls.length = 0

  expect((await post('/companion/dropbox/refresh-token')).status).toBe(200)
  expect(companion.calls).toHaveLength(1)
})

test('no token of a remote drive becomes a cookie, so that the next person in this browser has none', async () => {
  companion.calls.length = 0
  const answer = await ada.raw('/companion/dropbox/list')
  expect(answer.headers['set-cookie']).toBeUndefined()
  ada.cookies.set('uppyAuthToken--dropbox', 'of-an-earlier-version')
  await ada.raw('/companion/dropbox/thumbnail/a')
  ada.cookies.delete('uppyAuthToken--dropbox')

  expect(companion.calls.map(({ cookie }) => cookie)).toEqual([undefined, undefined])
})
