// Replaces wrk where that is not installed. Arguments: address, seconds, then those of rate.lua.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const [url = '', seconds = '', cookies = '', connections = '', genre = '', first = '', path = '', , pause] =
  process.argv.slice(2)
const listeners = readFileSync(cookies, 'utf8').trim().split('\n')
let connected = 0

const { requests, duration, non2xx, errors, latency } = await autocannon({
  url: url + path,
  connections: Number(connections),
  duration: Number(seconds),
  method: 'POST',
  // Calls a second, as if each caller paused.
  ...(Number(pause) > 0 ? { overallRate: (1000 * Number(connections)) / Number(pause) } : {}),
  setupClient(client) {
    const own = listeners
      .filter((_, index) => index % Number(connections) === connected)
      .map((cookie) => ({ cookie, song: Number(first) }))
    connected++
    let turn = 0
    const next = () => {
      const listener = own[turn++ % own.length]
      if (!listener) return
      const songId = listener.song++
      client.setHeadersAndBody(
        { cookie: listener.cookie, 'content-type': 'application/json' },
        JSON.stringify({
          microgenreId: genre,
          songId: String(songId),
          rating: songId % 3 ? 'banger' : 'bust',
          zone: 'Europe/Berlin',
        }),
      )
    }
    next()
    client.on('response', next)
  },
})
console.log(
  JSON.stringify({
    calls: requests.total,
    seconds: duration,
    refused: non2xx,
    broken: errors,
    p50: latency.p50,
    p99: latency.p99,
    slowest: latency.max,
  }),
)
