// npm start: installs what is missing, builds what changed, and runs the server.
import { handOver } from './handOver.mjs'
import { ensureReady } from './ready.mjs'

// A reload by systemd during the build must not stop the service. From a terminal SIGHUP means that it was closed.
if (!process.stdin.isTTY) process.on('SIGHUP', () => {})
await ensureReady()
await handOver('dist/server/main.js')
