import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { answerAfter } from '../tests/stand-ins/behaviour.ts'
import { addMicrogenre, CPU_SLOWDOWN, observe, openPlayer, startApp } from './feel/player.ts'
import {
  type AddCleanUp,
  finish,
  judge,
  judgeCount,
  quantile,
  setting,
  withCleanUp,
} from './measure/report.ts'

/* From the key of a rating to the sound of the next song, and from a press to the picker. See README.md. */

const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
/** Ratings and pickers in one round of one kind of songs. */
const PRESSES = setting('BENCH_PRESSES', 10, 4)
const STAND_IN_LATENCY = 300
/** Milliseconds that a song plays before it is rated. */
const LISTENING_PAUSE = 500
const SOUND_GOALS = { median: 1300, p95: 1600 }
const PICKER = { p95: 100 }
/** Verdict and pause (discover-10), less the precision of timers. Sound before it belongs to no song on screen. */
const EARLIEST_SOUND = 1190

/** Every how many songs one has no video, and plays as a preview. */
const KINDS = { previews: 1, videos: 1000, both: 2 }

await withCleanUp(measure)
finish()

/** All times in ms, by what was measured. */
type Times = Record<string, number[]>

async function measure(later: AddCleanUp): Promise<void> {
  const { app, browser } = await startApp(later)
  console.log(
    `CPU of the browser slowed ${CPU_SLOWDOWN} times; stand-ins answer after ${STAND_IN_LATENCY} ms.`,
  )
  answerAfter(STAND_IN_LATENCY)
  const sounds: Times = {}
  const pickers: Times = {}
  /** Between a song on screen and its sound. */
  const silences: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, every] of Object.entries(KINDS)) {
      const microgenre = await addMicrogenre(app, `${kind} ${round}`, PRESSES + 6, every)
      const page = await openPlayer(browser, app, microgenre)
      silences.push(...(await measureSound(page, sounds)))
      if (kind === 'videos') await measurePicker(page, pickers)
      await page.context().close()
    }
  }
  judgeTimes(sounds, SOUND_GOALS)
  judge('of which after the song is on screen, ms', silences)
  const earlySounds = Object.values(sounds)
    .flat()
    .filter((ms) => ms < EARLIEST_SOUND)
  judgeCount('sounds before the pause has ended', earlySounds.length)
  judgeTimes(pickers, PICKER)
}

async function measureSound(page: Page, sounds: Times): Promise<number[]> {
  const silences: number[] = []
  let last = await observe(page, 'sound')
  for (let n = 0; n < PRESSES; n++) {
    await wait(LISTENING_PAUSE)
    await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
    await page.keyboard.press(n % 2 ? 'ArrowLeft' : 'ArrowRight')
    const next = await observe(page, 'sound')
    keep(sounds, `${last.source} to ${next.source}, key to sound`, next.sound)
    silences.push((next.sound ?? Number.NaN) - (next.song ?? Number.NaN))
    last = next
  }
  return silences
}

/** The first one of a page too, once the page has been idle for some seconds. */
async function measurePicker(page: Page, pickers: Times): Promise<void> {
  await wait(4000)
  const button = page.getByRole('button', { name: /^Currently listening to/ })
  for (let n = 0; n < PRESSES; n++) {
    await button.focus()
    if (n % 2) await button.click()
    else await page.keyboard.press('Enter')
    const { dialog } = await observe(page, 'dialog')
    keep(pickers, n ? 'press to picker' : 'press to the first picker', dialog)
    await wait(LISTENING_PAUSE)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

function keep(times: Times, name: string, ms = Number.NaN): void {
  times[name] = [...(times[name] ?? []), ms]
}

function judgeTimes(times: Times, goals: { median?: number; p95: number }): void {
  for (const [name, all] of Object.entries(times)) {
    judge(`${name}, ms, median`, all, { most: goals.median })
    judge(`${name}, ms, p95`, quantile(all, 0.95), { most: goals.p95 })
  }
}
