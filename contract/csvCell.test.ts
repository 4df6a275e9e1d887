import { describe, expect, test } from 'vitest'
import { csvCell } from './csvCell.ts'

describe('csvCell', () => {
  test.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [12.5, '12.5'],
    [-3, '-3'],
    [true, 'true'],
    [null, ''],
  ])('quotes %j as RFC 4180 does', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })

  test.each([
    ['=1+1,"x"', `"'=1+1,""x"""`],
    ['+49', "'+49"],
    ['-abc_DEF123', "'-abc_DEF123"],
    ['@song', "'@song"],
    ['\t=1', "'\t=1"],
    ['＝1+1', "'＝1+1"],
    ['a;=1+1;b', "a;'=1+1;b"],
  ])('keeps %j from running as a formula (diagnostics-9)', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})
