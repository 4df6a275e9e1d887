// A bare Fastify with the same body and an equally long response: the machine's upper limit over HTTP. Prints its port.
import fastify from 'fastify'
import { rateAndAdvance } from '../../contract/discovery.ts'

const app = fastify()
app.post(rateAndAdvance.path, async (request) => ({ completed: false, nextSong: request.body, filling }))
const address = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(address)
process.once('SIGTERM', () => void app.close())

/** A rating's response has about 300 bytes. */
const filling = 'x'.repeat(200)
