// Loaded into the Companion process (`node --import`): https requests go to stand-ins, at the ports that PROVIDER_HOSTS
// lists by host. All other hosts, and stand-ins that have stopped, are unreachable.
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const ports = JSON.parse(process.env.PROVIDER_HOSTS ?? '{}')

https.request = (address, options) => {
  const { hostname, pathname, search } = new URL(address)
  const { method, headers, signal } = options
  const request = http.request({
    host: '127.0.0.1',
    port: ports[hostname] ?? 9,
    path: pathname + search,
    method,
    headers,
    signal,
  })
  const emit = request.emit.bind(request)
  request.emit = (event, ...given) => {
    if (event === 'error') given[0].code = 'EHOSTUNREACH'
    return emit(event, ...given)
  }
  return request
}
syncBuiltinESMExports()
