import { setTimeout as wait } from 'node:timers/promises'

/** One part of stopping, and the milliseconds it may take before the next one begins without it. */
export interface Step {
  what: string
  within: number
  end(): Promise<unknown>
  /** What is done to a step that takes too long. */
  force?(): void
}

/**
 * Ends one thing after the other, none of them waited for beyond its bound. Gives what did not end in time or
 * failed, as sentences for the log; nothing when all went well.
 */
export async function endInOrder(steps: readonly Step[]): Promise<string[]> {
  const trouble: string[] = []
  for (const step of steps) {
    const failure = await endOne(step)
    if (failure) trouble.push(failure)
  }
  return trouble
}

async function endOne({ what, within, end, force }: Step): Promise<string | null> {
  const bound = new AbortController()
  const late = wait(within, `${what} did not end within ${within / 1000} s`, {
    signal: bound.signal,
    ref: false,
  })
  const ended = Promise.resolve()
    .then(end)
    .then(
      () => null,
      (error: unknown) => `${what}: ${error instanceof Error ? error.message : String(error)}`,
    )
  const failure = await Promise.race([ended, late.catch(() => null)])
  bound.abort()
  if (failure) force?.()
  return failure
}
