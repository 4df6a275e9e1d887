import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import pRetry from 'p-retry'
import pThrottle from 'p-throttle'
import type { Logger } from 'pino'

export interface ServiceRules {
  /** For the log. */
  name: string
  /** Milliseconds for one request. */
  timeout: number
  /** Milliseconds for an answer, including the wait for the throttle and the retry. */
  totalTimeout: number
  /** Requests per interval (milliseconds), by this process. */
  throttle: { limit: number; interval: number }
}

/** A service's response. `body` is undefined when it is not JSON. */
export interface ServiceResponse {
  status: number
  body: unknown
}

/** A failure is a value. `failure` is for the log and not for listeners. */
export type Reply<T> = { value: T } | { failure: string }

export interface Service {
  /**
   * Sends a request and retries once after a transient failure. `read` turns the response into a value, and throws
   * when it is not an answer.
   */
  ask<T>(url: URL, read: (response: ServiceResponse) => T, init?: RequestInit): Promise<Reply<T>>
}

/** After this many failures in a row, the circuit breaker opens for `pause` milliseconds. */
const BREAKER = { failures: 5, pause: 20_000 }

/** Milliseconds before the retry. */
const RETRY_AFTER = 200

/** Milliseconds to pause after a 429 without Retry-After, and the longest Retry-After that is respected. */
const PAUSE = { usual: 5000, most: 600_000 }

/** Characters of a response. The longest real ones have some hundred thousand. */
const BODY_LIMIT = 2_000_000

/** Calls one outside service with a throttle, a timeout, one retry and a circuit breaker. */
export function createService(rules: ServiceRules, log: Logger): Service {
  const breaker = circuitBreaker(
    handleWhen((error) => !(error instanceof TimedOut)),
    { halfOpenAfter: BREAKER.pause, breaker: new ConsecutiveBreaker(BREAKER.failures) },
  )
  const takeTurn = pThrottle({ ...rules.throttle, strict: true })(async (work: () => Promise<unknown>) =>
    work(),
  )
  let pausedUntil = 0

  async function request<T>(
    url: URL,
    read: (response: ServiceResponse) => T,
    init: RequestInit,
    deadline: AbortSignal,
  ): Promise<T> {
    if (deadline.aborted) throw new TimedOut()
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(rules.timeout)])
    const response = await fetch(url, { ...init, signal, redirect: 'error' }).catch((error: unknown) => {
      if (deadline.aborted) throw new TimedOut()
      throw signal.aborted ? new ServiceFailure('timed out') : new TransientFailure(reasonOf(error))
    })
    if (response.status === 429) {
      pausedUntil = Date.now() + pauseOf(response)
      throw new ServiceFailure('status 429')
    }
    if (response.status >= 500) throw new TransientFailure(`status ${response.status}`)
    return read({ status: response.status, body: parse(await readText(response)) })
  }

  return {
    async ask<T>(
      url: URL,
      read: (response: ServiceResponse) => T,
      init: RequestInit = {},
    ): Promise<Reply<T>> {
      const deadline = AbortSignal.timeout(rules.totalTimeout)
      const attempt = () => {
        if (Date.now() < pausedUntil) throw new ServiceFailure('rate limited')
        return breaker.execute(() => takeTurn(() => request(url, read, init, deadline)) as Promise<T>)
      }
      try {
        const asking = pRetry(attempt, {
          retries: 1,
          minTimeout: RETRY_AFTER,
          shouldRetry: ({ error }) => error instanceof TransientFailure,
        })
        return { value: await Promise.race([asking, expiry(deadline)]) }
      } catch (error) {
        const failure = reasonOf(error)
        log.warn({ service: rules.name, reason: failure }, 'a call to a service failed')
        return { failure }
      }
    },
  }
}

/** Thrown by `read` when the response says that the service cannot answer now. */
export class ServiceFailure extends Error {}

/** A failure that a retry may cure. */
class TransientFailure extends ServiceFailure {}

/** The time was used up while waiting; this says nothing about the service. */
class TimedOut extends Error {
  override message = 'total time limit reached'
}

function expiry(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => reject(new TimedOut()), { once: true })
  })
}

/** Retry-After in seconds or as a date (RFC 9110), as milliseconds from now. */
function pauseOf(response: Response): number {
  const text = response.headers.get('retry-after') ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, PAUSE.most) : PAUSE.usual
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > BODY_LIMIT) throw new ServiceFailure('response too large')
  }
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Never the address: it may contain a key. */
function reasonOf(error: unknown): string {
  if (error instanceof BrokenCircuitError) return 'circuit breaker open'
  if (error instanceof ServiceFailure || error instanceof TimedOut) return error.message
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : null
  return cause ?? error.name
}
