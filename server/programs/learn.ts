import os from 'node:os'
import { print } from '../process/log.ts'
import { type LearningRun, learnTaste } from '../taste/learnTaste.ts'
import { runCommand, showUsage } from './runCommand.ts'

/** `npm run learn`: learns from all ratings what each listener likes (discover-60). The server runs it every night. */
if (process.argv.length > 2)
  showUsage('Usage: npm run learn\nLearns from all ratings what each listener likes.')
else {
  await runCommand(process.env, async (_, { db }) => {
    // Ratings go first.
    os.setPriority(10)
    const run = await learnTaste(db)
    print(run ? formatRun(run) : 'Another process is learning.')
  })
}

function formatRun({ outcome, ratings, listeners, loss, lastLoss, plainLoss }: LearningRun): string {
  const summary = `Read ${ratings.toLocaleString('en')} ratings of ${listeners.toLocaleString('en')} listeners.`
  if (outcome === 'too few') return `${summary} That is too few to learn from.`
  const errors = [
    `error on held-out ratings ${loss?.toFixed(4)}`,
    `without taste ${plainLoss?.toFixed(4)}`,
    ...(lastLoss === null ? [] : [`before ${lastLoss.toFixed(4)}`]),
  ].join(', ')
  const result = outcome === 'in place' ? 'It is in place.' : 'It is worse, so what was in place stays.'
  return `${summary} Run finished: ${errors}. ${result}`
}
