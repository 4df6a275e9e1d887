import http from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { getCollectionPreview, getStatsStory } from '../../contract/sharing.ts'
import { PictureRenderer } from '../../server/sharing/pictures/PictureRenderer.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { pathOf, type Visitor } from '../harness/visitor.ts'

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
  const [running, left] = [await share(eve, 'Running'), await share(ada, 'Left')]
  const renderer = holdRenderer()
  const first = ask(running)
  await expect.poll(() => renderer.names).toEqual(['Running'])
  const reader = http.get(app.url + pathOf(getCollectionPreview, { params: { shareToken: left } }), {
    agent: false,
  })
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
  app.visitor().raw(pathOf(getCollectionPreview, { params: { shareToken } }))

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
