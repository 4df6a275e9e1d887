// A bare Fastify that parses the same body and answers as much: what the machine gives HTTP at most. Prints its port.
import fastify from 'fastify'
import { rateAndAdvance } from '../../contract/discovery.ts'

const app = fastify()
app.post(rateAndAdvance.path, async (request) => ({ completed: false, nextSong: request.body, filling }))
const address = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(address)
process.once('SIGTERM', () => void app.close())

/** The answer to a rating has about 300 bytes. */
const filling = 'x'.repeat(200)
