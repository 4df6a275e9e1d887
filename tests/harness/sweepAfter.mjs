// Waits until the test run that started it is gone, however it went, then ends the run's database and
// removes its folder. A run that ended in order has left nothing to do.
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const dataDir = process.argv[2]
process.stdin.resume()
await once(process.stdin, 'close')

const pid = readPid()
if (pid) {
  // To PostgreSQL SIGINT is a fast shutdown.
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
