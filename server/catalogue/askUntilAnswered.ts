import { setTimeout as wait } from 'node:timers/promises'
import { BadInput } from './fault.ts'

/** A service that does not answer gets some time to come back: longer than it is left alone after failures. */
export interface Patience {
  /** Milliseconds between two tries. */
  pause: number
  tries: number
}

export const PATIENCE: Patience = { pause: 25_000, tries: 4 }

/**
 * Asks again while `ask` gives undefined.
 * @throws BadInput when the service stays away; AbortError when `signal` says so meanwhile.
 */
export async function askUntilAnswered<T>(
  service: string,
  ask: () => Promise<T | undefined>,
  { pause, tries }: Patience,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (attempt === tries) {
      throw new BadInput(`${service} does not answer. Try again later: what was found out so far is kept.`)
    }
    await wait(pause, undefined, { signal })
  }
}
