import type { SharedPage } from '../../contract/sharedPage.ts'
import { notFoundTexts, SHARE_NAMES, type ShareKind, sharePath } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import type { Frames } from '../http/pageExtras.ts'
import { escapeHtml, type PageExtras } from '../http/pageExtras.ts'
import { readShared } from './sharedItems.ts'

/**
 * The HTML of a shared page before any script runs: metadata for link previews, and the facts as text. Reading it
 * counts no view (sharing-13). Null for a path that is not a shared page.
 */
export async function describeSharePage(
  db: Database,
  env: Env,
  path: string,
  frames: Frames,
): Promise<PageExtras | null> {
  const match = /^\/share\/(collection|achievement|mix|blind)(?:\/([^/]*))?\/?$/.exec(path)
  if (!match) return null
  const kind = match[1] as ShareKind
  const token = match[2] ?? ''
  const home = `${env.basePath}/`
  const shared = await readShared(db, env, kind, token)
  if (!shared) return deadLink(SHARE_NAMES[kind], home, frames)
  return found(env.publicUrl + sharePath(kind, token), shared.page, home)
}

function bodyOf(
  { badge, title, text, type, genre, creator, event, createdAt, counts, ...page }: SharedPage,
  home: string,
): string {
  const about = [`<bdi>${escapeHtml(creator.name)}</bdi>`, `${event} ${day(createdAt)}`, ...counts]
  const entries = page.entries.map(
    ({ name, description }) =>
      `<li><h2 dir="auto">${escapeHtml(name)}</h2><p dir="auto">${escapeHtml(description)}</p></li>`,
  )
  const details = (page.details ?? []).map(
    ([key, value]) => `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(value)}</dd>`,
  )
  return [
    `<p>${badge}</p>`,
    `<h1 dir="auto">${escapeHtml(title)}</h1>`,
    type ? `<p>${escapeHtml(type)}</p>` : '',
    text ? `<p dir="auto">${escapeHtml(text)}</p>` : '',
    `<p>${about.join(' · ')}</p>`,
    genre ? `<p>${escapeHtml(genre.name)}</p>` : '',
    entries.length > 0 ? `<ul>${entries.join('')}</ul>` : '',
    details.length > 0 ? `<dl>${details.join('')}</dl>` : '',
    `<p><a href="${home}">${page.action}</a></p>`,
  ].join('')
}

function found(address: string, shared: SharedPage, home: string): PageExtras {
  const { head, ...extras } = withPreview(address, shared)
  return {
    ...extras,
    head: `${noindex}\n    ${head}`,
    body: pageOf(bodyOf(shared, home)),
    headers: { 'x-robots-tag': 'noindex' },
  }
}

/** The title, description and preview of a page whose picture is at `{address}/preview.png`. */
export function withPreview(
  address: string,
  { title, summary, pictureText }: Pick<SharedPage, 'title' | 'summary' | 'pictureText'>,
): Omit<PageExtras, 'body' | 'headers'> {
  const description = cut(summary, 200)
  const picture = `${address}/preview.png`
  return {
    status: 200,
    title: `${title} · Banger or Bust`,
    description,
    head: [
      `<link rel="canonical" href="${escapeHtml(address)}" />`,
      property('og:type', 'website'),
      property('og:site_name', 'Banger or Bust'),
      property('og:title', title),
      property('og:description', description),
      property('og:url', address),
      property('og:image', picture),
      property('og:image:type', 'image/png'),
      property('og:image:width', '1200'),
      property('og:image:height', '630'),
      property('og:image:alt', pictureText),
      meta('twitter:card', 'summary_large_image'),
      meta('twitter:title', title),
      meta('twitter:description', description),
      meta('twitter:image', picture),
      meta('twitter:image:alt', cut(pictureText, 400)),
    ].join('\n    '),
  }
}

/** The same for all dead links of a kind (sharing-4, calls-6). */
export function deadLink(kindName: string, home: string, frames: Frames): PageExtras {
  const { title, text } = notFoundTexts(kindName)
  return {
    status: 404,
    title: `${title} · Banger or Bust`,
    description: text,
    head: noindex,
    body: deadEnd(frames, { title, text, home }),
    headers: { 'x-robots-tag': 'noindex' },
  }
}

export const pageOf = (content: string) =>
  `<main style="display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;max-width:72rem;margin:0 auto;padding:2.5rem 1rem;overflow-wrap:anywhere">${content}</main>`

/** The document that web/ui/page/DeadEnd.tsx replaces. */
const deadEnd = (frames: Frames, values: Record<'title' | 'text' | 'home', string>) =>
  frames.deadEnd.replace(/\{(title|text|home)\}/g, (_, name: keyof typeof values) => values[name])

const noindex = '<meta name="robots" content="noindex" />'

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`
const property = (name: string, content: string) =>
  `<meta property="${name}" content="${escapeHtml(content)}" />`

const day = (moment: string) => `<time datetime="${moment}">${moment.slice(0, 10)}</time>`

/** By whole characters, so that no emoji is cut in half. */
function cut(text: string, most: number): string {
  const signs = [...text]
  return signs.length <= most
    ? text
    : `${signs
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
