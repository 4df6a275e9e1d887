import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Fragment, Queryable } from '../db/connection.ts'
import { BadInput } from '../inputErrors.ts'
import { createProviderCache } from '../integrations/providerCache.ts'

/** Milliseconds. A run of three hours counts as late; what is left is due an hour later. */
export const MAX_RUN = 2 * 3_600_000

/** How long to retry a service that does not answer: longer than its circuit breaker stays open. */
export interface RetryOptions {
  /** Milliseconds between attempts. */
  pause: number
  tries: number
}

export interface ServiceOptions<Counts = never> {
  signal?: AbortSignal
  retry?: RetryOptions
  onProgress?: (counts: Counts) => void
}

export const DEFAULT_RETRY: RetryOptions = { pause: 25_000, tries: 4 }

/** Seconds until a service is asked again about what it did not know. */
export const ASK_AGAIN_SECONDS = 30 * 24 * 3600

export class NoAnswer extends BadInput {
  constructor(service: string) {
    super(`${service} does not answer. Try again later. The results so far are kept.`)
  }
}

/** A service is down after this many unanswered questions in a row. */
const MAX_UNANSWERED = 3

type Failure = { error: unknown } | undefined
type Answered<T> = Exclude<T, Failure>

export type Ask = <T>(service: string, question: () => Promise<T>) => Promise<Answered<T> | undefined>

/**
 * Retries while the answer is a failure or undefined.
 * @throws BadInput when the service does not answer; AbortError when `signal` aborts.
 */
export async function askUntilAnswered<T>(
  service: string,
  question: () => Promise<T>,
  { signal, retry: { pause, tries } = DEFAULT_RETRY }: ServiceOptions = {},
): Promise<Answered<T>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await question()
    if (isAnswered(answer)) return answer
    if (attempt === tries) throw new NoAnswer(service)
    await wait(pause, undefined, { signal })
  }
}

const isAnswered = <T>(answer: T): answer is Answered<T> =>
  answer !== undefined && !(typeof answer === 'object' && answer !== null && 'error' in answer)

/**
 * Asks services many questions, each until it is answered. A question that is never answered, for example because its
 * answer is broken, gives undefined and does not stop the others.
 * @throws BadInput, from the returned function, when a service leaves several questions in a row unanswered;
 * AbortError as soon as `signal` aborts.
 */
export function createAsk({ signal, retry = DEFAULT_RETRY }: ServiceOptions): Ask {
  const unanswered = new Map<string, number>()
  return async (service, question) => {
    const before = unanswered.get(service) ?? 0
    const tries = before > 0 ? Math.min(2, retry.tries) : retry.tries
    try {
      const options = { signal, retry: { ...retry, tries } }
      const answer = await rejectOnAbort(() => askUntilAnswered(service, question, options), signal)
      unanswered.set(service, 0)
      return answer
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      unanswered.set(service, (unanswered.get(service) ?? 0) + 1)
      if ((unanswered.get(service) ?? 0) >= MAX_UNANSWERED) throw error
      return undefined
    }
  }
}

/** Service clients wait for up to a minute; a stopping server must not. */
export async function rejectOnAbort<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work()
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Runs work that `signal` may abort. Returns whether it did; an abort is not an error. */
export async function runInterruptible(work: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return signal?.aborted ?? false
}

/** Pages of rows by id, until there are none or `signal` aborts. */
export async function* readPages<Row extends { id: string }>(
  read: (after: string) => PromiseLike<Row[]>,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  for (let after = '0'; !signal?.aborted; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

const PAGES_PER_ANALYZE = 10

/**
 * `readPages` for a long run, with fresh statistics. PostgreSQL analyzes by itself at most once a minute, and never a
 * dry run's copies; until then plans assume an empty table and scan all of it per song.
 */
export function readAnalyzedPages<Row extends { id: string }>(
  db: Database,
  read: (after: string) => PromiseLike<Row[]>,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  let pages = 0
  const readFresh = async (after: string) => {
    if (pages++ % PAGES_PER_ANALYZE === 0) await db`analyze songs, provider_cache`
    return read(after)
  }
  return readPages(readFresh, signal)
}

export const readCount = async (query: PromiseLike<{ songs: number }[]>) => (await query)[0]?.songs ?? 0

/** Whether a service was recently asked about `songs s` in its current state. `facts` is what the answer depends on. */
export const wasAsked = (db: Queryable, provider: string, facts: Fragment) => db`
  exists (select from provider_cache c
          where c.provider = ${provider} and c.key = s.id::text and c.expires_at > now()
            and c.value->>'facts' = ${facts})`

/** Stores for a while that a service was asked about songs in their current state, and its answer. */
export async function markAsked(
  db: Database,
  provider: string,
  songs: { id: string; facts: string }[],
  answer: object = {},
): Promise<void> {
  const entries = new Map(songs.map(({ id, facts }) => [id, { facts, ...answer }]))
  await createProviderCache(db, provider).write(entries, ASK_AGAIN_SECONDS)
}
