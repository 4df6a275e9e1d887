import { getMicrogenrePreview } from '../../contract/sharing.ts'
import * as contract from '../../contract/visitors.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { Answer } from '../http/answers.ts'
import { HttpError } from '../http/HttpError.ts'
import { escapeHtml, type Frames, type PageExtras } from '../http/pageExtras.ts'
import { type Route, route } from '../http/route.ts'
import { listMicrogenreKeys, readMicrogenre, readMicrogenrePage } from '../visitors/microgenrePage.ts'
import type { PictureMaker } from './pictures/PictureMaker.ts'
import { siteOf, toPictureAnswer } from './routes.ts'
import { deadLink, pageOf, withPreview } from './sharePage.ts'

/** The pictures of microgenres' pages, and the list of these. */
export const microgenrePageRoutes = (pictures: PictureMaker): Route<Context>[] => [
  route(getMicrogenrePreview, async ({ params, exchange }, context: Context) => {
    const microgenre = await context.read((db) => readMicrogenre(db, params.key))
    if (!microgenre) throw new HttpError(404, 'There is no such microgenre.')
    const { name, color, description } = microgenre
    const site = siteOf(context)
    const subject = {
      kind: 'microgenre',
      name,
      text: description,
      genre: { name, color },
      creator: site,
    } as const
    const request = { owner: 'microgenres', subject: `microgenre ${params.key}`, signal: exchange.signal }
    const picture = await pictures.make({ format: 'preview', subject, site }, request)
    return toPictureAnswer(picture, { isShared: false })
  }),

  route(contract.getSitemap, async (_, { read, env }: Context) => {
    const addresses = ['/', ...(await read(listMicrogenreKeys)).map(contract.microgenrePath)]
    const entries = addresses.map((path) => `<url><loc>${escapeHtml(env.publicUrl + path)}</loc></url>`)
    return document(
      'application/xml; charset=utf-8',
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`,
    )
  }),
]

/** Shared pages say noindex themselves; to be heard they must be readable. */
export const robotsRoute: Route<Context> = route(contract.getRobots, (_, { env }: Context) =>
  document(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow:\n${env.visitors ? `\nSitemap: ${env.publicUrl}/sitemap.xml\n` : ''}`,
  ),
)

const document = (type: string, text: string) =>
  new Answer((reply) => reply.header('cache-control', 'public, max-age=3600').type(type).send(text))

/** The HTML of a microgenre's page before any script runs; null for another path, and while visitors hear nothing. */
export async function describeMicrogenrePage(
  db: Database,
  env: Env,
  path: string,
  frames: Frames,
): Promise<PageExtras | null> {
  const [, key] = /^\/microgenres\/([^/]+)\/?$/.exec(path) ?? []
  if (!key || !env.visitors) return null
  const page = await readMicrogenrePage(db, env, key)
  const data: contract.MicrogenrePageData = { key, page }
  const dataElement = `<script type="application/json" id="${contract.PAGE_DATA_ID}">${toScriptText(data)}</script>`
  const home = `${env.basePath}/`
  if (!page) {
    const extras = deadLink('Microgenre', home, frames)
    return { ...extras, head: `${extras.head}\n    ${dataElement}` }
  }
  const address = env.publicUrl + contract.microgenrePath(key)
  const { head, ...extras } = withPreview(address, {
    title: page.name,
    summary: page.description,
    pictureText: `${page.name}: ${page.description}`,
  })
  const playlist = `<script type="application/ld+json">${toScriptText(toPlaylist(page, address))}</script>`
  return {
    ...extras,
    head: [head, playlist, dataElement].join('\n    '),
    body: pageOf(`<a href="${home}">${frames.wordmark}</a>${bodyOf(page, env.basePath)}`),
    headers: {},
  }
}

const bodyOf = ({ name, description, bangers, near }: contract.MicrogenrePage, basePath: string) =>
  [
    '<p>Microgenre</p>',
    `<h1 dir="auto">${escapeHtml(name)}</h1>`,
    `<p dir="auto">${escapeHtml(description)}</p>`,
    list(
      'ol',
      contract.AGREED_BANGERS,
      bangers.map((song) => `<bdi>${escapeHtml(song.title)}</bdi> by <bdi>${escapeHtml(song.artist)}</bdi>`),
    ),
    list(
      'ul',
      contract.RELATED_MICROGENRES,
      near.map(
        (other) =>
          `<a href="${basePath}${contract.microgenrePath(other.key)}"><bdi>${escapeHtml(other.name)}</bdi></a>`,
      ),
    ),
  ].join('')

const list = (kind: 'ol' | 'ul', heading: string, items: string[]) =>
  items.length > 0
    ? `<h2>${heading}</h2><${kind}>${items.map((item) => `<li>${item}</li>`).join('')}</${kind}>`
    : ''

/** https://schema.org/MusicPlaylist */
const toPlaylist = ({ name, description, bangers }: contract.MicrogenrePage, address: string) => ({
  '@context': 'https://schema.org',
  '@type': 'MusicPlaylist',
  name,
  description,
  url: address,
  image: `${address}/preview.png`,
  genre: name,
  track: bangers.map(({ title, artist }) => ({
    '@type': 'MusicRecording',
    name: title,
    byArtist: { '@type': 'MusicGroup', name: artist },
  })),
})

/** JSON that cannot end its element. */
const toScriptText = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
