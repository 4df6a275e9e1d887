import { expect, test } from 'vitest'
import { BadInput } from '../inputErrors.ts'
import { readMapping } from './columns.ts'
import type { ReadRow } from './read.ts'
import { readDelimited } from './readDelimited.ts'
import { readJsonItems, readJsonLines } from './readJson.ts'

/* Files of any size: rows are streamed, and only as much is read as they need. */

const MIB = 1 << 20
const find = readMapping('')
const QUOTED = { delimiter: ',', isQuoted: true }
const READERS = {
  table: (chunks: AsyncIterable<Buffer>) => readDelimited(chunks, QUOTED, find, new Set()),
  items: (chunks: AsyncIterable<Buffer>) => readJsonItems(chunks, false, find, new Set()),
  lines: (chunks: AsyncIterable<Buffer>) => readJsonLines(chunks, find, new Set()),
}
const ROWS = {
  table: ['title,artist\n', 'A title,An artist\n'],
  items: ['[', '{"title":"A title","artist":"An artist"},'],
  lines: ['', '{"title":"A title","artist":"An artist"}\n'],
} as const

test.each(['table', 'items', 'lines'] as const)('%s: an endless file is streamed', async (kind) => {
  const [beginning, row] = ROWS[kind]
  const source = endless(beginning, row)
  let rows = 0
  for await (const { line } of READERS[kind](source.chunks())) {
    rows += 1
    if (kind === 'items') expect(line).toBe(rows)
    if (rows === 5000) break
  }

  // The requested rows, and what the stream buffers hold.
  expect(source.given()).toBeLessThan(5000 * row.length + MIB)
  expect(source.isClosed()).toBe(true)
})

test.each([
  ['table', 'title,artist\n"', 'a,', 'from line 2 on'],
  ['table', 'title,artist\n', 'a', 'from line 2 on'],
  ['items', '[{"title":"', 'a', 'from item 1 on'],
  ['items', '[{"title":"a"},', ' ', 'from item 2 on'],
  ['items', '[{"title":[', '1,', 'from item 1 on'],
  ['lines', '{"title":"', 'a', 'from line 1 on'],
] as const)('%s: a row that never ends (%j) is an error', async (kind, beginning, more, message) => {
  const source = endless(beginning, more)
  const reading = drain(READERS[kind](source.chunks()))

  await expect(reading).rejects.toThrow(BadInput)
  await expect(reading).rejects.toThrow(message)
  expect(source.given()).toBeLessThan(6 * MIB)
})

function endless(beginning: string, more: string) {
  let given = 0
  let closed = false
  const chunk = Buffer.from(more.repeat(Math.ceil(16_384 / more.length)))
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from(beginning)
      for (;;) {
        given += chunk.length
        yield chunk
      }
    } finally {
      closed = true
    }
  }
  return { chunks, given: () => given, isClosed: () => closed }
}

async function drain(rows: AsyncIterable<ReadRow>): Promise<void> {
  for await (const _ of rows);
}
