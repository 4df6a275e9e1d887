import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { createSession } from '../../server/auth/sessions.ts'
import { failuresOf } from '../../server/http/apiDocument/openApi.ts'
import { anyRequest, type Plan, type PreparedRequest, writeRequest } from '../harness/anyRequest.ts'
import { CALLS } from '../harness/calls.ts'
import { INTERNALS } from '../harness/findSecrets.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { makeOwnerFixture, type OwnerFixture } from '../harness/ownerFixture.ts'
import { readContract } from '../harness/readContract.ts'
import { type RawAnswer, request } from '../harness/request.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { SEED, scaled, TEST_ALL } from '../harness/tier.ts'
import { visitorAt } from '../harness/visitor.ts'
import { listen } from '../stand-ins/behaviour.ts'
import { startOutside } from '../stand-ins/outside.ts'

/*
 * Every request, valid or not, gets a correct response that reveals no internals (calls-6).
 * Requests are generated from the contract's shapes with a seed: FUZZ_SEED=… repeats a run, FUZZ_REQUESTS=… makes
 * it longer.
 */

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? scaled(400, 4_000))
/** Concurrent requests. */
const BATCH = 40
/** Milliseconds until a request counts as hung; a call itself has five seconds. */
const ANSWER_TIMEOUT = 30_000
/** How often a request is retried after a 503 with Retry-After: this machine may be busy. */
const MAX_RETRIES = 5
/** Bytes that the heap may grow by during the second half of the requests. */
const MAX_HEAP_GROWTH = 24 * 1024 * 1024

/** How many generated requests reached a handler; the wrapped `route` counts them. */
const counts = vi.hoisted(() => ({ reached: 0 }))

vi.mock('../../server/http/route.ts', async (original) => {
  const { USER_AGENT } = await import('../harness/anyRequest.ts')
  const { route, ...rest } = await original<typeof import('../../server/http/route.ts')>()
  const counting: typeof route = (endpoint, handle) =>
    route(endpoint, (call, context) => {
      if (call.exchange.userAgent === USER_AGENT) counts.reached += 1
      return handle(call, context)
    })
  return { ...rest, route: counting }
})

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env, { callsPerMinute: Number.MAX_SAFE_INTEGER })
const endpoints = await readContract()
const succeeded = new Set<Endpoint>()
let fixtures: OwnerFixture[]
let canary: { url: string; visits: number; close: () => Promise<void> }

beforeAll(async () => {
  const standIn = await listen((_, answer) => {
    canary.visits += 1
    answer.end()
  })
  canary = { url: `http://127.0.0.1:${standIn.port}/`, visits: 0, close: standIn.close }
  // A limit that a test has reached on purpose stays reached, so that it can be cleared.
  await app.db`
    create function forget_counts() returns trigger language plpgsql as
      'begin if new.count < 100 then new.count := 1; end if; return new; end'`
  await app.db`
    create trigger forget_counts before update on limit_counters
    for each row execute function forget_counts()`
  fixtures = await Promise.all(Array.from({ length: 4 }, () => makeOwnerFixture(app)))
  await warmUpPictures((fixtures[0] as OwnerFixture).owner)
})
afterAll(() => canary.close())

test(`${REQUESTS} requests, seed ${SEED}: no 5xx, no hang, no stack trace, and memory is stable`, async () => {
  const runs = Math.ceil(REQUESTS / BATCH)
  const heap: number[] = []
  await sendAny(endpoints, Math.ceil(runs / 2))
  heap.push(usedHeap())
  await sendAny(endpoints, Math.floor(runs / 2))
  heap.push(usedHeap())
  const handled = counts.reached
  const [half = 0, end = 0] = heap
  console.log(
    `${runs * BATCH} requests, seed ${SEED}: ${handled} reached a handler, heap ${mebibytes(half)} to ${mebibytes(end)} MiB`,
  )

  expect(handled / (runs * BATCH)).toBeGreaterThan(0.3)
  expect(end - half).toBeLessThan(MAX_HEAP_GROWTH)
  expect(canary.visits, 'visits to an address that a listener gave').toBe(0)
  // A busy machine may miss a deadline, and says so.
  const deadline = /took too long. Please try again/
  expect(app.errors.filter((line) => !deadline.test(line))).toEqual([])

  // 400 requests miss the rare success of some calls; everyCall.test.ts proves each of them.
  if (!TEST_ALL) return
  // A random run may miss the rare success of a call, such as one that needs a share token.
  const without = () => endpoints.filter((endpoint) => !succeeded.has(endpoint))
  for (let round = 0; round < 10 && without().length > 0; round++) {
    // Earlier requests have ended the share links.
    fixtures = [await makeOwnerFixture(app)]
    await sendAny(without(), 5)
  }
  expect(without().map(({ path }) => path)).toEqual([])
}, 1_200_000)

let rounds = 0

/** Sends that many batches of random requests to these endpoints. */
async function sendAny(to: readonly Endpoint[], numRuns: number): Promise<void> {
  const batch = fc.array(anyRequest(to, CALLS), { minLength: BATCH, maxLength: BATCH })
  const property = fc.asyncProperty(batch, async (plans) => void (await Promise.all(plans.map(send))))
  // Requests change the fixtures, so shrinking would test something else: the message contains the request.
  const seed = SEED + rounds++
  await fc.assert(property, { seed, numRuns, endOnFailure: true, asyncReporter: reportFailure })
}

async function send(plan: Plan): Promise<void> {
  const preparedRequest = await prepare(plan)
  let answer = await sendRequest(preparedRequest)
  for (let retry = 0; isBusy(answer) && retry < MAX_RETRIES; retry++) {
    await wait(1000)
    answer = await sendRequest(preparedRequest)
  }
  const summary = `${preparedRequest.method} ${preparedRequest.path} ${JSON.stringify({ headers: preparedRequest.headers, body: preparedRequest.body })}\n${answer.status} ${answer.text.slice(0, 500)}`
  // 502 means that an outside service timed out on a busy machine, which is a valid response.
  if (answer.status >= 500 && answer.status !== 502)
    throw new Error(`A server error:\n${summary}\n${app.errors.at(-1)}`)
  if (answer.status < 400) {
    if (!plan.mutation) succeeded.add(plan.endpoint)
    if (!plan.mutation && plan.endpoint.response) z.parse(plan.endpoint.response, JSON.parse(answer.text))
    return
  }
  if (isUndocumented(plan, answer.status))
    throw new Error(`The API document does not name this status:\n${summary}`)
  // Some calls always reject.
  if (answer.status === CALLS[`${plan.endpoint.method} ${plan.endpoint.path}`]?.ownerStatus)
    succeeded.add(plan.endpoint)
  if (INTERNALS.test(answer.text)) throw new Error(`The response reveals internals:\n${summary}`)
  if (preparedRequest.method === 'HEAD') return
  const parsed = Refusal.safeParse(JSON.parse(answer.text))
  if (!parsed.success) throw new Error(`An error has a message and nothing else:\n${summary}`)
}

/** Reports the one request that failed instead of the whole batch. */
async function reportFailure({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<[Plan[]]>) {
  if (failed) throw new Error(`Seed ${seed}, batch ${counterexamplePath}.`, { cause: errorInstance })
}

/** A request with another path or method is not a call of this endpoint. */
const isUndocumented = ({ endpoint, mutation }: Plan, status: number) =>
  mutation?.kind !== 'path' && mutation?.kind !== 'method' && !failuresOf(endpoint).includes(status)

const isBusy = ({ status, headers }: RawAnswer) => status === 503 && headers['retry-after'] !== undefined

async function sendRequest({ path, ...init }: PreparedRequest): Promise<RawAnswer> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`No answer: ${JSON.stringify({ path, ...init })}`)),
      ANSWER_TIMEOUT,
    )
  })
  try {
    return await Promise.race([request(`${app.url}${path}`, init), timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function prepare(plan: Plan): Promise<PreparedRequest> {
  const { endpoint, caller, turn } = plan
  const row = CALLS[`${endpoint.method} ${endpoint.path}`] ?? {}
  const fixture = row.consumes
    ? await makeThrowawayFixture()
    : (fixtures[turn % fixtures.length] as OwnerFixture)
  const input = (await row.input?.(fixture)) ?? {}
  const cookie = {
    listener: `session=${fixture.owner.cookies.get('session')}`,
    forger: 'session=made-up',
    visitor: '',
  }
  return writeRequest(plan, input, row, { cookie: cookie[caller], canary: canary.url })
}

let throwawayCount = 0

/** A new listener for calls that delete the account; created without the sign-in calls. */
async function makeThrowawayFixture(): Promise<OwnerFixture> {
  const email = `throwaway-${++throwawayCount}@example.test`
  const [user] = await app.db<{ id: string }[]>`insert into users (email) values (${email}) returning id`
  const id = user?.id ?? ''
  await app.db`insert into listener_stats (user_id) values (${id})`
  const cookies = new Map([['session', (await createSession(app.db, id, null)) ?? '']])
  return { ...(fixtures[0] as OwnerFixture), owner: { ...visitorAt(app.url, cookies), id, email } }
}

const Refusal = z.strictObject({ message: z.string().check(z.minLength(1)) })

function usedHeap(): number {
  setFlagsFromString('--expose_gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
