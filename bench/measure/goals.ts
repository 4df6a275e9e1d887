import path from 'node:path'
import { packageFolder } from '../../server/packageFolder.ts'
import { load, readConditions } from './conditions.ts'
import {
  type BenchRecord,
  describeFigure,
  describeVerdict,
  type Figure,
  type Goal,
  type Measured,
  toFigure,
  WHOLE,
  writeRecord,
} from './record.ts'

/*
 * The settings and the goals of the bench that runs. It prints each figure with its verdict, decides the exit code and
 * records the figures.
 */

const name = path.basename(process.argv[1] ?? '', '.ts')
const conditions = readConditions()
const settings: Record<string, string> = {}
const figures: Record<string, Record<string, Figure>> = {}
const missed: string[] = []
const skipped: string[] = []
let current = WHOLE

/** A positive number from the environment. */
export function setting(variable: string, usual: number): number {
  const text = process.env[variable]
  if (text === undefined) return usual
  const value = Number(text)
  if (!(value > 0)) refuse(`${variable} must be a positive number.`)
  if (value !== usual) noteSetting(variable, value)
  return value
}

/** Records what this run does differently. */
export function noteSetting(what: string, value: number | string): void {
  settings[what] = String(value)
}

/** One of a few words from the environment; the first is the usual one. */
export function choice<Word extends string>(variable: string, words: readonly [Word, ...Word[]]): Word {
  const text = process.env[variable]
  if (text === undefined) return words[0]
  const word = words.find((each) => each === text)
  if (word === undefined) return refuse(`${variable} must be ${words.join(', ')}.`)
  if (word !== words[0]) noteSetting(variable, word)
  return word
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

/** The parts that the arguments name; without arguments all of them. */
export function wantedParts<Name extends string>(all: readonly Name[]): Name[] {
  const asked = process.argv.slice(2)
  if (asked.some((part) => !all.includes(part as Name)))
    refuse(`Usage: npm run bench -- ${name} [${all.join(' | ')}]`)
  return all.filter((part) => asked.length === 0 || asked.includes(part))
}

/** The figures that follow belong to this part of the bench. */
export function beginPart(part: string): void {
  current = part
}

/** Keeps and prints a figure, with its verdict if it has a goal. */
export function judge(what: string, measured: Measured, goal: Goal = {}): void {
  const figure = toFigure(measured, goal)
  const part = figures[current] ?? {}
  figures[current] = part
  part[what] = figure
  if (figure.isMet === false) missed.push(current === WHOLE ? what : `${current}: ${what}`)
  const verdict = figure.goal ? `, ${figure.goal}: ${describeVerdict(figure)}` : ''
  console.log(`  ${what}: ${describeFigure(figure)}${verdict}`)
}

/** A part that this machine cannot run. */
export function skip(part: string, why: string): void {
  skipped.push(part)
  console.log(`  skipped: ${why}`)
}

/** Ends the process of a bench that ran to its end. */
export function finish(): never {
  if (Object.keys(figures).length === 0) refuse('Nothing was measured.')
  const run = {
    ...conditions,
    loadAfter: load(),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  }
  const parts: BenchRecord = Object.fromEntries(
    Object.entries(figures).map(([part, each]) => [part, { figures: each, run }]),
  )
  writeRecord(packageFolder('bench/figures'), name, parts)
  console.log(
    `\n${run.cores} cores, load ${run.loadBefore} before and ${run.loadAfter} after. ` +
      `The figures are in bench/figures/${name}.json.`,
  )
  if (skipped.length > 0) console.log(`Skipped: ${skipped.join(', ')}.`)
  console.log(missed.length === 0 ? 'All goals of what ran are met.' : `Not met: ${missed.join('; ')}.`)
  process.exit(missed.length === 0 ? 0 : 1)
}
