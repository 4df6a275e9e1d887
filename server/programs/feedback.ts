import { parseArgs } from 'node:util'
import { z } from 'zod'
import { FEEDBACK_PAGE_SIZE, type ReceivedFeedback } from '../../contract/feedback.ts'
import type { Database } from '../db/connection.ts'
import { listFeedback } from '../feedback/feedback.ts'
import { print, printable } from '../process/log.ts'
import { runCommand, showUsage } from './runCommand.ts'

const USAGE = `Usage: npm run feedback -- [--since DATE] [--json]
Prints what people wrote, newest first.
  --since DATE   only messages of this day (in UTC) and later, such as 2026-11-23
  --json         one JSON object per line`

/** `npm run feedback`: prints feedback, for when it is not mailed (people-21). */
const options = readOptions(process.argv.slice(2))
let isOutputClosed = false
// The reader left, as in `npm run -s feedback | head`.
process.stdout.on('error', () => {
  isOutputClosed = true
})

if (options) {
  await runCommand(process.env, async (_, { db }) => {
    const show = options.json ? (one: ReceivedFeedback) => JSON.stringify(one) : formatFeedback
    let count = 0
    for await (const one of readFeedback(db, options.since)) {
      if (isOutputClosed) return
      print(show(one))
      count++
    }
    if (count === 0 && !options.json) print('There is no feedback.')
  })
} else showUsage(USAGE)

function readOptions(argv: string[]): { since: Date | null; json: boolean } | null {
  try {
    const { values } = parseArgs({
      args: argv,
      options: { since: { type: 'string' }, json: { type: 'boolean', default: false } },
    })
    // JavaScript takes 30 February for 2 March.
    const day = z.iso.date().optional().parse(values.since)
    return { since: day === undefined ? null : new Date(day), json: values.json }
  } catch {
    return null
  }
}

/** In batches, so that any number of messages fits into memory. */
async function* readFeedback(db: Database, since: Date | null): AsyncGenerator<ReceivedFeedback> {
  let before: string | null = null
  for (;;) {
    const batch: ReceivedFeedback[] = await listFeedback(db, { before, since, limit: FEEDBACK_PAGE_SIZE })
    yield* batch
    before = batch.at(-1)?.id ?? null
    if (batch.length < FEEDBACK_PAGE_SIZE) return
  }
}

function formatFeedback({ createdAt, from, email, message, mailed }: ReceivedFeedback): string {
  const time = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`
  const sender = `${email ?? 'a listener who wants no e-mails'}${from === 'visitor' ? ' (no account)' : ''}`
  return printable(`${time}  ${sender}${mailed ? '  mailed' : ''}\n${message}\n`)
}
