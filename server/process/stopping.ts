import { setTimeout as wait } from 'node:timers/promises'

/** One step of shutdown, with the milliseconds that it may take. */
export interface Step {
  what: string
  within: number
  end(): Promise<unknown>
  /** Called when the step takes too long. */
  force?(): void
}

/** Runs the steps in order, each within its limit. Returns a sentence for each step that failed or timed out. */
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
