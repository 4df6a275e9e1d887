import type { Logger } from 'pino'
import { z } from 'zod'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/** A record of a netlabel. */
export interface ArchiveItem {
  id: string
  licence: string
  subjects: string[]
}

/** An MP3 file of a record. */
export interface ArchiveTrack {
  url: string
  title: string
  artist: string
  lengthMs: number
  year: number | null
}

type Failure = { error: string }

export interface Archive {
  /** The most downloaded records of netlabels with this subject and a licence that allows this use. */
  search(subject: string): Promise<{ items: ArchiveItem[] } | Failure>
  /** The tracks of a record in their order; none if it is gone or its licence has changed. */
  readTracks(item: ArchiveItem): Promise<{ tracks: ArchiveTrack[] } | Failure>
  /**
   * Whether the file, at any host of AUDIO_HOSTS, is there and leads nowhere else; null when its host refuses to say.
   * It is not downloaded.
   */
  check(url: string): Promise<{ plays: boolean | null } | Failure>
}

/** The Archive names no limit. */
const THROTTLE = { limit: 1, interval: 1000 }

const MAX_ITEMS = 50

/** Bytes. A song of twelve minutes has 29 million at 320 kbit/s. */
const MAX_FILE_BYTES = 60_000_000

/** Bits per millisecond of an MP3 file whose length is true. */
const BIT_RATES = { min: 24, max: 400 }

/** https://archive.org/advancedsearch.php and https://archive.org/developers/md-read.html */
export function createArchive(env: Env, log: Logger, db: Queryable): Archive {
  const service = createService(log, db, {
    name: 'Internet Archive',
    timeout: 20_000,
    totalTimeout: 60_000,
    throttle: throttleFor(env.ARCHIVE_URL, 'archive.org', THROTTLE),
    isPatient: true,
    follow: (to) => (isAtHost(to.href, env.AUDIO_HOSTS) ? to : null),
  })
  const headers = { 'User-Agent': userAgent(env) }

  return {
    async search(subject) {
      const named = subject.replace(/["\\]/g, ' ')
      const url = new URL(`${env.ARCHIVE_URL}/advancedsearch.php`)
      url.search = new URLSearchParams([
        ['q', `collection:netlabels AND mediatype:audio AND licenseurl:* AND subject:"${named}"`],
        ['fl[]', 'identifier,licenseurl,subject'],
        ['sort[]', 'downloads desc'],
        ['rows', String(MAX_ITEMS)],
        ['output', 'json'],
      ]).toString()
      const reply = await service.ask(url, readItems, { headers })
      return 'value' in reply ? { items: reply.value } : { error: reply.failure }
    },

    async readTracks(item) {
      const url = new URL(`${env.ARCHIVE_URL}/metadata/${item.id}`)
      const read = (response: ServiceResponse) => readTracks(response, item, env.ARCHIVE_URL)
      const reply = await service.ask(url, read, { headers })
      return 'value' in reply ? { tracks: reply.value } : { error: reply.failure }
    },

    async check(address) {
      if (!isAtHost(address, env.AUDIO_HOSTS)) return { plays: false }
      const reply = await service.ask(new URL(address), isPlayable, { method: 'HEAD', headers })
      if ('value' in reply) return { plays: reply.value }
      return reply.failure === 'redirects' ? { plays: false } : { error: reply.failure }
    },
  }
}

/** Whether an address is at one of these hosts, such as `https://*.archive.org`, without a user name. */
export function isAtHost(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, username } = new URL(address)
  return hosts.some((pattern) => {
    const [scheme, name = ''] = pattern.split('//')
    const isThere = name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
    return isThere && scheme === protocol && username === ''
  })
}

/** Licences that allow to play a recording unchanged and without payment. The retired 'sampling' ones do not. */
const LICENCE =
  /^https?:\/\/(?:www\.)?creativecommons\.org\/(licenses\/by(?:-nc)?(?:-sa|-nd)?|publicdomain\/(?:zero|mark))\/(\d\.\d)(\/(?!deed)[a-z]{2,8})?(?:\/(?:deed(?:\.[a-z_-]+)?|legalcode)?)?$/i

/** The licence's address over https; null for one that does not allow this use. */
export function normalizeLicence(address: string): string | null {
  const [, name, version, country = ''] = LICENCE.exec(address.trim()) ?? []
  return name ? `https://creativecommons.org/${name}/${version}${country}/`.toLowerCase() : null
}

const ITEM_ID = /^[\w-][\w.-]{0,99}$/

/** A field of the Archive has one value or several. */
const Texts = z.union([z.string().transform((text) => [text]), z.array(z.string())]).catch([])

const Found = z.object({
  response: z.object({
    docs: z.array(z.object({ identifier: z.string(), licenseurl: Texts, subject: Texts })),
  }),
})

function readItems({ status, body }: ServiceResponse): ArchiveItem[] {
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  return Found.parse(body).response.docs.flatMap(({ identifier, licenseurl, subject }) => {
    const licence = readLicence(licenseurl)
    if (!licence || !ITEM_ID.test(identifier)) return []
    return [{ id: identifier, licence, subjects: subject.flatMap((text) => text.split(/[;,]/)) }]
  })
}

/** Of several licences none is clear. */
const readLicence = ([licence, ...more]: string[]) =>
  licence && more.length === 0 ? normalizeLicence(licence) : null

/** `{}` for an unknown item; `is_dark` for one that was taken down. */
const Item = z.object({
  is_dark: z.boolean().optional(),
  metadata: z.object({ creator: Texts, licenseurl: Texts, date: Texts }).optional(),
  files: z
    .array(
      z.object({
        name: z.string(),
        format: z.string().catch(''),
        ...{ title: Texts, creator: Texts, artist: Texts, track: Texts, length: Texts, size: Texts },
      }),
    )
    .catch([]),
})

function readTracks(
  { status, body }: ServiceResponse,
  { id, licence }: ArchiveItem,
  base: string,
): ArchiveTrack[] {
  if (status === 404) return []
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  const { is_dark, metadata, files } = Item.parse(body)
  if (is_dark || !metadata || readLicence(metadata.licenseurl) !== licence) return []
  const year = Number(/^\d{4}/.exec(metadata.date[0] ?? '')?.[0] ?? 0) || null
  const place = ({ track }: (typeof files)[number]) => Number.parseInt(track[0] ?? '', 10)
  const titles = new Set<string>()
  return files
    .filter(({ name, format }) => format.endsWith('MP3') && /\.mp3$/i.test(name))
    .sort((a, b) => place(a) - place(b) || 0)
    .flatMap((file) => {
      const [title] = file.title
      const artist = file.artist[0] ?? file.creator[0] ?? metadata.creator[0]
      const lengthMs = Math.round(secondsOf(file.length[0] ?? '') * 1000)
      const bitRate = (Number(file.size[0]) * 8) / lengthMs
      // The same track may be there in several bit rates.
      if (!title || !artist || titles.has(title)) return []
      if (!(bitRate >= BIT_RATES.min && bitRate <= BIT_RATES.max)) return []
      titles.add(title)
      const path = file.name.split('/').map(encodeURIComponent).join('/')
      return [{ url: `${base}/download/${id}/${path}`, title, artist, lengthMs, year }]
    })
}

/** `324.34` or `5:24`; 0 for anything else. */
function secondsOf(text: string): number {
  const parts = /^(\d+:){0,2}\d+(\.\d+)?$/.test(text) ? text.split(':').map(Number) : [0]
  return parts.reduce((sum, part) => sum * 60 + part, 0)
}

function isPlayable({ status, type, length }: ServiceResponse): boolean | null {
  if (status === 404 || status === 410) return false
  // A restricted record; but a host that refuses everything, or a proxy, says nothing about a recording.
  if (status >= 400 && status < 500) return null
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  return (
    /^(audio\/|application\/ogg|(application|binary)\/octet-stream)/.test(type) && length <= MAX_FILE_BYTES
  )
}
