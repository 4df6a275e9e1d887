import { connect } from '../../server/db/connection.ts'
import type { EmbeddedConnection } from '../../server/db/embedded/probe.ts'
import { calls, inviteGuest } from './calls.ts'

/** The plans of all statements behind each call, including those inside functions, with their times. */
export async function explain(at: EmbeddedConnection): Promise<string> {
  const lines: string[] = []
  const db = connect(at, {
    max: 1,
    lookups: true,
    settings: { statement_timeout: '0' },
    onNotice: (message) => {
      if (message.startsWith('duration:')) lines.push(message.replace(/^duration: [\d.]+ ms {2}plan:\n/, ''))
    },
  })
  try {
    const guest = await inviteGuest(db)
    // Some songs, so that the plans are those of a listener in mid-pass.
    for (let n = 0; n < 10; n++) await calls['rating, with the next song']?.(guest)
    await db`load 'auto_explain'`
    for (const setting of ['log_analyze', 'log_buffers', 'log_nested_statements'])
      await db.unsafe(`set auto_explain.${setting} = on`)
    await db`set auto_explain.log_timing = off`
    await db`set client_min_messages = log`
    await db`set auto_explain.log_min_duration = 0`
    for (const [name, call] of Object.entries(calls)) {
      lines.push(`\n=== ${name} ===\n`)
      await call(guest)
    }
  } finally {
    await db.end({ timeout: 5 })
  }
  return `${lines.join('\n').trim()}\n`
}
