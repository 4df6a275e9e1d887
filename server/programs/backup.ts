import { stat } from 'node:fs/promises'
import path from 'node:path'
import { rememberBackup } from '../db/backup/lastBackup.ts'
import { writeBackup } from '../db/backup/writeBackup.ts'
import { openForProgram } from '../db/openForProgram.ts'
import { readEnv } from '../env.ts'
import { print } from './print.ts'

/** `npm run backup -- FILE | FOLDER`: a consistent backup of the database, whether the server runs or not. */
const [given] = process.argv.slice(2)

if (!given) {
  console.error(
    'Usage: npm run backup -- FILE\nFILE must not exist yet. If it is a folder, the backup is named after the current time.',
  )
  process.exit(2)
}

await backUp(given).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function backUp(place: string): Promise<void> {
  const file = await chooseFile(path.resolve(process.env.INIT_CWD ?? '.', place))
  const env = readEnv(process.env)
  const { db, close } = await openForProgram(env)
  try {
    const takenAt = new Date()
    const rows = await writeBackup(db, file)
    const { size } = await stat(file)
    print(
      `Wrote ${(rows.users ?? 0).toLocaleString('en')} listeners and ${(rows.ratings ?? 0).toLocaleString('en')} ratings to ${file} (${(size / 1024 ** 2).toFixed(1)} MiB). Keep it as private as the database.`,
    )
    // The backup is good without it.
    await rememberBackup(env.DATA_DIR, { takenAt, file, bytes: size }).catch((error: Error) => {
      console.error(`npm run doctor will not know of it: ${error.message}`)
    })
  } finally {
    await close()
  }
}

async function chooseFile(place: string): Promise<string> {
  const found = await stat(place).catch(() => null)
  if (!found?.isDirectory()) return place
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return path.join(place, `banger-or-bust-${time}.backup`)
}
