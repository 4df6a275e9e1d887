import { setTimeout as wait } from 'node:timers/promises'
import { BadInput } from '../badInput.ts'

/** How long to wait for a service that does not answer. Longer than its circuit breaker stays open. */
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

/** Seconds until a service is asked again what it did not know. */
export const ASK_AGAIN_SECONDS = 30 * 24 * 3600

/** So many questions in a row without an answer mean that the service is away. */
const MAX_UNANSWERED = 3

type Failure = { error: unknown } | undefined
type Answered<T> = Exclude<T, Failure>

/** Asks a service, by its name, until it answers. */
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
    if (attempt === tries) {
      throw new BadInput(`${service} does not answer. Try again later. The results so far are kept.`)
    }
    await wait(pause, undefined, { signal })
  }
}

const isAnswered = <T>(answer: T): answer is Answered<T> =>
  answer !== undefined && !(typeof answer === 'object' && answer !== null && 'error' in answer)

/**
 * Asks services many questions, each until it is answered. One that is never answered, such as one whose answer
 * arrives broken, gives undefined, so that it does not stop all others.
 * @throws BadInput, from what this returns, when a service leaves several in a row unanswered; AbortError when `signal`
 * aborts.
 */
export function createAsk({ signal, retry = DEFAULT_RETRY }: ServiceOptions): Ask {
  const unanswered = new Map<string, number>()
  return async (service, question) => {
    const before = unanswered.get(service) ?? 0
    const tries = before > 0 ? Math.min(2, retry.tries) : retry.tries
    try {
      const answer = await askUntilAnswered(service, question, { signal, retry: { ...retry, tries } })
      unanswered.set(service, 0)
      return answer
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      unanswered.set(service, (unanswered.get(service) ?? 0) + 1)
      if ((unanswered.get(service) ?? 0) >= MAX_UNANSWERED) throw error
      return undefined
    }
  }
}

/** Does work that a signal may stop. Returns whether it did: a stop in the middle is no failure. */
export async function runInterruptible(work: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  return signal?.aborted ?? false
}
