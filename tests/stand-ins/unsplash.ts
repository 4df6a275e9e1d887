import { sendJson } from './behaviour.ts'
import { listen } from './listen.ts'

/** The part of Unsplash's API that Companion uses: a search that finds one photo, and the photo. */
export interface Unsplash {
  port: number
  photo: Buffer
  close(): Promise<void>
}

export async function startUnsplash(photo: Buffer, key: string): Promise<Unsplash> {
  const found = {
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
      return sendJson(response, 200, { results: [found], total: 1, total_pages: 1 })
    if (pathname === `/photos/${found.id}` || pathname === '/count') return sendJson(response, 200, found)
    sendJson(response, 404, { errors: ['not found'] })
  })
  return { port, photo, close }
}

const HOST = 'https://api.unsplash.com'
