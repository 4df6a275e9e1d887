import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that is free and stays so: of those that no system gives to whoever wants any port. Nobody else
 * has it before the server listens that it is for, nor while that is being started again.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = randomInt(20_000, 30_000)
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(freePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
