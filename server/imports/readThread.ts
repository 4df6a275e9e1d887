import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { MAX_COLLECTIONS } from '../../contract/collections.ts'
import type { ImportedCollection } from '../collections/importCollections.ts'
import { BadInput } from '../inputErrors.ts'
import { lowerPriority } from '../process/startThread.ts'
import { addSong, type FileSong, statementOf, toFileSong } from './fileSong.ts'
import { type ReadContext, shorten, UnknownColumns } from './importItems.ts'
import { newContext, readImport } from './readImport.ts'

/* Reads a file apart from the server's calls, and adds its entries up. */

export interface ThreadInput {
  file: string
  columns: string | null
}

/** How reading a file ended. */
export interface FileEnd {
  /** Why it cannot be read. */
  error?: string
  /** The error's name, unless it is the file's fault. */
  failure?: string
  /** Of a table whose columns are unknown. */
  header?: string[]
  sources?: string[]
  /** Entries by reason. */
  leftOut?: Record<string, number>
  collections?: ImportedCollection[]
}

export type ThreadMessage =
  | { progress: ReadContext['progress'] }
  /** The next ones follow when it is answered. */
  | { songs: FileSong[] }
  | { end: FileEnd }

const MAX_SONGS_IN_MEMORY = 10_000
const SONGS_PER_BATCH = 500
const PROGRESS_INTERVAL = 250

const post = (message: ThreadMessage) => parentPort?.postMessage(message)

async function addUp(file: string, context: ReadContext): Promise<FileEnd> {
  const songs = new Map<string, FileSong>()
  /** By what the file says: a history repeats its songs, and their keys take long. */
  const met = new Map<string, FileSong>()
  const leftOut: Record<string, number> = {}
  const leave = (reason: string) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1
  }
  const collections: ImportedCollection[] = []
  let stored: Promise<unknown> = Promise.resolve()
  /** Sends those that were met first. */
  const send = async () => {
    await stored
    const batch = [...songs.values()].slice(0, SONGS_PER_BATCH)
    for (const { key } of batch) songs.delete(key)
    if (parentPort) stored = once(parentPort, 'message')
    post({ songs: batch })
  }
  for await (const item of readImport(file, context)) {
    if ('collection' in item) {
      if (collections.length < MAX_COLLECTIONS) collections.push(item.collection)
    } else if ('leftOut' in item) leave(item.leftOut)
    else {
      const { title, artist, spotifyId, youtubeId, recordingMbid, isrc, microgenre } = item
      const text = [title, artist, spotifyId, youtubeId, recordingMbid, isrc, microgenre].join('\n')
      const before = met.get(text)
      const song = before ? { ...before, ...statementOf(item) } : toFileSong(item)
      if (!song) {
        leave('no name')
        continue
      }
      if (met.size > MAX_SONGS_IN_MEMORY) met.clear()
      if (!before) met.set(text, { ...song })
      addSong(songs, song)
      if (songs.size > MAX_SONGS_IN_MEMORY) await send()
    }
  }
  while (songs.size > 0) await send()
  await stored
  post({ progress: context.progress })
  return { sources: [...context.sources], leftOut, collections }
}

parentPort?.once('message', async (input: ThreadInput) => {
  lowerPriority()
  const context = newContext(input.columns ?? '')
  const timer = setInterval(() => post({ progress: context.progress }), PROGRESS_INTERVAL)
  const end = await addUp(input.file, context).catch(explain)
  clearInterval(timer)
  post({ end })
})

function explain(error: Error): FileEnd {
  if (!(error instanceof BadInput)) return { error: 'The file could not be read.', failure: error.name }
  const { header } = error instanceof UnknownColumns ? error : {}
  return { error: shorten(error.message), header }
}
