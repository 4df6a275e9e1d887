// Claims and releases a data folder again and again, next to other processes; prints 'both' when two hold it.
import { mkdir, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { AlreadyRunning, claimDataDir } from '../../server/db/embedded/claimDataDir.ts'

const [dataDir = '', rounds = '0', ending = ''] = process.argv.slice(2)
const lock = path.join(path.dirname(dataDir), 'held')
let won = 0

// A process that is meant to die keeps going until it does: others may take all the turns for a while.
for (let round = 0; round < Number(rounds) || ending === 'die'; round++) {
  try {
    const claim = await claimDataDir(dataDir)
    await mkdir(lock).catch(() => {
      console.log('both')
      process.exit(1)
    })
    won++
    await rmdir(lock)
    if (ending === 'die' && won > 3) process.kill(process.pid, 'SIGKILL')
    await claim.release()
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
  }
}
console.log(JSON.stringify({ won }))
