import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { getSharePreview, getStatsStory } from '../../contract/sharing.ts'
import { setPhoto } from '../../contract/uploads.ts'
import { PictureRenderer } from '../../server/sharing/pictures/PictureRenderer.ts'
import { uploadPhoto } from '../harness/multipart.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { pathOf, type Visitor } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'

/* Share pictures are rendered one at a time, and owners take turns. */

const app = setUpApp()
afterEach(() => vi.restoreAllMocks())

test('a listener with 25 collections delays the preview of another listener by one picture', async () => {
  const [eve, ada] = [await app.signIn(), await app.signIn()]
  const many = await Promise.all(Array.from({ length: 25 }, (_, i) => share(eve, `Eve ${i} 🔥`)))
  const one = await share(ada, 'Ada')
  const renderer = holdRenderer()
  let refused = 0
  const flood = many.map(async (shareToken) => {
    const answer = await ask(shareToken)
    if (answer.status === 503) refused++
    return answer
  })
  // One is rendering and twelve are queued.
  await expect.poll(() => refused).toBe(12)
  const other = ask(one)
  await expect.poll(waiting).toBe(13)
  renderer.release()

  expect((await other).status).toBe(200)
  const answers = await Promise.all(flood)
  expect(answers.filter(({ status }) => status === 200).length).toBe(13)
  expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('5')
  expect(renderer.names.indexOf('Ada')).toBe(1)
})

test('a preview is not rendered when its reader has disconnected', async () => {
  const [eve, ada] = [await app.signIn(), await app.signIn()]
  const [running, laterShare] = [await share(eve, 'Running'), await share(ada, 'Left')]
  const renderer = holdRenderer()
  const first = ask(running)
  await expect.poll(() => renderer.names).toEqual(['Running'])
  const reader = http.get(
    app.url + pathOf(getSharePreview, { params: { kind: 'collection', shareToken: laterShare } }),
    {
      agent: false,
    },
  )
  reader.on('error', () => {})
  await expect.poll(waiting).toBe(1)
  reader.destroy()
  await expect.poll(waiting).toBe(0)
  renderer.release()

  expect((await first).status).toBe(200)
  expect(renderer.names).toEqual(['Running'])
})

test('a picture knows the host of PUBLIC_URL (sharing-19)', async () => {
  const ada = await app.signIn()
  const render = vi.spyOn(PictureRenderer.prototype, 'render').mockResolvedValue(Buffer.from('a picture'))
  await ada.raw(getStatsStory.path)
  await ask(await share(ada, 'Not in the cache'))

  const site = `localhost:${new URL(app.url).port}`
  expect(render.mock.calls.map(([{ format, site }]) => ({ format, site }))).toEqual([
    { format: 'story', site },
    { format: 'preview', site },
  ])
})

const ask = (shareToken: string) =>
  app.visitor().raw(pathOf(getSharePreview, { params: { kind: 'collection', shareToken } }))

/** Queued pictures, from the server's metrics. */
async function waiting(): Promise<number> {
  const { text } = await app.visitor().raw('/metrics')
  return Number(/^banger_pictures_waiting (\d+)$/m.exec(text)?.[1])
}

/** Replaces rendering, and holds all pictures until `release`. */
function holdRenderer() {
  const names: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.spyOn(PictureRenderer.prototype, 'render').mockImplementation(async ({ subject }) => {
    if (subject.kind === 'collection') names.push(subject.name)
    await released
    return Buffer.from('a picture')
  })
  return { names, release }
}

/** The token of a new collection's link. */
async function share(listener: Visitor, name: string): Promise<string> {
  const { id } = (await listener.call(createCollection, { body: { name, isPublic: true } })).body
  return (await listener.call(shareCollection, { params: { id } })).body.shareToken
}

describe('photos', () => {
  /* Photos are processed one at a time, and listeners take turns. */

  const app = setUpApp()
  afterEach(() => vi.restoreAllMocks())

  const upload = async (listener: Visitor) => uploadPhoto(listener, await makePicture('png'))

  test('a listener with many photos delays another listener by one photo, and gets Retry-After', async () => {
    const [eve, ada] = [await app.signIn(), await app.signIn()]
    const uploads = await Promise.all([eve, eve, eve, eve, ada].map(upload))
    const photoGate = holdPhotos()
    const many = uploads.slice(0, 4).map((photoURL) => eve.call(setPhoto, { body: { photoURL } }))
    await photoGate.asked(4)
    const one = ada.call(setPhoto, { body: { photoURL: uploads[4] ?? '' } })
    await photoGate.asked(5)
    photoGate.open()

    expect((await one).status).toBe(200)
    const answers = await Promise.all(many)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429])
    const refused = answers.findIndex(({ status }) => status === 429)
    expect(Number(answers[refused]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(photoGate.owners).toEqual([eve.id, ada.id, eve.id, eve.id])

    // A rejected photo is kept for a retry.
    const again = await eve.call(setPhoto, { body: { photoURL: uploads[refused] ?? '' } })
    expect(again.status).toBe(200)
  })

  test('a photo is not processed when its sender has disconnected, and can be requested again', async () => {
    const [eve, ada] = [await app.signIn(), await app.signIn()]
    const [first = '', photoURL = ''] = await Promise.all([upload(eve), upload(ada)])
    const photoGate = holdPhotos()
    const running = eve.call(setPhoto, { body: { photoURL: first } })
    await photoGate.asked(1)
    const disconnect = requestAndDisconnect(ada, photoURL)
    await photoGate.asked(2)
    await disconnect()
    photoGate.open()

    expect((await running).status).toBe(200)
    expect(photoGate.owners).toEqual([eve.id])
    expect((await ada.call(setPhoto, { body: { photoURL } })).status).toBe(200)
  })

  /**
   * Sends a request on its own connection; the function that is returned closes it and waits until the server notices.
   */
  function requestAndDisconnect({ cookies }: Visitor, photoURL: string): () => Promise<unknown> {
    const sockets: Socket[] = []
    const keep = (message: unknown) => sockets.push((message as { socket: Socket }).socket)
    diagnostics.subscribe('net.server.socket', keep)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'application/json' }
    const call = http.request(app.url + setPhoto.path, { method: 'PUT', agent: false, headers })
    call.on('error', () => {})
    call.end(JSON.stringify({ photoURL }))
    return async () => {
      diagnostics.unsubscribe('net.server.socket', keep)
      const own = sockets.find(({ remotePort }) => remotePort === call.socket?.localPort)
      if (!own) throw new Error('The server has no such connection.')
      const closed = once(own, 'close')
      call.destroy()
      await closed
    }
  }

  /** Holds all photos until `open` is called. */
  function holdPhotos() {
    const { store } = app
    const { read, measure } = store
    const owners: string[] = []
    let requestCount = 0
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    vi.spyOn(store, 'read').mockImplementation(async (key) => {
      owners.push(key.split('/')[1] ?? '')
      await opened
      return read.call(store, key)
    })
    // The last step before a photo is queued.
    vi.spyOn(store, 'measure').mockImplementation(async (key) => {
      const size = await measure.call(store, key)
      requestCount++
      return size
    })
    return {
      owners,
      open: () => open(),
      async asked(photos: number) {
        await expect.poll(() => requestCount).toBe(photos)
        await new Promise(setImmediate)
      },
    }
  }
})
