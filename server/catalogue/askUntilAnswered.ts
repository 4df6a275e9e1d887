import { setTimeout as wait } from 'node:timers/promises'
import { BadInput } from './fault.ts'

/** How long to wait for a service that does not answer. Longer than its circuit breaker stays open. */
export interface RetryOptions {
  /** Milliseconds between attempts. */
  pause: number
  tries: number
}

export const RETRY: RetryOptions = { pause: 25_000, tries: 4 }

/** So many questions in a row without an answer mean that the service is away. */
const UNANSWERED = 3

/**
 * Retries while `ask` returns undefined.
 * @throws BadInput when the service does not answer; AbortError when `signal` aborts.
 */
export async function askUntilAnswered<T>(
  service: string,
  ask: () => Promise<T | undefined>,
  { pause, tries }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (attempt === tries) {
      throw new BadInput(`${service} does not answer. Try again later. The results so far are kept.`)
    }
    await wait(pause, undefined, { signal })
  }
}

/**
 * Asks a service many questions, each until it is answered. One that is never answered, such as one whose answer
 * arrives broken, gives undefined, so that it does not stop all others.
 * @throws BadInput, from what this returns, when several in a row are not answered; AbortError when `signal` aborts.
 */
export function createAsking(service: string, retry: RetryOptions, signal?: AbortSignal) {
  let unanswered = 0
  return async <T>(ask: () => Promise<T | undefined>): Promise<T | undefined> => {
    const tries = unanswered > 0 ? Math.min(2, retry.tries) : retry.tries
    try {
      const answer = await askUntilAnswered(service, ask, { ...retry, tries }, signal)
      unanswered = 0
      return answer
    } catch (error) {
      if (!(error instanceof BadInput) || ++unanswered >= UNANSWERED) throw error
      return undefined
    }
  }
}
