import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Conditions } from './conditions.ts'
import { median } from './spread.ts'

/* What a bench measured last, in a file that is tracked: bench/figures/<name>.json. */

/** What a figure has to be; an empty one for a figure that is only reported. */
export interface Goal {
  least?: number
  most?: number
  under?: number
}

/** A value; the values of rounds, of which the median counts; or what counts with the range that it comes from. */
export type Measured = number | readonly number[] | { figure: number; range: readonly number[] }

export interface Figure {
  /** Null when it could not be measured. */
  figure: number | null
  goal?: string
  isMet?: boolean
  least?: number | null
  most?: number | null
}

export interface Run extends Conditions {
  loadAfter: number
  /** The settings that are not the usual ones. */
  settings?: Record<string, string>
}

export interface Part {
  figures: Record<string, Figure>
  run: Run
}

/** By the parts of a bench, which can run alone. */
export type BenchRecord = Record<string, Part>

/** The part of a bench that has no parts. */
export const WHOLE = 'all'

/** A figure that is not a number never meets its goal. */
export function toFigure(measured: Measured, goal: Goal = {}): Figure {
  const { figure, range } = inFull(measured)
  const text = describeGoal(goal)
  return {
    figure: rounded(figure),
    ...(text ? { goal: text, isMet: meets(figure, goal) } : {}),
    ...(range.length > 1 ? { least: rounded(Math.min(...range)), most: rounded(Math.max(...range)) } : {}),
  }
}

function inFull(measured: Measured): { figure: number; range: readonly number[] } {
  if (typeof measured === 'number') return { figure: measured, range: [] }
  return 'figure' in measured ? measured : { figure: median(measured), range: measured }
}

function meets(figure: number, { least, most, under }: Goal): boolean {
  return (
    !Number.isNaN(figure) &&
    (least === undefined || figure >= least) &&
    (most === undefined || figure <= most) &&
    (under === undefined || figure < under)
  )
}

function describeGoal({ least, most, under }: Goal): string {
  if (least !== undefined && least === most) return `exactly ${shown(least)}`
  return [
    least === undefined ? [] : `at least ${shown(least)}`,
    most === undefined ? [] : `at most ${shown(most)}`,
    under === undefined ? [] : `under ${shown(under)}`,
  ]
    .flat()
    .join(' and ')
}

/** Three digits say what can be repeated; counts stay whole. */
function rounded(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value)
}

/** '51.8 (45.5 to 70.8)'. */
export function describeFigure({ figure, least, most }: Figure): string {
  const range = least === undefined || most === undefined ? '' : ` (${shown(least)} to ${shown(most)})`
  return `${shown(figure)}${range}`
}

export function describeVerdict({ isMet }: Figure): string {
  return isMet === undefined ? '' : isMet ? 'met' : 'MISSED'
}

const shown = (value: number | null) =>
  value === null ? 'not measured' : value.toLocaleString('en', { maximumFractionDigits: 6 })

/** Replaces the parts that ran. */
export function writeRecord(folder: string, name: string, parts: BenchRecord): void {
  mkdirSync(folder, { recursive: true })
  const record = { ...readRecord(folder, name), ...parts }
  // One line for each figure.
  const lines = JSON.stringify(record, sortKeys, 2).replaceAll(/\{\s+"figure"[^{}]*\}/g, (figure) =>
    figure.replaceAll(/\s*\n\s*/g, ' '),
  )
  writeFileSync(fileOf(folder, name), `${lines}\n`)
}

function readRecord(folder: string, name: string): BenchRecord {
  const file = fileOf(folder, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BenchRecord) : {}
}

const fileOf = (folder: string, name: string) => path.join(folder, `${name}.json`)

const sortKeys = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const COLUMNS = ['bench', 'what', 'goal', 'figure', 'verdict', 'machine', 'Node', 'commit', 'date']

/** One table of the last figures of all benches. */
export function tableOf(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const names = files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
  const rows = names.flatMap((name) =>
    Object.entries(readRecord(folder, name)).flatMap(([part, { figures, run }]) =>
      Object.entries(figures).map(([what, figure]) => [
        part === WHOLE ? name : `${name} ${part}`,
        what,
        figure.goal ?? '',
        describeFigure(figure),
        describeVerdict(figure),
        ...describeRun(run),
      ]),
    ),
  )
  if (rows.length === 0) return 'No figures are recorded yet.'
  const widths = COLUMNS.map((column, n) =>
    Math.max(column.length, ...rows.map((row) => row[n]?.length ?? 0)),
  )
  return [COLUMNS, ...rows]
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function describeRun({
  cpu,
  cores,
  loadBefore,
  loadAfter,
  node,
  commit,
  date,
  settings = {},
}: Run): string[] {
  const changed = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const machine = `${cpu}, ${cores} cores, load ${loadBefore} to ${loadAfter}`
  return [machine, node, commit, [date, ...changed].join(' ')]
}
