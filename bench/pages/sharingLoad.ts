import { setTimeout as wait } from 'node:timers/promises'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { getCollectionPreview, getSharedCollection } from '../../contract/sharing.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { pathOf, type Visitor } from '../../tests/harness/visitor.ts'
import { signIn } from '../measure/underLoad.ts'

/** Share pictures of a busy phase. */
const PICTURES = 50

/** Concurrent requests for them: the server queues up to 40. */
const PICTURES_AT_ONCE = 20

/** Renders 50 share pictures each time it is called. */
export async function makePictureLoad(app: TestServer): Promise<() => Promise<void>> {
  const owner = await signIn(app)
  const tokens = await shareCollections(owner, PICTURES)
  return async () => {
    // Pictures depend on their texts: new names avoid those cached in the last round.
    await app.db`update collections set name = id || ' after ' || ${new Date().toISOString()}`
    await askForPictures(app, owner, tokens)
  }
}

/** Requests each picture until it arrives, with retries on timeouts and a full queue. */
async function askForPictures(
  app: TestServer,
  { cookies }: Visitor,
  tokens: readonly string[],
): Promise<void> {
  const waiting = [...tokens]
  const ask = async () => {
    for (let token = waiting.pop(); token; token = waiting.pop()) {
      const status = await fetchPicture(app, token, cookies)
      if (status === 503) {
        waiting.unshift(token)
        await wait(250)
      } else if (status !== 200) throw new Error(`A picture responded ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: PICTURES_AT_ONCE }, ask))
}

export interface Views {
  asked: number
  /** The increase of the collection's counter. */
  counted: number
  /** The number of different counts that visitors received. */
  distinct: number
  /** Retries by status. */
  retries: Record<number, number>
}

/** Concurrent visitors of one shared collection, with retries on 503. */
export async function countViews(app: TestServer, asked: number): Promise<Views> {
  const [token = ''] = await shareCollections(await signIn(app), 1)
  const address = `${app.url}${pathOf(getSharedCollection, { params: { shareToken: token } })}`
  const retries: Record<number, number> = {}
  const view = async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const answer = await fetch(address)
      if (answer.ok) return ((await answer.json()) as { viewCount: number }).viewCount
      await answer.arrayBuffer()
      retries[answer.status] = (retries[answer.status] ?? 0) + 1
      await wait(2000)
    }
    return null
  }
  const counts = await Promise.all(Array.from({ length: asked }, view))
  const [row] = await app.db<{ viewCount: number }[]>`
    select c.view_count from collections c join share_tokens t on t.target_id = c.id and t.kind = 'collection'
    where t.token = ${token}`
  return {
    asked,
    counted: row?.viewCount ?? 0,
    distinct: new Set(counts.filter((count) => count !== null)).size,
    retries,
  }
}

export interface OnePicture {
  asked: number
  answered: number
  /** From the server's log, which has a line for each rendered picture. */
  rendered: number
}

/** Concurrent requests for one picture that is not cached. */
export async function askForOnePicture(app: TestServer, asked: number): Promise<OnePicture> {
  const reader = await signIn(app)
  const [token = ''] = await shareCollections(reader, 1)
  const before = countRendered(app)
  const statuses = await Promise.all(
    Array.from({ length: asked }, () => fetchPicture(app, token, reader.cookies)),
  )
  return {
    asked,
    answered: statuses.filter((status) => status === 200).length,
    rendered: countRendered(app) - before,
  }
}

async function fetchPicture(
  app: TestServer,
  shareToken: string,
  cookies: ReadonlyMap<string, string>,
): Promise<number> {
  const answer = await fetch(`${app.url}${pathOf(getCollectionPreview, { params: { shareToken } })}`, {
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  await answer.arrayBuffer()
  return answer.status
}

const countRendered = (app: TestServer) => app.output().split('"msg":"picture rendered"').length - 1

/** Collections of three microgenres each; returns their tokens. */
async function shareCollections(owner: Visitor, count: number): Promise<string[]> {
  const genres = (await owner.call(listMicrogenres)).body.slice(0, 3)
  const share = async (_: unknown, i: number) => {
    const { body } = await owner.call(createCollection, { body: { name: `Collection ${i}`, isPublic: true } })
    for (const { id } of genres) {
      await owner.call(addCollectionItem, { params: { id: body.id }, body: { microgenreId: id } })
    }
    return (await owner.call(shareCollection, { params: { id: body.id } })).body.shareToken
  }
  return Promise.all(Array.from({ length: count }, share))
}
