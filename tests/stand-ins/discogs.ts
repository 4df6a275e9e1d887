import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

export interface Discogs {
  /** For DISCOGS_URL. */
  url: string
  /** Adds `masters/1` or `releases/2` with its videos, by default of three minutes; without any it has no such field. */
  know(page: string, videos?: unknown[]): void
  /** Sets the behaviour for that many calls, or for all from now on. */
  behave(behaviour: Behaviour, calls?: number): void
  /** Pages in order, and the User-Agents. */
  requests: string[]
  agents: Set<string>
  reset(): void
  close(): Promise<void>
}

/** A stand-in for the database of Discogs, which accepts one token: https://www.discogs.com/developers#page:database */
export async function startDiscogs(): Promise<Discogs> {
  const pages = new Map<string, unknown[] | undefined>()
  const requests: string[] = []
  const agents = new Set<string>()
  let behaviour: Behaviour = 'ok'
  let calls = Number.POSITIVE_INFINITY

  const { port, close } = await listen(({ url = '/', headers }, response) => {
    const page = url.slice(1)
    requests.push(page)
    agents.add(headers['user-agent'] ?? '')
    response.setHeader('X-Discogs-Ratelimit-Remaining', '24')
    if (misbehave(calls-- > 0 ? behaviour : 'ok', response, 1)) return
    if (![undefined, 'Discogs token=right'].includes(headers.authorization))
      return sendJson(response, 401, { message: 'Invalid consumer token. Please register an app.' })
    if (!pages.has(page)) return sendJson(response, 404, { message: 'Release not found.' })
    const videos = pages
      .get(page)
      ?.map((its) =>
        its instanceof Object ? { description: 'A video', duration: 180, embed: true, ...its } : its,
      )
    sendJson(response, 200, {
      id: Number(page.split('/')[1]),
      resource_url: `https://api.discogs.com/${page}`,
      title: 'A Record',
      tracklist: [{ position: 'A1', type_: 'track', title: 'Song', duration: '3:00' }],
      ...(videos ? { videos } : {}),
    })
  })

  return {
    url: `http://127.0.0.1:${port}`,
    know: (page, videos) => void pages.set(page, videos),
    behave(next, times = Number.POSITIVE_INFINITY) {
      behaviour = next
      calls = times
    },
    requests,
    agents,
    reset() {
      pages.clear()
      requests.length = 0
      behaviour = 'ok'
    },
    close,
  }
}
