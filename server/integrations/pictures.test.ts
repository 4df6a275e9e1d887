import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MAX_PHOTO_BYTES } from '../../contract/uploads.ts'
import { type PictureHost, startPictureHost } from '../../tests/stand-ins/pictures.ts'
import { createPictures } from './pictures.ts'

/* uploads-13: what the server requests from addresses that others chose. */

const never = new AbortController().signal
const failed = (failure: string, final: boolean) => ({ failure, final })

describe('in production', () => {
  const pictures = createPictures({ production: true })

  test.each([
    'https://127.0.0.1/me.png',
    'https://2130706433/me.png',
    'https://[::1]/me.png',
    'https://[::ffff:127.0.0.1]/me.png',
    'https://10.1.2.3/me.png',
    'https://172.16.0.1/me.png',
    'https://192.168.1.1/me.png',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/me.png',
    'https://[fe80::1]/me.png',
    'https://[fd00::1]/me.png',
    'https://[64:ff9b::a00:1]/me.png',
    'https://0.0.0.0/me.png',
    'https://224.0.0.1/me.png',
  ])('nothing is requested from %s', async (address) => {
    expect(await pictures.download(address, never)).toEqual(failed('not a public address', true))
  })

  test('a name that resolves to this machine is not connected to', async () => {
    let connections = 0
    const server = createServer(() => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const found = await pictures.download(`https://localhost:${port}/me.png`, never)
    await new Promise((resolve) => server.close(resolve))

    expect(found).toEqual(failed('not a public address', true))
    expect(connections).toBe(0)
  })

  test.each([
    'http://pictures.example/me.png',
    'file:///etc/passwd',
    'data:image/gif;base64,R0lGODlh',
    'me.png',
  ])('%s is refused, because it is not https', async (address) => {
    expect(await pictures.download(address, never)).toMatchObject({ final: true })
  })
})

describe('from a host', () => {
  const pictures = createPictures({ production: false })
  const content = Buffer.from('the bytes of a picture')
  let host: PictureHost
  beforeAll(async () => {
    host = await startPictureHost()
  })
  afterAll(() => host.close())

  test('a picture is fetched, also after redirects', async () => {
    host.show(content)
    host.answer('moved', (_, response) => response.writeHead(302, { location: '/there' }).end())
    host.answer('there', (_, response) => response.writeHead(307, { location: host.address('me.png') }).end())

    expect(await pictures.download(host.address('me.png'), never)).toEqual({ content })
    expect(await pictures.download(host.address('moved'), never)).toEqual({ content })
  })

  test('a redirect to a private network is not followed, nor one without end', async () => {
    host.answer('inside', (_, response) => response.writeHead(302, { location: 'http://10.1.2.3/' }).end())
    host.answer('round', (_, response) => response.writeHead(302, { location: '/round' }).end())

    expect(await pictures.download(host.address('inside'), never)).toEqual(
      failed('not a public address', true),
    )
    expect(await pictures.download(host.address('round'), never)).toEqual(failed('redirects', true))
  })

  test('more bytes than a photo may have are refused, before all of them arrive', async () => {
    let isClosed = false
    host.answer('endless', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.on('close', () => {
        isClosed = true
      })
      const write = () => {
        while (!isClosed && response.write(Buffer.alloc(64 * 1024)));
        if (!isClosed) response.once('drain', write)
      }
      write()
    })
    host.answer('largest', (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(MAX_PHOTO_BYTES)),
    )

    expect(await pictures.download(host.address('endless'), never)).toEqual(failed('too large', true))
    await expect.poll(() => isClosed).toBe(true)
    expect(await pictures.download(host.address('largest'), never)).toMatchObject({
      content: expect.any(Buffer),
    })
  })

  test.each([
    [404, true],
    [403, true],
    [429, false],
    [503, false],
  ])('a %i is final: %s', async (status, final) => {
    host.answer('odd', (_, response) => response.writeHead(status).end())

    expect(await pictures.download(host.address('odd'), never)).toEqual(failed(`status ${status}`, final))
  })

  test('a page instead of a picture, and a host that breaks the connection, may be tried again', async () => {
    host.behave('wrong')
    expect(await pictures.download(host.address('me.png'), never)).toEqual(failed('not a picture', false))
    host.behave('gone')
    expect(await pictures.download(host.address('me.png'), never)).toEqual(failed('ECONNRESET', false))
  })

  test('a host that does not answer is left after ten seconds, or when the server stops', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    host.behave('slow')
    const { length } = host.requests
    const late = pictures.download(host.address('late'), never)
    const stopping = new AbortController()
    const stopped = pictures.download(host.address('stopped'), stopping.signal)
    await expect.poll(() => host.requests.length).toBe(length + 2)
    stopping.abort()
    expect(await stopped).toEqual(failed('timed out', false))
    vi.advanceTimersByTime(9999)
    expect(await Promise.race([late, 'waiting'])).toBe('waiting')
    vi.advanceTimersByTime(1)

    expect(await late).toEqual(failed('timed out', false))
  })
})
