import type { IncomingMessage, ServerResponse } from 'node:http'
import { type StandIn, sendJson, startStandIn } from './behaviour.ts'
import { toneAsWav } from './deezer.ts'

/** What a download does: redirects to a mirror, is missing, is restricted, fails, redirects to another network, has 600 MB, or is a page. */
type FileFate = 'mirror' | 'gone' | 'refused' | 'broken' | 'private' | 'huge' | 'page'

const FAILURES: Partial<Record<FileFate, number>> = { gone: 404, refused: 403, broken: 503 }

interface KnownTrack {
  title: string
  /** As the Archive writes it: `324.34` or `5:24`. */
  length?: string
  size?: string
  format?: string
  name?: string
  fate?: FileFate
}

interface KnownItem {
  id: string
  subject: string
  licence?: string | string[]
  /** The licence of its metadata, when the search has an old one. */
  newLicence?: string
  creator: string
  isDark?: boolean
  tracks: KnownTrack[]
}

/** `requests` are method and path. */
interface ArchiveStandIn extends StandIn {
  /** For AUDIO_HOSTS. */
  hosts: string
  know(...items: KnownItem[]): void
  setFate(address: string, fate: FileFate): void
}

/** A stand-in for search, metadata and downloads of the Internet Archive. Its mirror is the same server by name. */
export async function startArchive(): Promise<ArchiveStandIn> {
  const items = new Map<string, KnownItem>()
  const fates = new Map<string, FileFate>()
  const tone = toneAsWav(2)

  function answer(
    { pathname, searchParams }: URL,
    { method, socket }: IncomingMessage,
    response: ServerResponse,
  ) {
    const [, kind, id = ''] = pathname.split('/')
    if (kind === 'advancedsearch.php') return sendJson(response, 200, search(searchParams.get('q') ?? ''))
    if (kind === 'metadata') return sendJson(response, 200, itemOf(items.get(id)))
    const fate = fates.get(decodeURIComponent(pathname)) ?? (searchParams.get('fate') as FileFate) ?? 'mirror'
    const status = FAILURES[fate]
    if (status) return void response.writeHead(status, { 'Content-Type': 'text/html' }).end()
    if (kind === 'download') {
      const host = fate === 'private' ? '10.0.0.1' : `localhost:${socket.localPort}`
      response.writeHead(302, { Location: `http://${host}/1/items/${id}?fate=${fate}` }).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': fate === 'page' ? 'text/html' : 'audio/mpeg',
      'Content-Length': fate === 'huge' ? 600_000_000 : tone.length,
    })
    response.end(method === 'HEAD' ? undefined : tone)
  }

  function search(query: string) {
    const subject = /^collection:netlabels AND .* subject:"([^"]*)"$/.exec(query)?.[1]
    const docs = [...items.values()]
      .filter((item) => subject && item.subject.includes(subject))
      .map((item) => ({ identifier: item.id, licenseurl: item.licence, subject: item.subject.split('; ') }))
    return { responseHeader: { status: 0 }, response: { numFound: docs.length, start: 0, docs } }
  }

  function itemOf(item: KnownItem | undefined) {
    if (!item) return {}
    const { id, creator, isDark, licence, newLicence, tracks } = item
    const files = tracks.flatMap(({ fate: _, ...track }, n) => [
      {
        name: `${n + 1}.ogg`,
        source: 'derivative',
        format: 'Ogg Vorbis',
        title: track.title,
        length: '204.56',
      },
      {
        ...{
          name: `${n + 1}.mp3`,
          source: 'original',
          format: 'VBR MP3',
          track: `${n + 1}/${tracks.length}`,
        },
        ...{ length: '204.56', size: '7340032', ...track },
      },
    ])
    return {
      ...{ d1: 'ia800500.us.archive.org', dir: `/1/items/${id}`, is_dark: isDark },
      files: [{ name: `${id}_meta.xml`, format: 'Metadata', size: '700' }, ...files],
      metadata: {
        ...{ identifier: id, mediatype: 'audio', collection: ['netlabels', 'dub'], date: '2009-04-01' },
        ...{ creator, licenseurl: newLicence ?? licence },
      },
    }
  }

  const standIn = await startStandIn({
    describe: ({ pathname }, { method }) => `${method} ${pathname}`,
    answer,
    forget() {
      for (const known of [items, fates]) known.clear()
    },
  })
  return {
    ...standIn,
    hosts: `${standIn.url} ${standIn.url.replace('127.0.0.1', 'localhost')}`,
    know(...known) {
      for (const item of known) {
        items.set(item.id, item)
        for (const [n, { fate = 'mirror' }] of item.tracks.entries())
          fates.set(`/download/${item.id}/${n + 1}.mp3`, fate)
      }
    },
    setFate: (address, fate) => void fates.set(new URL(address).pathname, fate),
  }
}
