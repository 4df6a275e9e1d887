import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

export interface Wikidata {
  /** For WIKIDATA_URL. */
  url: string
  /** Adds an item with this recording (P4404) or work (P435) of MusicBrainz and these YouTube videos (P1651). */
  know(property: 'P4404' | 'P435', mbid: string, ...videoIds: string[]): void
  /** Sets the behaviour for that many calls, or for all from now on. */
  behave(behaviour: Behaviour, calls?: number): void
  /** The number of ids in each query. */
  requests: number[]
  /** User-Agents of the queries. */
  agents: Set<string>
  reset(): void
  close(): Promise<void>
}

/** A stand-in for Wikidata's Query Service. It understands one form of query: values of two properties, and a third. */
export async function startWikidata(): Promise<Wikidata> {
  const itemsById = new Map<string, string[]>()
  const requests: number[] = []
  const agents = new Set<string>()
  let behaviour: Behaviour = 'ok'
  let calls = Number.POSITIVE_INFINITY

  const { port, close } = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const query = url.searchParams.get('query') ?? ''
    const agent = request.headers['user-agent'] ?? ''
    const parts = [...query.matchAll(/\{ VALUES \?mbid \{ ([^}]*) \} \?item wdt:(P4404|P435) \?mbid \}/g)]
    const ids = parts.flatMap(([, mbids = '', property]) =>
      [...mbids.matchAll(/"([0-9a-f-]{36})"/g)].map(([, mbid]) => ({ mbid, key: `${property} ${mbid}` })),
    )
    requests.push(ids.length)
    agents.add(agent)
    if (misbehave(calls-- > 0 ? behaviour : 'ok', response, 1)) return
    if (url.pathname !== '/sparql') return sendJson(response, 404, {})
    if (!agent.includes('@') && !agent.includes('http')) {
      response.writeHead(403).end('Please set a user-agent and respect our robot policy')
      return
    }
    if (ids.length === 0 || !query.includes('?item wdt:P1651 ?video')) {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('SPARQL-QUERY: MalformedQueryException')
      return
    }
    const bindings = ids.flatMap(({ mbid, key }) =>
      (itemsById.get(key) ?? []).map((video) => ({
        mbid: { type: 'literal', value: mbid },
        video: { type: 'literal', value: video },
      })),
    )
    response
      .writeHead(200, { 'Content-Type': 'application/sparql-results+json;charset=utf-8' })
      .end(JSON.stringify({ head: { vars: ['mbid', 'video'] }, results: { bindings } }))
  })

  return {
    url: `http://127.0.0.1:${port}`,
    know: (property, mbid, ...videoIds) => void itemsById.set(`${property} ${mbid}`, videoIds),
    behave(next, times = Number.POSITIVE_INFINITY) {
      behaviour = next
      calls = times
    },
    requests,
    agents,
    reset() {
      itemsById.clear()
      requests.length = 0
      agents.clear()
      behaviour = 'ok'
    },
    close,
  }
}
