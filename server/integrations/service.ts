import { setTimeout as wait } from 'node:timers/promises'
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleType,
  handleWhen,
  retry,
} from 'cockatiel'
import type { Logger } from 'pino'
import type { Queryable } from '../db/connection.ts'
import { openBreakers, serviceCalls } from '../processMetrics.ts'
import { createRateLimiter, type Throttle } from './rateLimiter.ts'

export interface ServiceRules {
  /** For the log. Services of one name share their rate limit. */
  name: string
  /** Milliseconds for one request. */
  timeout: number
  /** Milliseconds for an answer, including the wait for a turn and the retry. */
  totalTimeout: number
  /** Shared by all processes; null for none. */
  throttle: Throttle | null
  /** Characters of a response; two million by default. Bytes of a picture. */
  bodyLimit?: number
  /** Responses are pictures or text and not JSON: `body` is a Buffer. */
  isBinary?: boolean
  /** The address that a redirect may lead to; null when it may not. By default no redirect is followed. */
  follow?: (to: URL) => URL | null
  /** Statuses that request a pause, besides 429. */
  pauseStatuses?: readonly number[]
  /**
   * Waits for the end of a pause, within `totalTimeout`, instead of failing at once: for services that no listener
   * waits for.
   */
  isPatient?: boolean
  /** Whether a transient failure is retried once; true by default. Not where a second request does something twice. */
  retries?: boolean
}

/** A service's response. `body` is undefined when it is not JSON. */
export interface ServiceResponse {
  status: number
  /** The Content-Type; empty when unknown. */
  type: string
  /** The Content-Length; 0 when unknown. */
  length: number
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
const RETRY_DELAY = 200

/** Milliseconds to pause after a 429 without Retry-After, and the longest Retry-After that is respected. */
const PAUSE = { default: 5000, max: 600_000 }

/** The longest real responses have some hundred thousand characters. */
const MAX_BODY_SIZE = 2_000_000

/** archive.org needs two. */
const MAX_REDIRECTS = 3

/** Calls one outside service with a throttle, a timeout, one retry and a circuit breaker. */
export function createService(log: Logger, db: Queryable, rules: ServiceRules): Service {
  const breaker = circuitBreaker(
    handleWhen((error) => !(error instanceof TimeLimitReached)),
    { halfOpenAfter: BREAKER.pause, breaker: new ConsecutiveBreaker(BREAKER.failures) },
  )
  const retries = retry(handleType(TransientFailure), {
    maxAttempts: rules.retries === false ? 0 : 1,
    backoff: new ConstantBackoff(RETRY_DELAY),
  })
  const service = rules.name
  openBreakers.set({ service }, 0)
  breaker.onStateChange((state) => openBreakers.set({ service }, state === CircuitState.Closed ? 0 : 1))
  retries.onRetry(() => serviceCalls.inc({ service, result: 'retried' }))
  const rateLimiter = rules.throttle && createRateLimiter(db, rules.name, rules.throttle)
  let pausedUntil = 0

  async function request<T>(
    url: URL,
    read: (response: ServiceResponse) => T,
    init: RequestInit,
    deadline: Timer,
  ): Promise<T> {
    if (deadline.signal.aborted) throw new TimeLimitReached()
    const timer = startTimer(rules.timeout)
    try {
      return read(await receive(url, init, deadline.signal, timer.signal))
    } finally {
      timer.stop()
    }
  }

  async function receive(
    url: URL,
    init: RequestInit,
    deadline: AbortSignal,
    timeout: AbortSignal,
  ): Promise<ServiceResponse> {
    const signal = AbortSignal.any([deadline, timeout])
    const response = await send(url, { ...init, signal }, rules.follow).catch((error: unknown) => {
      if (deadline.aborted) throw new TimeLimitReached()
      if (error instanceof ServiceFailure) throw error
      throw signal.aborted ? new ServiceFailure('timed out') : new TransientFailure(failureReason(error))
    })
    const { status, headers } = response
    if (status === 429 || rules.pauseStatuses?.includes(status)) {
      await pauseFor(parsePause(headers))
      throw rules.isPatient
        ? new TransientFailure(`status ${status}`)
        : new ServiceFailure(`status ${status}`)
    }
    // This was the last request of the service's time window.
    if (headers.get('x-ratelimit-remaining') === '0' && headers.has(RESET_HEADER))
      await pauseFor(parsePause(headers))
    if (status >= 500) throw new TransientFailure(`status ${status}`)
    const max = rules.bodyLimit ?? MAX_BODY_SIZE
    const body: Promise<unknown> = rules.isBinary
      ? readBytes(response, max)
      : readText(response, max).then(parse)
    return {
      status,
      type: headers.get('content-type') ?? '',
      length: Number(headers.get('content-length') ?? 0),
      body: await body.catch((error: unknown) => {
        throw error instanceof ServiceFailure || signal.aborted
          ? error
          : new TransientFailure(failureReason(error))
      }),
    }
  }

  /** Other processes pause too. If the database does not answer, this one does. */
  async function pauseFor(milliseconds: number): Promise<void> {
    pausedUntil = Date.now() + milliseconds
    await rateLimiter?.pause(milliseconds).catch((error: unknown) => {
      log.warn({ service, reason: failureReason(error) }, 'a pause of a service was not shared')
    })
  }

  async function waitForPauseEnd({ signal }: Timer): Promise<void> {
    const pause = pausedUntil - Date.now()
    if (pause <= 0) return
    if (!rules.isPatient) throw new ServiceFailure('rate limited')
    await waitWithin(signal, pause)
  }

  async function waitForTurn({ signal, until }: Timer): Promise<void> {
    const delay = await rateLimiter?.reserve(Math.max(0, until - Date.now())).catch((error: unknown) => {
      throw new NoTurnInTime(`no turn (${failureReason(error)})`)
    })
    if (delay === null) throw new NoTurnInTime('no turn within the time limit')
    if (delay) await waitWithin(signal, delay)
  }

  /** A pause may begin while a request waits for its turn; it then takes another turn, so that no burst follows. */
  async function runInTurn<T>(work: () => Promise<T>, deadline: Timer): Promise<T> {
    await waitForTurn(deadline)
    if (!rules.isPatient || Date.now() >= pausedUntil) return work()
    await waitForPauseEnd(deadline)
    return runInTurn(work, deadline)
  }

  return {
    async ask<T>(
      url: URL,
      read: (response: ServiceResponse) => T,
      init: RequestInit = {},
    ): Promise<Reply<T>> {
      const deadline = startTimer(rules.totalTimeout)
      const attempt = async () => {
        await waitForPauseEnd(deadline)
        return breaker.execute(() => runInTurn(() => request(url, read, init, deadline), deadline))
      }
      try {
        const result = retries.execute(attempt)
        const value = await Promise.race([result, rejectOnAbort(deadline.signal)])
        serviceCalls.inc({ service, result: 'answered' })
        return { value }
      } catch (error) {
        const failure = failureReason(error)
        serviceCalls.inc({ service, result: 'failed' })
        log.warn({ service, reason: failure }, 'a call to a service failed')
        return { failure }
      } finally {
        deadline.stop()
      }
    },
  }
}

/** Thrown by `read` when the response says that the service cannot answer now. */
export class ServiceFailure extends Error {}

/** A failure that a retry may cure. */
class TransientFailure extends ServiceFailure {}

/** The time was used up while waiting; this says nothing about the service. */
class TimeLimitReached extends Error {
  constructor(message = 'total time limit reached') {
    super(message)
  }
}

/** The rate limit leaves no turn within the time limit, or the database does not answer. */
class NoTurnInTime extends TimeLimitReached {}

interface Timer {
  signal: AbortSignal
  /** When it fires, in milliseconds of the clock. */
  until: number
  stop(): void
}

async function send(url: URL, init: RequestInit, follow: ServiceRules['follow']): Promise<Response> {
  if (!follow) return fetch(url, { ...init, redirect: 'error' })
  let at = url
  for (let left = MAX_REDIRECTS; ; left--) {
    const response = await fetch(at, { ...init, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    const next = left > 0 && URL.canParse(location, at.href) ? follow(new URL(location, at)) : null
    if (!next) throw new ServiceFailure('redirects')
    at = next
  }
}

/** Unlike AbortSignal.timeout it can be stopped, and then no longer keeps the response in memory. */
function startTimer(milliseconds: number): Timer {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), milliseconds)
  const stop = () => clearTimeout(timer)
  return { signal: controller.signal, until: Date.now() + milliseconds, stop }
}

async function waitWithin(signal: AbortSignal, milliseconds: number): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {
    throw new TimeLimitReached()
  })
}

function rejectOnAbort(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => reject(new TimeLimitReached()), { once: true })
  })
}

/** Seconds until ListenBrainz's time window ends: https://listenbrainz.readthedocs.io/en/latest/users/api */
const RESET_HEADER = 'x-ratelimit-reset-in'

/** Retry-After in seconds or as a date (RFC 9110), else the end of the time window, as milliseconds from now. */
function parsePause(headers: Headers): number {
  const text = headers.get('retry-after') ?? headers.get(RESET_HEADER) ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, PAUSE.max) : PAUSE.default
}

async function readText(response: Response, max: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > max) throw new ServiceFailure('response too large')
  }
  return text
}

async function readBytes(response: Response, max: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > max) throw new ServiceFailure('response too large')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Never the address: it may contain a key. */
function failureReason(error: unknown): string {
  if (error instanceof BrokenCircuitError) return 'circuit breaker open'
  if (error instanceof ServiceFailure || error instanceof TimeLimitReached) return error.message
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : null
  return cause ?? error.name
}
