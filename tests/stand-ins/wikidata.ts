import { type StandIn, sendJson, startStandIn } from './behaviour.ts'

/** `requests` are the numbers of ids in each query. */
export interface Wikidata extends StandIn<number> {
  /** Adds an item with this recording (P4404) or work (P435) of MusicBrainz and these YouTube videos (P1651). */
  know(property: 'P4404' | 'P435', mbid: string, ...videoIds: string[]): void
}

/** A stand-in for Wikidata's Query Service. It understands one form of query: values of two properties, and a third. */
export async function startWikidata(): Promise<Wikidata> {
  const itemsById = new Map<string, string[]>()
  const standIn = await startStandIn({
    describe: (url) => readIds(url).length,
    answer(url, { headers }, response) {
      const agent = headers['user-agent'] ?? ''
      const ids = readIds(url)
      if (url.pathname !== '/sparql') return sendJson(response, 404, {})
      if (!agent.includes('@') && !agent.includes('http')) {
        response.writeHead(403).end('Please set a user-agent and respect our robot policy')
        return
      }
      if (ids.length === 0 || !queryOf(url).includes('?item wdt:P1651 ?video')) {
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
    },
    forget: () => itemsById.clear(),
  })
  return {
    ...standIn,
    know: (property, mbid, ...videoIds) => void itemsById.set(`${property} ${mbid}`, videoIds),
  }
}

const queryOf = ({ searchParams }: URL) => searchParams.get('query') ?? ''

function readIds(url: URL) {
  const parts = queryOf(url).matchAll(/\{ VALUES \?mbid \{ ([^}]*) \} \?item wdt:(P4404|P435) \?mbid \}/g)
  return [...parts].flatMap(([, mbids = '', property]) =>
    [...mbids.matchAll(/"([0-9a-f-]{36})"/g)].map(([, mbid]) => ({ mbid, key: `${property} ${mbid}` })),
  )
}
