import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { getCurrentUser } from '../contract/auth.ts'
import { listRatings } from '../contract/library.ts'
import type { Database } from '../server/db/connection.ts'
import { answerQuestionnaire, signInRequest } from '../tests/browser/fixtures.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { makeMicrogenre, writeRatings } from '../tests/factories.ts'
import { finish, judge, setting } from './measure/goals.ts'
import { inNewWindow, type State } from './measure/newWindow.ts'

/* How long a listener with very many ratings waits for the profile page and for the library. */

const RATINGS = 10_000
const MICROGENRES = 50
const RUNS = setting('BENCH_RUNS', 9)
const SLOWED = 4
/** Milliseconds. */
const TARGET = 1000

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
try {
  const state = await makeListener(app, browser)
  console.log(
    `A listener with ${RATINGS} ratings, half of them bangers. Chromium, CPU slowed ${SLOWED} times, ` +
      `empty cache, ${RUNS} runs.`,
  )
  for (const [name, open] of [
    ['profile page, from navigation to the list', openProfile],
    ['library, from key press to the list', openLibrary],
  ] as const) {
    const runs: Run[] = []
    for (let i = 0; i <= RUNS; i++)
      runs.push(
        await inNewWindow(browser, { baseURL: app.url, state, slowed: SLOWED }, async (page) => {
          const total = await open(page)
          return { total, ...(await answerOf(page)) }
        }),
      )
    // The first run has a cold server and disk.
    report(name, runs.slice(1))
  }
} finally {
  await browser.close()
  await app.close()
}
finish()

interface Run {
  /** Milliseconds until the list was painted. */
  total: number
  /** Milliseconds and bytes of the response with the ratings, over the wire and decompressed. */
  answer: number
  wire: number
  unpacked: number
}

async function makeListener({ url, db }: TestServer, browser: Browser): Promise<State> {
  const context = await browser.newContext({ baseURL: url })
  await signInRequest(context.request, 'many-ratings@example.org')
  await answerQuestionnaire(context.request)
  const { id } = (await (await context.request.get(getCurrentUser.path)).json()) as { id: string }
  await writeRatings(db, id, await makeSongs(db), (index) => index % 2 === 0)
  while ((await db`select from rating_changes limit 1`).length > 0) await sleep(100)
  await db`vacuum analyze`
  // As in a returning listener's browser, but with an empty cache.
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'BANGER', exact: true }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Texts as long as the catalogue's, four in five with a video. In random order. */
async function makeSongs(db: Database): Promise<string[]> {
  const songs: string[] = []
  for (let i = 0; i < MICROGENRES; i++) songs.push(...(await makeMicrogenre(db, RATINGS / MICROGENRES)).songs)
  await db`
    update songs set title = 'A song of usual length ' || id, artist = 'The ' || id || ' Musicians',
      year = 1970 + id % 50, duration_ms = 180000 + id,
      youtube_id = case when id % 5 > 0 then lpad(id::text, 11, '_') end
    where id = any(${songs}::bigint[])`
  return songs
    .map((id, index) => ({ id, place: (index * 7919) % songs.length }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id)
}

async function openProfile(page: Page): Promise<number> {
  await watchFor(page, '[role="tabpanel"] li', 'navigation')
  await page.goto('/profile', { waitUntil: 'commit' })
  return waited(page)
}

async function openLibrary(page: Page): Promise<number> {
  await watchFor(page, 'ul[aria-label="Your bangers"] li', 'keydown')
  await page.goto('/')
  await page.getByRole('button', { name: 'BANGER', exact: true }).and(page.locator(':enabled')).waitFor()
  await page.waitForLoadState('networkidle', { timeout: 60_000 })
  // At least as long as a song is heard; meanwhile the page prefetches other sections.
  await sleep(3000)
  await page.keyboard.press('2')
  return waited(page)
}

declare global {
  interface Window {
    benchWaited?: number
  }
}

/**
 * Records in the page how long it takes from navigation, or from a key press, until `list` is painted. An
 * intersection observer is notified right after the frame that shows the list, even one that was added in the middle
 * of that frame to measure its place; requestAnimationFrame would see it one frame late. A string, because the
 * compiler of this file adds names that a page does not have.
 */
async function watchFor(page: Page, list: string, from: 'navigation' | 'keydown'): Promise<void> {
  const watch = `(start) => {
    const shown = new IntersectionObserver(() => {
      shown.disconnect()
      window.benchWaited = performance.now() - start
    })
    const added = new MutationObserver(() => {
      const first = document.querySelector(${JSON.stringify(list)})
      if (!first) return
      added.disconnect()
      shown.observe(first)
    })
    added.observe(document, { childList: true, subtree: true })
  }`
  await page.addInitScript({
    content:
      from === 'navigation'
        ? `(${watch})(0)`
        : `addEventListener('keydown', (event) => (${watch})(event.timeStamp), { capture: true, once: true })`,
  })
}

async function waited(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.benchWaited, undefined, { timeout: 60_000 })
  return (await handle.jsonValue()) ?? 0
}

async function answerOf(page: Page): Promise<Omit<Run, 'total'>> {
  const calls = await page.evaluate(
    (path) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname === path)
        .map((entry) => entry.toJSON() as PerformanceResourceTiming),
    listRatings.path,
  )
  return {
    answer: Math.max(0, ...calls.map(({ duration }) => duration)),
    wire: calls.reduce((sum, { transferSize }) => sum + transferSize, 0),
    unpacked: calls.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
  }
}

function report(name: string, runs: Run[]): void {
  const of = (what: keyof Run) => runs.map((run) => run[what])
  judge(`${name}, ms`, of('total'), { under: TARGET })
  judge(`${name}, ms of which for the response`, of('answer'))
  judge(
    `${name}, response, KiB`,
    of('wire').map((bytes) => bytes / 1024),
  )
  judge(
    `${name}, decompressed, KiB`,
    of('unpacked').map((bytes) => bytes / 1024),
  )
}
