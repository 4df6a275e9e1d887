import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packagePath } from '../../server/packagePath.ts'

/*
 * The settings and the goals of the bench that runs: prints each figure with its verdict, decides the exit code, and
 * records the figures in bench/figures/<name>.json.
 */

/** What a figure has to be; an empty one for a figure that is only reported. */
export interface Goal {
  least?: number
  most?: number
}

export interface Figure {
  /** Null when it could not be measured. */
  figure: number | null
  goal?: string
  isMet?: boolean
  least?: number | null
  most?: number | null
}

const name = path.basename(process.argv[1] ?? '', '.ts')
const args = process.argv.slice(2)

/** With `--short` a bench proves in about a minute that it runs and loses nothing. It records nothing. */
export const isShort = args.includes('--short')

/** The part of a bench that has no parts. */
const WHOLE_BENCH = 'all'

const cpus = os.cpus()
const conditions = {
  // A plus sign after the commit means uncommitted changes.
  commit: read('git', 'rev-parse', '--short=10', 'HEAD') + (read('git', 'status', '--porcelain') ? '+' : ''),
  cores: cpus.length,
  cpu: cpus[0]?.model ?? 'unknown',
  date: new Date().toISOString().slice(0, 10),
  loadBefore: load(),
  // The server may run on another version.
  node: read(process.env.SERVER_NODE ?? process.execPath, '--version').replace(/^v/, ''),
}
const settings: Record<string, string> = {}
const figures: Record<string, Record<string, Figure>> = {}
const missedGoals: string[] = []
const failedChecks: string[] = []
const skipped: string[] = []
let currentPart = WHOLE_BENCH

/** A positive number from the environment, or its default; `short` is the default of the short form. */
export function setting(variable: string, usual: number, short = usual): number {
  const text = process.env[variable]
  if (text === undefined) return isShort ? short : usual
  const value = Number(text)
  if (!(value > 0)) refuse(`${variable} must be a positive number.`)
  if (value !== usual) settings[variable] = text
  return value
}

/** Ends the process of a bench that cannot run. */
export function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

/** The parts that the arguments name; without arguments `usual`. */
export function wantedParts<Name extends string>(all: readonly Name[], usual: readonly Name[] = all): Name[] {
  const requests = args.filter((arg) => arg !== '--short')
  if (requests.some((part) => !all.includes(part as Name)))
    refuse(`Usage: npm run bench -- ${name} [--short] [${all.join(' | ')}]`)
  return all.filter((part) => (requests.length === 0 ? usual.includes(part) : requests.includes(part)))
}

/** The figures that follow belong to this part of the bench. */
export function beginPart(part: string): void {
  currentPart = part
}

/** Stores and prints a figure, with its verdict if it has a goal. The median of several rounds counts. */
export function judge(what: string, measured: number | readonly number[], goal: Goal = {}): void {
  const figure = toFigure(measured, goal)
  addFigure(what, figure)
  if (figure.isMet === false) missedGoals.push(nameOf(what))
}

/** Counts what must not happen, such as a lost rating; it fails the short form, too. */
export function judgeCount(what: string, count: number): void {
  const figure = toFigure(count, { most: 0 })
  addFigure(what, figure)
  if (figure.isMet === false) failedChecks.push(nameOf(what))
}

/** A figure that is not a number never meets its goal. */
export function toFigure(measured: number | readonly number[], { least, most }: Goal = {}): Figure {
  const values = [measured].flat()
  const figure = median(values)
  const goal = [least ?? [], most ?? []].flat().length > 0 && {
    goal: [least === undefined ? [] : `at least ${least}`, most === undefined ? [] : `at most ${most}`]
      .flat()
      .join(' and '),
    isMet: figure >= (least ?? Number.NEGATIVE_INFINITY) && figure <= (most ?? Number.POSITIVE_INFINITY),
  }
  const range = values.length > 1 && { least: round(Math.min(...values)), most: round(Math.max(...values)) }
  return { figure: round(figure), ...goal, ...range }
}

/** Three digits are reproducible; counts stay whole. */
function round(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value)
}

function addFigure(what: string, figure: Figure): void {
  figures[currentPart] = { ...figures[currentPart], [what]: figure }
  const { least, most, goal, isMet } = figure
  const range = most === undefined ? '' : ` (${least} to ${most})`
  const verdict = goal ? `, ${goal}: ${isMet ? 'met' : 'MISSED'}` : ''
  console.log(`  ${what}: ${figure.figure ?? 'not measured'}${range}${verdict}`)
}

const nameOf = (what: string) => (currentPart === WHOLE_BENCH ? what : `${currentPart}: ${what}`)

/** A part that this machine cannot run. */
export function skip(part: string, why: string): void {
  skipped.push(`${part} (${why})`)
  console.log(`  skipped: ${why}`)
}

/** Ends the process of a bench that ran to its end. */
export function finish(): never {
  if (Object.keys(figures).length === 0 && !isShort) refuse('Nothing was measured.')
  const run = { ...conditions, loadAfter: load(), settings }
  const file = packagePath(`bench/figures/${name}.json`)
  if (!isShort) record(file, run)
  console.log(`\n${run.cores} cores, load ${run.loadBefore} before and ${run.loadAfter} after.`)
  if (skipped.length > 0) console.log(`Skipped: ${skipped.join(', ')}.`)
  if (isShort) console.log('The short form measures too little to judge figures: only what must be 0 counts.')
  const decisive = isShort ? failedChecks : [...failedChecks, ...missedGoals]
  console.log(decisive.length === 0 ? 'All goals of what ran are met.' : `Not met: ${decisive.join('; ')}.`)
  process.exit(decisive.length === 0 ? 0 : 1)
}

/** Replaces the parts that ran. */
function record(file: string, run: object): void {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const parts = Object.entries(figures).map(([part, each]) => [part, { figures: each, run }])
  const text = JSON.stringify({ ...before, ...Object.fromEntries(parts) }, null, 2)
  // One line for each figure.
  const lines = text.replaceAll(/\{\s+"figure"[^{}]*\}/g, (figure) => figure.replaceAll(/\s*\n\s*/g, ' '))
  writeFileSync(file, `${lines}\n`)
}

/** Runnable processes in the last minute: other programs affect every figure. */
function load(): number {
  return Number((os.loadavg()[0] ?? 0).toFixed(1))
}

/** What a program prints; empty where it cannot run. */
function read(command: string, ...rest: string[]): string {
  try {
    return execFileSync(command, rest, { cwd: packagePath(''), encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}

/** Registers the clean-up of a step. */
export type AddCleanUp = (undo: () => unknown) => void

/** Runs a bench or a part of it, then the registered clean-up, last step first; on a signal, too. */
export async function withCleanUp<T>(act: (later: AddCleanUp) => Promise<T>): Promise<T> {
  const undos: (() => unknown)[] = []
  const undoAll = async () => {
    for (let undo = undos.pop(); undo; undo = undos.pop()) await undo()
  }
  const stop = () => void undoAll().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  try {
    return await act((undo) => void undos.push(undo))
  } finally {
    await undoAll()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  }
}

/** The quantile of a share such as 0.95; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
