// Claims and releases a data folder over and over beside others; says 'both' should two ever hold it at once.
import { mkdir, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { AlreadyRunning, claimDataDir } from '../../server/db/embedded/ownership.ts'

const [dataDir = '', rounds = '0', ending = ''] = process.argv.slice(2)
const held = path.join(path.dirname(dataDir), 'held')
let won = 0

// Who is to die goes on until that has come: the others may have had all the turns, and are done some time.
for (let round = 0; round < Number(rounds) || ending === 'die'; round++) {
  try {
    const claim = await claimDataDir(dataDir)
    await mkdir(held).catch(() => {
      console.log('both')
      process.exit(1)
    })
    won++
    await rmdir(held)
    if (ending === 'die' && won > 3) process.kill(process.pid, 'SIGKILL')
    await claim.release()
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
  }
}
console.log(JSON.stringify({ won }))
