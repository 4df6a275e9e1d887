import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Run, tableOf, toFigure, WHOLE, writeRecord } from '../../bench/measure/record.ts'
import { packageFolder } from '../../server/packageFolder.ts'

const run: Run = {
  commit: '0123456789',
  cores: 4,
  cpu: 'A Processor 9000',
  date: '2026-01-31',
  loadBefore: 0.5,
  loadAfter: 2,
  node: '22.12.0',
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bob-figures-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('every bench states its goals in one way, and ends with them', () => {
  const names = readdirSync(packageFolder('bench')).filter((file) => file.endsWith('.ts'))
  const texts = names.map((name) => [name, readFileSync(packageFolder(`bench/${name}`), 'utf8')] as const)

  expect(names.length).toBeGreaterThan(8)
  expect(texts.filter(([, text]) => !/\bjudge\w*\(/.test(text)).map(([name]) => name)).toEqual([])
  expect(texts.filter(([, text]) => !/^finish\(\)$/m.test(text)).map(([name]) => name)).toEqual([])
})

test.each([
  [5, { most: 5 }, true],
  [5.1, { most: 5 }, false],
  [5, { under: 5 }, false],
  [4.9, { under: 5 }, true],
  [5, { least: 5 }, true],
  [4.9, { least: 5 }, false],
  [Number.NaN, { most: 5 }, false],
  [[], { under: 5 }, false],
])('%s with the goal %o: %s', (measured, goal, isMet) => {
  expect(toFigure(measured, goal).isMet).toBe(isMet)
})

test('of several rounds the median counts, and the range is shown', () => {
  expect(toFigure([9, 1, 2], { most: 2 })).toEqual({
    figure: 2,
    goal: 'at most 2',
    isMet: true,
    least: 1,
    most: 9,
  })
})

test('a figure is judged before it is rounded', () => {
  expect(toFigure(50.04, { most: 50 })).toEqual({ figure: 50, goal: 'at most 50', isMet: false })
})

test('the table shows what was measured where, and a part that runs alone replaces only itself', () => {
  const figures = { 'calls a second': toFigure([2000, 1500, 2500], { least: 3000 }) }
  writeRecord(folder, 'rate', { load: { figures, run }, memory: { figures: { MiB: toFigure(180) }, run } })
  writeRecord(folder, 'rate', {
    memory: {
      figures: { MiB: toFigure(190, { under: 200 }) },
      run: { ...run, settings: { BENCH_RATINGS: '10' } },
    },
  })
  writeRecord(folder, 'search', {
    [WHOLE]: { figures: { 'p95, ms': toFigure(Number.NaN, { under: 50 }) }, run },
  })

  const [head, ...rows] = tableOf(folder).split('\n')
  const cells = (row = '') => row.split(/ {2,}/)
  const machine = 'A Processor 9000, 4 cores, load 0.5 to 2'
  const when = ['22.12.0', '0123456789', '2026-01-31']

  expect(cells(head)).toEqual('bench what goal figure verdict machine Node commit date'.split(' '))
  expect(rows.map(cells)).toEqual([
    ['rate load', 'calls a second', 'at least 3,000', '2,000 (1,500 to 2,500)', 'MISSED', machine, ...when],
    [
      'rate memory',
      'MiB',
      'under 200',
      '190',
      'met',
      machine,
      ...when.slice(0, 2),
      '2026-01-31 BENCH_RATINGS=10',
    ],
    ['search', 'p95, ms', 'under 50', 'not measured', 'MISSED', machine, ...when],
  ])
})

test('without figures the table says so', () => {
  expect(tableOf(join(folder, 'nothing'))).toBe('No figures are recorded yet.')
})
