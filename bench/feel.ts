import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { signIn } from '../tests/browser/fixtures.ts'
import { startTestServer, type TestServer } from '../tests/browser/testServer.ts'
import { answerAfter } from '../tests/stand-ins/listen.ts'
import { hearAndSee, type Observed } from './feel/hearAndSee.ts'
import { finish, judge, setting } from './measure/goals.ts'
import { median, quantile } from './measure/spread.ts'

/* From the key of a rating to the sound of the next song, and from a press to the picker. See README.md. */

const ROUNDS = setting('BENCH_ROUNDS', 3)
/** Ratings and pickers in one round of one kind of songs. */
const PRESSES = setting('BENCH_PRESSES', 10)
const CPU_SLOWDOWN = 4
const LATENCY = 300
/** Milliseconds that a song plays before it is rated. */
const LISTENED = 500
const SOUND = { median: 1300, p95: 1600 }
const PICKER = { p95: 100 }
/** Verdict and pause (discover-10), less the precision of timers. Sound before it belongs to no song on screen. */
const EARLIEST = 1190

/** Every how many songs one has no video, and plays as a preview. */
const kinds = { previews: 1, videos: 1000, both: 2 }

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
/** Sounds that no song on screen can have. */
let early = 0
/** Milliseconds between a song on screen and its sound. */
const silences: number[] = []
try {
  console.log(`CPU of the browser slowed ${CPU_SLOWDOWN} times; stand-ins answer after ${LATENCY} ms.`)
  answerAfter(LATENCY)
  const sounds: Measured = new Map()
  const pickers: Measured = new Map()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, every] of Object.entries(kinds)) {
      const page = await openPlayer(browser, app, await addMicrogenre(app, `${kind} ${round}`, every))
      await measureSound(page, round, sounds)
      if (kind === 'videos') await measurePicker(page, round, pickers)
      await page.context().close()
    }
  }
  judgeTimes(sounds, SOUND)
  judge('of which after the song is on screen, ms', silences)
  judge('sounds before the pause has ended', early, { most: 0 })
  judgeTimes(pickers, PICKER)
} finally {
  await browser.close()
  await app.close()
}
finish()

async function measureSound(page: Page, round: number, into: Measured): Promise<void> {
  let last = await soundOf(page)
  for (let n = 0; n < PRESSES; n++) {
    await sleep(LISTENED)
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    const next = await soundOf(page)
    if (next.sound < EARLIEST) early++
    keep(into, `${last.source} to ${next.source}, key to sound`, round, next.sound)
    silences.push(next.sound - next.song)
    last = next
  }
}

async function soundOf(page: Page): Promise<Required<Observed>> {
  const heard = await page.waitForFunction(
    () => (window as unknown as { observed: Observed }).observed.sound !== undefined && window,
  )
  return heard.evaluate((window) => (window as unknown as { observed: Required<Observed> }).observed)
}

/** The first one of a page too, once the page has been idle for some seconds. */
async function measurePicker(page: Page, round: number, into: Measured): Promise<void> {
  await sleep(4000)
  const button = page.getByRole('button', { name: /^Currently listening to/ })
  for (let n = 0; n < PRESSES; n++) {
    await button.focus()
    if (n % 2) await button.click()
    else await page.keyboard.press('Enter')
    const seen = await page.waitForFunction(
      () => (window as unknown as { observed: Observed }).observed.dialog,
    )
    keep(into, n ? 'press to picker' : 'press to the first picker', round, Number(await seen.jsonValue()))
    await sleep(LISTENED)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

/** The times of each round, by what was measured. */
type Measured = Map<string, number[][]>

function keep(into: Measured, name: string, round: number, ms: number): void {
  const rounds = into.get(name) ?? Array.from({ length: ROUNDS }, () => [])
  rounds[round]?.push(ms)
  into.set(name, rounds)
}

function judgeTimes(measured: Measured, goals: { median?: number; p95: number }): void {
  for (const [name, rounds] of measured) {
    const all = rounds.flat()
    console.log(
      `${all.length} times, medians of rounds ${rounds.map((each) => Math.round(median(each))).join(', ')}`,
    )
    judge(`${name}, ms, median`, all, { most: goals.median })
    judge(`${name}, ms, p95`, quantile(all, 0.95), { most: goals.p95 })
  }
}

/** Songs with videos, except one of `every`. */
async function addMicrogenre({ db }: TestServer, name: string, every: number): Promise<string> {
  const songs = PRESSES + 6
  const [row] = await db<{ id: string }[]>`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    values (${name}, ${name}, 'bench', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}', ${songs}, ${songs})
    returning id::text`
  const id = row?.id ?? ''
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, youtube_id)
    select ${name}::text || '/' || n, 'import', ${id}, n, ${name}::text || ' ' || n, 'The Stand-ins',
      case when (n + 1) % ${every}::int > 0 then 'f' || lpad(${id}::text || lpad(n::text, 3, '0'), 10, '0') end
    from generate_series(0, ${songs - 1}::int) as n`
  return id
}

/** A new listener at the first song of the microgenre. */
async function openPlayer(browser: Browser, { url }: TestServer, microgenreId: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  // tsx marks functions with it, also those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(hearAndSee)
  await signIn(page)
  await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
  // A press, so that the browser allows sound.
  await page.keyboard.press('Shift')
  await page.evaluate(
    (id) => window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId: id } })),
    microgenreId,
  )
  await page.getByRole('heading', { name: / \d+$/ }).waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return page
}
