import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { setPhoto } from '../../contract/uploads.ts'
import { uploadPhoto } from '../harness/photos.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'

/* Photos are processed one at a time, and listeners take turns. */

const app = setUpApp()
afterEach(() => vi.restoreAllMocks())

const upload = async (listener: Visitor) => uploadPhoto(listener, await makePicture('png'))

test('a listener with many photos delays another listener by one photo, and gets Retry-After', async () => {
  const [eve, ada] = [await app.signIn(), await app.signIn()]
  const uploads = await Promise.all([eve, eve, eve, eve, ada].map(upload))
  const gate = holdPhotos()
  const many = uploads.slice(0, 4).map((photoURL) => eve.call(setPhoto, { body: { photoURL } }))
  await gate.asked(4)
  const one = ada.call(setPhoto, { body: { photoURL: uploads[4] ?? '' } })
  await gate.asked(5)
  gate.open()

  expect((await one).status).toBe(200)
  const answers = await Promise.all(many)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429])
  const refused = answers.findIndex(({ status }) => status === 429)
  expect(Number(answers[refused]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(gate.owners).toEqual([eve.id, ada.id, eve.id, eve.id])

  // A rejected photo is kept for a retry.
  const again = await eve.call(setPhoto, { body: { photoURL: uploads[refused] ?? '' } })
  expect(again.status).toBe(200)
})

test('a photo is not processed when its sender has disconnected, and can be requested again', async () => {
  const [eve, ada] = [await app.signIn(), await app.signIn()]
  const [first = '', photoURL = ''] = await Promise.all([upload(eve), upload(ada)])
  const gate = holdPhotos()
  const running = eve.call(setPhoto, { body: { photoURL: first } })
  await gate.asked(1)
  const leave = askAndLeave(ada, photoURL)
  await gate.asked(2)
  await leave()
  gate.open()

  expect((await running).status).toBe(200)
  expect(gate.owners).toEqual([eve.id])
  expect((await ada.call(setPhoto, { body: { photoURL } })).status).toBe(200)
})

/**
 * Sends a request on its own connection; the function that is returned closes it and waits until the server notices.
 */
function askAndLeave({ cookies }: Visitor, photoURL: string): () => Promise<unknown> {
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

/** Holds all photos until `open`. */
function holdPhotos() {
  const { store } = app
  const { read, measure } = store
  const owners: string[] = []
  let asked = 0
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
    asked++
    return size
  })
  return {
    owners,
    open: () => open(),
    async asked(photos: number) {
      await expect.poll(() => asked).toBe(photos)
      await new Promise(setImmediate)
    },
  }
}
