import {
  NOT_SHARED,
  type SharedAchievement,
  type SharedCollection,
  type ShareKind,
  sharedWordsOf,
  sharePath,
  sharerName,
} from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import type { PageExtras } from '../http/pageExtras.ts'
import { escapeHtml } from '../http/pageExtras.ts'
import { readAchievement } from './sharedAchievement.ts'
import { readCollection } from './sharedCollection.ts'

/**
 * What the document at a path says before any script runs: tags for whoever makes a preview of the link, and the
 * facts in plain words. Reading it counts no view (sharing-13). Null for a path that is not a shared page.
 */
export async function describeSharePage(
  db: Database,
  publicUrl: string,
  path: string,
): Promise<PageExtras | null> {
  const match = /^\/share\/(collection|achievement)(?:\/([^/]*))?\/?$/.exec(path)
  if (!match) return null
  const kind = match[1] as ShareKind
  const token = match[2] ?? ''
  const facts = await (kind === 'collection' ? collectionFacts : achievementFacts)(db, token)
  return facts ? found(publicUrl, kind, token, facts) : dead(kind)
}

interface Facts {
  title: string
  /** One or two sentences. */
  description: string
  /** What the picture shows, for who cannot see it. */
  picture: string
  /** The page in plain HTML, everything escaped. */
  body: string
}

async function collectionFacts(db: Database, token: string): Promise<Facts | null> {
  const collection = await readCollection(db, token)
  if (!collection) return null
  const { name, description, items, user } = collection
  const names = items.map(({ microgenre }) => microgenre.name)
  const summary = `A collection of ${count(items.length, 'microgenre')} by ${sharerName(user)}`
  return {
    title: name,
    description: description || (names.length > 0 ? `${summary}: ${names.join(', ')}.` : `${summary}.`),
    picture: `${name}: ${names.join(', ') || 'no microgenres yet'}`,
    body: collectionBody(collection),
  }
}

function collectionBody({ name, description, createdAt, viewCount, user, items }: SharedCollection): string {
  const entries = items.map(
    ({ microgenre }) =>
      `<li><h2 dir="auto">${escapeHtml(microgenre.name)}</h2><p dir="auto">${escapeHtml(microgenre.description)}</p></li>`,
  )
  return [
    '<p>Shared Collection</p>',
    `<h1 dir="auto">${escapeHtml(name)}</h1>`,
    description ? `<p dir="auto">${escapeHtml(description)}</p>` : '',
    `<p><bdi>${escapeHtml(sharerName(user))}</bdi> · Created ${day(createdAt)} · ${count(viewCount, 'view')} · ${count(items.length, 'microgenre')}</p>`,
    `<ul>${entries.join('')}</ul>`,
    '<p><a href="/">Start Discovering</a></p>',
  ].join('')
}

async function achievementFacts(db: Database, token: string): Promise<Facts | null> {
  const achievement = await readAchievement(db, token)
  if (!achievement) return null
  const { name, text } = sharedWordsOf(achievement.type)
  const where = achievement.microgenre ? ` in ${achievement.microgenre.name}` : ''
  return {
    title: name,
    description: `${sharerName(achievement.user)} unlocked ‘${name}’${where}: ${text}.`,
    picture: `${name}: ${text}`,
    body: achievementBody(achievement),
  }
}

function achievementBody({ type, metadata, createdAt, user, microgenre }: SharedAchievement): string {
  const { name, text } = sharedWordsOf(type)
  const pairs = Object.entries(metadata).map(
    ([key, value]) => `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(String(value))}</dd>`,
  )
  return [
    '<p>Achievement Unlocked</p>',
    `<h1>${escapeHtml(name)}</h1>`,
    `<p>${escapeHtml(text)}</p>`,
    `<p><bdi>${escapeHtml(sharerName(user))}</bdi> · ${day(createdAt)}</p>`,
    microgenre ? `<p>${escapeHtml(microgenre.name)}</p>` : '',
    pairs.length > 0 ? `<dl>${pairs.join('')}</dl>` : '',
    '<p><a href="/">Start Your Journey</a></p>',
  ].join('')
}

function found(publicUrl: string, kind: ShareKind, token: string, facts: Facts): PageExtras {
  const address = `${publicUrl}${sharePath(kind, token)}`
  const title = `${facts.title} · Banger or Bust`
  const description = cut(facts.description, 200)
  const picture = `${address}/preview.png`
  return {
    status: 200,
    title,
    description,
    head: [
      `<link rel="canonical" href="${escapeHtml(address)}" />`,
      noindex,
      property('og:type', 'website'),
      property('og:site_name', 'Banger or Bust'),
      property('og:title', facts.title),
      property('og:description', description),
      property('og:url', address),
      property('og:image', picture),
      property('og:image:type', 'image/png'),
      property('og:image:width', '1200'),
      property('og:image:height', '630'),
      property('og:image:alt', facts.picture),
      meta('twitter:card', 'summary_large_image'),
      meta('twitter:title', facts.title),
      meta('twitter:description', description),
      meta('twitter:image', picture),
      meta('twitter:image:alt', cut(facts.picture, 400)),
    ].join('\n    '),
    body: page(facts.body),
    headers: { 'x-robots-tag': 'noindex' },
  }
}

/** The same for every link that leads nowhere (sharing-4, calls-6). */
function dead(kind: ShareKind): PageExtras {
  const { title, text } = NOT_SHARED[kind]
  return {
    status: 404,
    title: `${title} · Banger or Bust`,
    description: text,
    head: noindex,
    body: page(`<h1>${title}</h1><p>${text}</p><p><a href="/">Go Home</a></p>`),
    headers: { 'x-robots-tag': 'noindex' },
  }
}

const page = (content: string) =>
  `<main style="display:grid;gap:1rem;max-width:72rem;margin:0 auto;padding:2.5rem 1rem">${content}</main>`

const noindex = '<meta name="robots" content="noindex" />'

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`
const property = (name: string, content: string) =>
  `<meta property="${name}" content="${escapeHtml(content)}" />`

const count = (n: number, thing: string) => `${n} ${thing}${n === 1 ? '' : 's'}`
const day = (moment: string) => `<time datetime="${moment}">${moment.slice(0, 10)}</time>`

/** By whole characters, so that no emoji is left as half. */
function cut(text: string, most: number): string {
  const signs = [...text]
  return signs.length <= most
    ? text
    : `${signs
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
