import { recount } from '../community/recount.ts'
import { NO_STATEMENT_TIMEOUT, withDatabase } from '../db/connection.ts'
import { CannotDistribute, type DistributionResult, distribute, type Kind } from '../db/distribute.ts'
import { print } from '../process/log.ts'
import { CommandError, runCommand, showUsage } from './runCommand.ts'

const KIND_LABELS: Record<Kind, string> = {
  distributed: 'tables are distributed by listener',
  reference: 'tables are copied to every node',
  delegated: "functions run on the listener's worker",
  helpers: 'functions are on every node',
}

/**
 * `npm run database -- distribute`: distributes listeners over the workers of a Citus cluster. Run it again after
 * an upgrade, for what is new. `recount`: corrects wrong totals.
 */
const [command, ...rest] = process.argv.slice(2)

if (command === 'distribute' && rest.length === 0) {
  await runCommand(process.env, async (_, { target }) => {
    const done = await distribute(target).catch((error: unknown) => {
      throw error instanceof CannotDistribute ? new CommandError(error.message) : error
    })
    for (const line of formatDistribution(done)) print(line)
  })
} else if (command === 'recount' && rest.length === 0) {
  await runCommand(process.env, async (_, { target }) => {
    const corrected = await withDatabase(target, recount, NO_STATEMENT_TIMEOUT)
    for (const [kind, rows] of Object.entries(corrected))
      print(`${rows.toLocaleString('en')} ${kind} corrected`)
  })
} else {
  showUsage('Usage: npm run database -- distribute | recount')
}

function formatDistribution({ workers, changed, all }: DistributionResult): string[] {
  const isDone = Object.values(changed).every((names) => names.length === 0)
  const listed = (Object.keys(KIND_LABELS) as Kind[]).map(
    (kind) =>
      `${all[kind]} ${KIND_LABELS[kind]}${changed[kind].length > 0 ? `, new: ${changed[kind].join(', ')}` : ''}`,
  )
  return [
    `Workers: ${workers.join(', ')}`,
    ...listed,
    isDone ? 'Nothing was left to do.' : 'Restart the servers, so that they send each rating to its worker.',
  ]
}
