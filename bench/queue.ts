import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { startTestServer } from '../tests/browser/testServer.ts'
import { answerAfter } from '../tests/stand-ins/listen.ts'
import { hearAndSee, type Observed } from './feel/hearAndSee.ts'
import { beginPart, finish, judge, setting } from './measure/goals.ts'
import { makeListener } from './measure/manyBangers.ts'
import { inNewWindow } from './measure/newWindow.ts'
import { quantile } from './measure/spread.ts'

/* From 'Play all' of very many bangers to the sound, and the tasks of the queue's controls. See README.md. */

const BANGERS = setting('BENCH_BANGERS', 10_000)
/** New windows for each kind of first song and each latency. */
const ROUNDS = setting('BENCH_ROUNDS', 5)
const CPU_SLOWDOWN = 4
/** Milliseconds until a stand-in answers. The goals are for the first one. */
const LATENCIES = [0, 300]
/** Milliseconds in which a listener looks at the library before the press, and at a song before the next. */
const LOOKED = 2000
const LISTENED = 700
/** Milliseconds of the pointer on a button before it presses. */
const REACHED = 300
/** Milliseconds. Browsers report tasks from 50 ms on. */
const GOALS = { sound: 1000, task: 50 }
const STEPS = ['Play all', 'Up next', 'N', 'Shuffle'] as const

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  const { state, newest } = await makeListener(app, browser, BANGERS)
  console.log(
    `CPU of the browser slowed ${CPU_SLOWDOWN} times, ${BANGERS} bangers, ${ROUNDS} new windows of each kind`,
  )
  for (const latency of LATENCIES) {
    answerAfter(latency)
    const taken: Record<string, Taken[]> = {}
    for (let round = 0; round < ROUNDS * 2; round++) {
      const kind = round % 2 ? 'video' : 'preview'
      await app.db`
        update songs set youtube_id = case when ${kind} = 'video' then lpad(id::text, 11, '_') end
        where id = ${newest}`
      await inNewWindow(browser, { baseURL: app.url, state, slowed: CPU_SLOWDOWN }, async (page) => {
        await openLibrary(page)
        for (const step of STEPS) {
          const name = step === 'Play all' ? `${step}, a ${kind} first` : step
          const steps = taken[name] ?? []
          steps.push(await take(page, step))
          taken[name] = steps
          await sleep(LISTENED)
        }
      })
    }
    console.log(`\nstand-ins answer after ${latency} ms`)
    beginPart(`answers after ${latency} ms`)
    report(taken, latency === LATENCIES[0])
  }
} finally {
  await close()
}
finish()

interface Taken {
  /** Milliseconds from the press to the sound, or to the frame with the dialog. */
  ms: number
  /** The durations of long tasks from the press until then. */
  tasks: number[]
}

/** The first press of a kind in this window, until its effect. */
async function take(page: Page, step: (typeof STEPS)[number]): Promise<Taken> {
  if (step === 'N') await page.keyboard.press('n')
  else await pressAt(page, step)
  const effect = step === 'Up next' ? 'dialog' : 'sound'
  const seen = await page.waitForFunction(
    (name) => (window as unknown as { observed: Observed }).observed[name as 'dialog' | 'sound'],
    effect,
    { timeout: 60_000 },
  )
  const ms = Number(await seen.jsonValue())
  const tasks = await page.evaluate(
    (until) => (window as unknown as { longTasks(until: number): number[] }).longTasks(until),
    ms,
  )
  if (effect === 'dialog') {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  return { ms, tasks }
}

/** Presses a button that the pointer is on: to find and to reach it is not part of what is measured. */
async function pressAt(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).hover()
  await sleep(REACHED)
  await page.mouse.down()
  await page.mouse.up()
}

/** Runs in the page: keeps `window.longTasks`, the durations of tasks from the last press until `until` ms after it. */
function watchTasks(): void {
  let pressed = 0
  const entries: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()))
  observer.observe({ type: 'longtask' })
  const press = ({ timeStamp }: Event) => {
    pressed = timeStamp
  }
  addEventListener('keydown', press, true)
  addEventListener('pointerdown', press, true)
  Object.assign(window, {
    longTasks: (until: number) => {
      entries.push(...observer.takeRecords())
      return entries
        .filter(({ startTime, duration }) => startTime + duration > pressed && startTime < pressed + until)
        .map(({ duration }) => duration)
    },
  })
}

function report(taken: Record<string, Taken[]>, isJudged: boolean): void {
  for (const [name, all] of Object.entries(taken)) {
    const times = all.map(({ ms }) => ms)
    const longest = all.map(({ tasks }) => Math.max(0, ...tasks))
    const effect = name === 'Up next' ? 'dialog' : 'sound'
    const sound = isJudged && effect === 'sound' ? { most: GOALS.sound } : {}
    judge(`${name}, to ${effect}, ms, median`, times, sound)
    judge(`${name}, to ${effect}, ms, p95`, quantile(times, 0.95), sound)
    // The longest of all counts.
    const task = { figure: Math.max(...longest), range: longest }
    judge(`${name}, longest task, ms`, task, isJudged ? { most: GOALS.task } : {})
  }
}

/** My Library, complete, as a listener has it before the press. */
async function openLibrary(page: Page): Promise<void> {
  // tsx marks functions with it, also those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(hearAndSee)
  await page.addInitScript(watchTasks)
  await page.goto('/')
  await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
  await page.keyboard.press('2')
  await page.getByRole('button', { name: 'Play all', disabled: false }).waitFor()
  // Loads what the bench itself waits with, which would delay the first press.
  await page.waitForFunction(() => true)
  await sleep(LOOKED)
}

async function close(): Promise<void> {
  await browser.close()
  await app.close()
}
