import path from 'node:path'
import { restoreDatabase } from '../backups/restoreDatabase.ts'
import { readEnv } from '../env.ts'
import { print } from '../process/log.ts'
import { fail, messageOf, showUsage } from './runCommand.ts'

/** `npm run restore -- FILE`: restores a backup into an empty DATA_DIR or an empty DATABASE_URL. */
const [file, ...more] = process.argv.slice(2)

if (file && !file.startsWith('-') && more.length === 0)
  await restore(file).catch((error: unknown) => fail(messageOf(error)))
else showUsage('Usage: npm run restore -- FILE\nFILE is a file that npm run backup wrote.')

async function restore(file: string): Promise<void> {
  const env = readEnv(process.env)
  const { rows, takenAt } = await restoreDatabase(path.resolve(process.env.INIT_CWD ?? '.', file), env)
  print(
    `Restored the backup of ${takenAt}: ${(rows.users ?? 0).toLocaleString('en')} listeners and ${(rows.ratings ?? 0).toLocaleString('en')} ratings. Run "npm start" to use it.`,
  )
}
