import type { RequestListener } from 'node:http'
import { type Behaviour, listen, misbehave, sendJson } from './behaviour.ts'

/** A host of profile pictures, such as a sign-in provider's. */
export interface PictureHost {
  /** The address of a picture of this name. */
  address(name: string): string
  /** Sets the picture that it sends, with its type. */
  show(content: Buffer, type?: string): void
  behave(behaviour: Behaviour): void
  /** Sets the handler of the picture of this name. */
  answer(name: string, listener: RequestListener): void
  /** The names of the pictures that were requested. */
  requests: string[]
  close(): Promise<void>
}

export async function startPictureHost(): Promise<PictureHost> {
  const special = new Map<string, RequestListener>()
  const requests: string[] = []
  let picture: { content: Buffer; type: string } = { content: Buffer.alloc(0), type: 'image/png' }
  let behaviour: Behaviour = 'ok'
  const { port, close } = await listen((request, response) => {
    const name = request.url?.slice(1) ?? ''
    requests.push(name)
    const own = special.get(name)
    if (own) return own(request, response)
    if (misbehave(behaviour, response)) return
    response.writeHead(200, { 'content-type': picture.type }).end(picture.content)
  })
  return {
    requests,
    address: (name) => `http://127.0.0.1:${port}/${name}`,
    show(content, type = 'image/png') {
      picture = { content, type }
    },
    behave(next) {
      behaviour = next
    },
    answer: (name, listener) => void special.set(name, listener),
    close,
  }
}

/** The part of Unsplash's API that Companion uses: a search that finds one photo, and the photo. */
export interface Unsplash {
  port: number
  photo: Buffer
  close(): Promise<void>
}

export async function startUnsplash(photo: Buffer, key: string): Promise<Unsplash> {
  const photoRecord = {
    id: 'ada-sings',
    description: 'Ada sings',
    user: { name: 'Bea', links: { html: `${HOST}/@bea` } },
    urls: { thumb: `${HOST}/thumb`, full: `${HOST}/full` },
    links: { download: `${HOST}/file`, download_location: `${HOST}/count` },
  }
  const { port, close } = await listen(({ url = '', headers }, response) => {
    const { pathname } = new URL(url, HOST)
    if (pathname === '/file')
      return void response.writeHead(200, { 'content-length': photo.length }).end(photo)
    if (headers.authorization !== `Client-ID ${key}`) return sendJson(response, 401, { errors: ['no key'] })
    if (pathname === '/search/photos')
      return sendJson(response, 200, { results: [photoRecord], total: 1, total_pages: 1 })
    if (pathname === `/photos/${photoRecord.id}` || pathname === '/count')
      return sendJson(response, 200, photoRecord)
    sendJson(response, 404, { errors: ['not found'] })
  })
  return { port, photo, close }
}

const HOST = 'https://api.unsplash.com'
