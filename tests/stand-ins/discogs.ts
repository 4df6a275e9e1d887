import { type StandIn, sendJson, startStandIn } from './behaviour.ts'

export interface Discogs extends StandIn {
  /** Adds `masters/1` or `releases/2` with its videos, by default of three minutes; without any it has no such field. */
  know(page: string, videos?: unknown[]): void
}

/** A stand-in for the database of Discogs, which accepts one token: https://www.discogs.com/developers#page:database */
export async function startDiscogs(): Promise<Discogs> {
  const pages = new Map<string, unknown[] | undefined>()
  const standIn = await startStandIn({
    describe: ({ pathname }) => pathname.slice(1),
    answer({ pathname }, { headers }, response) {
      const page = pathname.slice(1)
      response.setHeader('X-Discogs-Ratelimit-Remaining', '24')
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
    },
    forget: () => pages.clear(),
  })
  return { ...standIn, know: (page, videos) => void pages.set(page, videos) }
}
