import { setTimeout as wait } from 'node:timers/promises'
import { BadInput } from './fault.ts'

/** How long to wait for a service that does not answer. Longer than its circuit breaker stays open. */
export interface RetryOptions {
  /** Milliseconds between attempts. */
  pause: number
  tries: number
}

export const RETRY: RetryOptions = { pause: 25_000, tries: 4 }

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
