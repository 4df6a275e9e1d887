import { createHash } from 'node:crypto'
import { COVER_SIZES, type CoverSize } from '../../contract/covers.ts'
import type { Context } from '../context.ts'
import { HttpError, withDeadline } from '../http/HttpError.ts'
import { FairQueue } from '../http/limits/FairQueue.ts'
import { isDeezerPicture } from '../integrations/covers.ts'
import { createProviderCache } from '../integrations/providerCache.ts'
import { coverKey, type StoredObject } from '../integrations/storage/ObjectStore.ts'
import { makePhoto, photoQueue } from '../uploads/makePhoto.ts'

/**
 * Milliseconds that a request waits for a cover that is not stored yet. Then the page shows the song's next picture.
 */
const MAX_WAIT = 2500

/** Seconds until the services are asked again: when there is no cover, and after no answer. */
const RETRY_SECONDS = { none: 7 * 86_400, noAnswer: 60 }

/** A stored cover. `tag` is its ETag. */
type Cover = StoredObject & { tag: string }

/** No cover. `isFinal` when the services have none; otherwise there may be one later. */
interface NoCover {
  isFinal: boolean
}

/** The sources of a song's cover, in this order. */
interface Sources {
  releaseMbid: string | null
  deezerArt: string | null
}

/**
 * Fetches covers on first use and stores them in the file store (playback-63). Three at a time, because downloads of
 * up to 5 MB are held in memory. Photos and covers are decoded one at a time.
 */
export class CoverMaker {
  readonly #turns = new FairQueue({ concurrency: 3, waitingPerKey: 1, waiting: 60, retryAfter: 5 })
  readonly #making = new Map<string, Promise<void>>()

  async find(context: Context, songId: string, size: CoverSize): Promise<Cover | NoCover> {
    const sources = await readSources(context, songId)
    if (!sources) return { isFinal: false }
    const name = coverName(sources)
    const stored = await readCover(context, name, size)
    if (stored) return stored
    const [missing] = (await missingCovers(context).read([name])).values()
    if (missing) return missing
    await withDeadline(this.#make(context, name, sources), MAX_WAIT).catch(() => {})
    return (await readCover(context, name, size)) ?? { isFinal: false }
  }

  /** Concurrent requests share one run, which continues when they disconnect. Never rejects. */
  #make(context: Context, name: string, sources: Sources): Promise<void> {
    const running = this.#making.get(name)
    if (running) return running
    const making = this.#turns
      .run(name, () => storeCover(context, name, sources))
      .catch((error: unknown) => {
        if (!(error instanceof HttpError)) context.log.warn({ err: error }, 'a cover could not be made')
      })
      .finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }
}

async function readSources({ db, env }: Context, songId: string): Promise<Sources | null> {
  const [song] = await db<{ releaseMbid: string | null; albumArt: string | null }[]>`
    select release_mbid, album_art from songs where id = ${songId}`
  if (!song) return null
  const { releaseMbid, albumArt } = song
  const deezerArt = albumArt && isDeezerPicture(albumArt, env) ? albumArt : null
  return releaseMbid || deezerArt ? { releaseMbid, deezerArt } : null
}

/** Songs of one release share a cover. */
const coverName = ({ releaseMbid, deezerArt }: Sources) =>
  createHash('sha256').update(`${releaseMbid} ${deezerArt}`).digest('base64url')

async function readCover({ integrations }: Context, name: string, size: CoverSize): Promise<Cover | null> {
  const object = await integrations.store.read(coverKey(name, size))
  return object && { ...object, tag: `"${name.slice(0, 16)}-${size}"` }
}

const missingCovers = ({ db }: Context) => createProviderCache<NoCover>(db, 'missing covers 1')

async function storeCover(
  context: Context,
  name: string,
  { releaseMbid, deezerArt }: Sources,
): Promise<void> {
  const { covers, store } = context.integrations
  const requests = [
    ...(releaseMbid ? [() => covers.fetchReleaseCover(releaseMbid)] : []),
    ...(deezerArt ? [() => covers.fetchDeezerCover(deezerArt)] : []),
  ]
  let isFinal = true
  for (const ask of requests) {
    const found = await ask()
    if ('error' in found) isFinal = false
    const sizes = 'picture' in found && found.picture && (await makeSizes(found.picture))
    if (!sizes) continue
    for (const [size, picture] of sizes) await store.write(coverKey(name, size), picture, 'image/webp')
    return
  }
  const seconds = isFinal ? RETRY_SECONDS.none : RETRY_SECONDS.noAnswer
  await missingCovers(context).write(new Map([[name, { isFinal }]]), seconds)
}

/** Null when the file is no valid picture. */
async function makeSizes(picture: Buffer): Promise<Map<CoverSize, Buffer> | null> {
  try {
    return await photoQueue.run('covers', () => makePhoto(picture, COVER_SIZES))
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return null
    throw error
  }
}
