// Stands in for the server: claims the data folder, starts the database, monitors it, ends on SIGTERM.
import { claimDataDir } from '../../server/db/embedded/claimDataDir.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'

const [dataDir = '', address = ''] = process.argv.slice(2)
const print = (line: object) => console.log(JSON.stringify(line))

try {
  const claim = await claimDataDir(dataDir)
  const database = await startEmbedded({ dataDir, noSync: true, log: (message) => print({ log: message }) })
  database.watch()
  claim.setAddress(address)
  process.on('SIGTERM', async () => {
    clearInterval(alive)
    await database.stop()
    await claim.release()
  })
  const alive = setInterval(() => {}, 1000)
  print({ up: true, adopted: database.isAdopted, connection: database.connection })
} catch (error) {
  print({ error: (error as Error).message, name: (error as Error).name })
  process.exitCode = 1
}
