import { setTimeout as wait } from 'node:timers/promises'
import { sendMagicLink } from '../../contract/auth.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { getCollectionPreview, getSharedCollection } from '../../contract/sharing.ts'
import type { House } from '../../tests/browser/house.ts'
import { makeMicrogenre } from '../../tests/factories.ts'
import { pathOf, type Visitor, visitorAt } from '../../tests/harness/visitor.ts'
import { quantile } from '../measure/spread.ts'

/** Ratings go out at this distance, whether earlier ones have been answered or not. Milliseconds. */
const EVERY = 20

/** Ratings of a calm phase; a busy one has as many as fit in while the pictures render. */
const CALM_RATINGS = 200

/** Share pictures of a busy phase. */
const PICTURES = 50

/** Of those, how many are asked for at the same time: the server lets 40 wait. */
const PICTURES_AT_ONCE = 20

/** One listener may call 1,200 times a minute, so the ratings come from several in turn. */
const LISTENERS = 6

export interface Round {
  calm: Latency
  busy: Latency
  /** Pictures that the server rendered in the busy phase, as its log says. */
  rendered: number
}

/** Milliseconds, of how many ratings, and how many the server turned away. */
interface Latency {
  p50: number
  p95: number
  ratings: number
  refused: number
}

/** Ratings alone, then ratings while pictures render, in turn, so that both meet the machine in the same mood. */
export async function* measureRatings(house: House, rounds: number): AsyncGenerator<Round> {
  const owner = await signIn(house)
  const tokens = await shareCollections(owner, PICTURES)
  const rate = await makeRater(house)
  const busyPhase = async () => {
    // A picture depends on its words: with new names none is there from the last round.
    await house.db`update collections set name = id || ' after ' || ${new Date().toISOString()}`
    const before = countRendered(house)
    let over = false
    const pictures = askForPictures(house, owner, tokens).finally(() => {
      over = true
    })
    const [busy] = await Promise.all([rate(() => over), pictures])
    return { busy, rendered: countRendered(house) - before }
  }

  // Not counted: code and caches get warm, the thread for pictures starts and reads its fonts.
  await rate((sent) => sent >= CALM_RATINGS)
  await busyPhase()
  for (let round = 0; round < rounds; round++) {
    const calm = await rate((sent) => sent >= CALM_RATINGS)
    yield { calm, ...(await busyPhase()) }
  }
}

/** A function that rates on until it is told that it is over. */
async function makeRater(house: House): Promise<(isOver: (sent: number) => boolean) => Promise<Latency>> {
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => signIn(house)))
  const { id: microgenreId, songs } = await makeMicrogenre(house.db, 1000)
  let turn = 0
  const rateOne = async () => {
    const listener = listeners[turn % LISTENERS] as Visitor
    const songId = songs[Math.floor(turn++ / LISTENERS) % songs.length] ?? ''
    const started = performance.now()
    const { status } = await listener.call(rateAndAdvance, {
      body: { microgenreId, songId, rating: turn % 3 ? 'banger' : 'bust' },
    })
    return { status, ms: performance.now() - started }
  }
  return async (isOver) => {
    const pending: ReturnType<typeof rateOne>[] = []
    const started = performance.now()
    while (!isOver(pending.length)) {
      pending.push(rateOne())
      await wait(Math.max(0, started + pending.length * EVERY - performance.now()))
    }
    const answers = await Promise.all(pending)
    const times = answers.flatMap(({ status, ms }) => (status === 200 ? [ms] : []))
    return {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      ratings: times.length,
      refused: answers.length - times.length,
    }
  }
}

/** Asks for each picture until it is there: one that came late or found the queue full is asked for again. */
async function askForPictures(house: House, { cookies }: Visitor, tokens: readonly string[]): Promise<void> {
  const waiting = [...tokens]
  const ask = async () => {
    for (let token = waiting.pop(); token; token = waiting.pop()) {
      const status = await fetchPicture(house, token, cookies)
      if (status === 503) {
        waiting.unshift(token)
        await wait(250)
      } else if (status !== 200) throw new Error(`A picture was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: PICTURES_AT_ONCE }, ask))
}

export interface Views {
  asked: number
  /** What the collection's counter rose by. */
  counted: number
  /** Different numbers that visitors were told. */
  told: number
  /** How often a visitor was told to come back a moment later, by status. */
  turnedAway: Record<number, number>
}

/** Visitors of one shared collection, all at once; one whom a server under pressure turns away asks again. */
export async function countViews(house: House, asked: number): Promise<Views> {
  const [token = ''] = await shareCollections(await signIn(house), 1)
  const address = `${house.url}${pathOf(getSharedCollection, { params: { shareToken: token } })}`
  const turnedAway: Record<number, number> = {}
  const view = async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const answer = await fetch(address)
      if (answer.ok) return ((await answer.json()) as { viewCount: number }).viewCount
      await answer.arrayBuffer()
      turnedAway[answer.status] = (turnedAway[answer.status] ?? 0) + 1
      await wait(2000)
    }
    return null
  }
  const counts = await Promise.all(Array.from({ length: asked }, view))
  const [row] = await house.db<{ viewCount: number }[]>`
    select c.view_count from collections c join share_tokens t on t.target_id = c.id and t.kind = 'collection'
    where t.token = ${token}`
  return {
    asked,
    counted: row?.viewCount ?? 0,
    told: new Set(counts.filter((count) => count !== null)).size,
    turnedAway,
  }
}

export interface OnePicture {
  asked: number
  answered: number
  /** As the server's log says: it writes a line for each picture that its thread gave back. */
  rendered: number
}

/** Everybody asks for one picture that is not there yet. */
export async function askForOnePicture(house: House, asked: number): Promise<OnePicture> {
  const reader = await signIn(house)
  const [token = ''] = await shareCollections(reader, 1)
  const before = countRendered(house)
  const statuses = await Promise.all(
    Array.from({ length: asked }, () => fetchPicture(house, token, reader.cookies)),
  )
  return {
    asked,
    answered: statuses.filter((status) => status === 200).length,
    rendered: countRendered(house) - before,
  }
}

async function fetchPicture(
  house: House,
  shareToken: string,
  cookies: ReadonlyMap<string, string>,
): Promise<number> {
  const answer = await fetch(`${house.url}${pathOf(getCollectionPreview, { params: { shareToken } })}`, {
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  await answer.arrayBuffer()
  return answer.status
}

const countRendered = (house: House) => house.output().split('"msg":"picture rendered"').length - 1

let people = 0

async function signIn(house: House): Promise<Visitor> {
  const visitor = visitorAt(house.url)
  // All come from one address, which would soon have asked for enough links.
  await house.db`delete from rate_limits`
  const { body } = await visitor.call(sendMagicLink, { body: { email: `pages-${++people}@example.test` } })
  const link = new URL(body.magicLink ?? '')
  await visitor.raw(link.pathname + link.search)
  return visitor
}

/** Collections of three microgenres each; gives their tokens. */
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
