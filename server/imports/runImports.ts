import { on } from 'node:events'
import {
  type ImportedCollection,
  importCollections,
  removeCollections,
} from '../collections/importCollections.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/connection.ts'
import { isDatabaseUnavailable } from '../http/errors.ts'
import { repeat } from '../process/repeat.ts'
import { startThread } from '../process/startThread.ts'
import { foldAllSongs } from '../suggestions/catalogueSongs.ts'
import { applyImport, revertImport } from './applyImport.ts'
import { claimImport, type ImportClaim } from './ImportClaim.ts'
import { matchSongs } from './matchSongs.ts'
import type { FileEnd, ThreadInput, ThreadMessage } from './readThread.ts'
import { discardFile, type JobContext } from './sweepImports.ts'
import { addSongs, trimSongs } from './writeSongs.ts'

const INTERVAL = 500

/** Megabytes that reading a file may take. */
const MAX_THREAD_MEMORY = 128

/** Milliseconds without a message, which come four times a second once the thread has started. */
const MAX_SILENCE = 60_000

/** Times that a process may end while it reads a file. */
const MAX_TRIES = 3

/** Works on one import at a time. Returns a function that stops it; another process goes on. */
export function startImports(context: Context): () => Promise<void> {
  return repeat((signal) => runImports(context, signal), {
    interval: INTERVAL,
    failure: 'an import stopped; will retry',
    log: context.log,
  })
}

/** Reads, applies and takes back what waits for it. */
export async function runImports(context: JobContext, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const claim = await claimImport(context.db, stopping)
    if (!claim) return
    let isOutage = false
    try {
      await work(context, claim)
    } catch (error) {
      // The listener removed it, another process goes on with it, or the server stops.
      if (claim.signal.aborted) continue
      isOutage = error instanceof Error && isDatabaseUnavailable(error)
      throw error
    } finally {
      await claim.end({ isOutage })
    }
  }
}

async function work(context: JobContext, claim: ImportClaim): Promise<void> {
  const { db } = context
  const { id, userId, status, choices } = claim.import
  if (status === 'reading') return readUpload(context, claim)
  if (status === 'applying' && choices) {
    await claim.change(async (tx) => {
      const imported = await importCollections(tx, userId, await readCollections(tx, id))
      await tx`update imports set collections = ${tx.json(imported)} where id = ${id}`
    })
    await applyImport(db, id, choices, claim.signal)
  } else if (await revertImport(db, id, claim.signal)) {
    await removeCollections(db, userId, await readCollections(db, id))
    await db`delete from imports where id = ${id} and status = 'reverting'`
  }
}

async function readCollections(db: Queryable, id: string): Promise<ImportedCollection[]> {
  const [row] = await db<{ collections: ImportedCollection[] }[]>`
    select collections from imports where id = ${id}`
  return row?.collections ?? []
}

/** Reads from the start what a process that ended has left. */
async function readUpload(context: JobContext, claim: ImportClaim): Promise<void> {
  const { id, uploadKey, tries } = claim.import
  const { store } = context.integrations
  let end: FileEnd | null = null
  if (tries >= MAX_TRIES)
    end = { error: 'This file stopped the reading three times. Please choose a smaller part of it.' }
  else if (uploadKey) end = await store.withFile(uploadKey, (file) => readFile(context, claim, file))
  end ??= { error: 'The file was deleted before it was read. Please choose it again.' }
  const { error = null, header = null, sources = [], leftOut = {}, collections = [] } = end
  await claim.change(async (tx) => {
    if (error) await tx`delete from import_songs where import_id = ${id}`
    await tx`
      update imports set status = ${error ? 'failed' : 'ready'}, error = ${error}, header = ${header},
        sources = ${sources}, left_out = ${tx.json(leftOut)}, collections = ${tx.json(collections)}
      where id = ${id}`
  })
  // One whose columns are unknown is read again.
  if (uploadKey && !header) await discardFile(context, uploadKey)
}

async function readFile({ db, log }: JobContext, claim: ImportClaim, file: string): Promise<FileEnd> {
  const { id, columns } = claim.import
  let places = 0
  let sinceTrim = 0
  const leftOut: Record<string, number> = {}
  const leave = (reason: string, rows: number) => {
    if (rows > 0) leftOut[reason] = (leftOut[reason] ?? 0) + rows
  }
  await claim.change(async (tx) => {
    await tx`delete from import_songs where import_id = ${id}`
    await tx`update imports set tries = tries + 1 where id = ${id}`
  })
  await foldAllSongs(db)
  for await (const [message, next] of readInThread({ file, columns }, claim.signal)) {
    if ('progress' in message) Object.assign(claim.progress, message.progress)
    else if ('songs' in message) {
      const { songs } = message
      const matches = await matchSongs(db, songs)
      for (const [n, { verdict, rows }] of songs.entries())
        if (!matches[n]) leave(verdict ? 'no name' : 'not music', rows)
      await claim.change(async (tx) => {
        const added = await addSongs(tx, id, places, songs, matches)
        places += added
        sinceTrim += added
      })
      if (sinceTrim > MAX_UNTRIMMED) await trim()
      claim.progress.rows += songs.reduce((sum, { rows }) => sum + rows, 0)
      next()
    } else {
      const { error, failure, leftOut: reasons = {} } = message.end
      if (failure) log.error({ name: failure }, 'the file of an import could not be read')
      if (error) return message.end
      await trim()
      for (const [reason, rows] of Object.entries(reasons)) {
        claim.progress.rows += rows
        leave(reason, rows)
      }
      return { ...message.end, leftOut }
    }
  }
  return { error: 'The file is too complex to read.' }

  async function trim(): Promise<void> {
    await claim.change(async (tx) => {
      leave('Beyond 50,000 songs', await trimSongs(tx, id))
    })
    sinceTrim = 0
  }
}

/** Songs that are added before those beyond the limit are deleted. */
const MAX_UNTRIMMED = 20_000

/** What the thread says of a file; `next` asks for more songs. Without an end it broke off. */
async function* readInThread(
  input: ThreadInput,
  signal: AbortSignal,
): AsyncGenerator<[ThreadMessage, next: () => void]> {
  const over = new AbortController()
  const end = () => over.abort()
  const worker = startThread(new URL('./readThread', import.meta.url), MAX_THREAD_MEMORY)
  worker.on('error', end).on('exit', end)
  let timer = setTimeout(end, MAX_SILENCE)
  try {
    worker.postMessage(input)
    for await (const [message] of on(worker, 'message', { signal: AbortSignal.any([signal, over.signal]) })) {
      clearTimeout(timer)
      yield [message as ThreadMessage, () => worker.postMessage('next')]
      timer = setTimeout(end, MAX_SILENCE)
    }
  } catch (error) {
    if (signal.aborted || !over.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
