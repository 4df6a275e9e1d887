// Waits until the test run that started it has ended, in whatever way, then stops the run's database and
// deletes its folder. After a clean end there is nothing to do.
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const dataDir = process.argv[2]
process.stdin.resume()
await once(process.stdin, 'close')

const pid = readPid()
if (pid) {
  // SIGINT is PostgreSQL's fast shutdown.
  signal(pid, 'SIGINT')
  for (let i = 0; i < 100 && signal(pid, 0); i++) await wait(100)
}
rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })

function readPid() {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function signal(target, name) {
  try {
    return process.kill(target, name)
  } catch {
    return false
  }
}
