import http from 'node:http'
import type { AddressInfo } from 'node:net'

/* What a call costs at least: a bare server that answers the body that it got, in a process of its own. */

const server = http.createServer(async (request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(Buffer.concat(await request.toArray()))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
