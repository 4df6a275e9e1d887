import type { ServerResponse } from 'node:http'
import { type Behaviour, listen, misbehave } from './behaviour.ts'

export interface Coverart {
  /** For COVERART_URL. */
  url: string
  /** Adds the front of a release. */
  know(mbid: string, content: Buffer, type?: string): void
  /** How archive.org behaves; `half` sends the first half of a picture and closes the connection. */
  behave(behaviour: Behaviour | 'half'): void
  /** From now on the archive redirects to this address. */
  redirect(to: string): void
  /** The address of a picture that is not in the archive, such as one at Deezer. */
  show(name: string, content: Buffer): string
  /** Holds all answers back until the returned function is called. */
  hold(): () => void
  /** Paths of the calls, in order; of redirects only the first. */
  requests: string[]
  /** User-Agents of the calls. */
  agents: Set<string>
  reset(): void
  close(): Promise<void>
}

/**
 * A stand-in for the Cover Art Archive, which redirects to archive.org, which redirects to one of its machines. One
 * server plays all three: https://musicbrainz.org/doc/Cover_Art_Archive/API
 */
export async function startCoverart(): Promise<Coverart> {
  const fronts = new Map<string, { content: Buffer; type: string }>()
  const requests: string[] = []
  const agents = new Set<string>()
  let behaviour: Behaviour | 'half' = 'ok'
  let elsewhere: string | null = null
  let hold: Promise<void> = Promise.resolve()

  const { port, close } = await listen(async (request, response) => {
    const path = request.url ?? '/'
    agents.add(request.headers['user-agent'] ?? '')
    const [, mbid] = /^\/release\/([^/]+)\/front-1200$/.exec(path) ?? []
    const [, step, name = ''] = /^\/(download|machine)\/(.+)$/.exec(path) ?? []
    if (step === undefined) requests.push(path)
    await hold
    if (mbid !== undefined) {
      if (!fronts.has(mbid)) return notFound(response)
      redirectTo(response, 307, elsewhere ?? `/download/${mbid}`)
    } else if (step === 'download') redirectTo(response, 302, `/machine/${name}`)
    else sendFront(step === 'machine' ? name : path.slice(1), response)
  })

  function sendFront(name: string, response: ServerResponse) {
    const front = fronts.get(name)
    if (!front) return notFound(response)
    if (behaviour !== 'half' && misbehave(behaviour, response)) return
    const { content, type } = front
    response.writeHead(200, { 'content-type': type, 'content-length': content.length })
    if (behaviour !== 'half') return void response.end(content)
    response.write(content.subarray(0, content.length / 2), () => response.destroy())
  }

  const url = `http://127.0.0.1:${port}`
  return {
    url,
    requests,
    agents,
    know: (mbid, content, type = 'image/jpeg') => void fronts.set(mbid, { content, type }),
    behave(next) {
      behaviour = next
    },
    redirect(to) {
      elsewhere = to
    },
    show(name, content) {
      fronts.set(name, { content, type: 'image/jpeg' })
      return `${url}/${name}`
    },
    hold() {
      let release = () => {}
      hold = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    reset() {
      fronts.clear()
      requests.length = 0
      behaviour = 'ok'
      elsewhere = null
      hold = Promise.resolve()
    },
    close,
  }
}

const redirectTo = (response: ServerResponse, status: number, location: string) =>
  void response.writeHead(status, { location }).end('See there')

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>404</title>')
}
