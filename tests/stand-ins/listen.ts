import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

let latency = 0

/** From now on every stand-in of this process waits that many milliseconds before it answers a GET. */
export function answerAfter(ms: number): void {
  latency = ms
}

/** An HTTP server on a free loopback port. */
export async function listen(answer: RequestListener): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (latency > 0 && request.method === 'GET') await sleep(latency)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
