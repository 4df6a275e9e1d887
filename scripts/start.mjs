// npm start: installs what is missing, builds what changed, and runs the server.
import { handOver } from './handOver.mjs'
import { ensureReady } from './ready.mjs'

await ensureReady()
await handOver('dist/server/main.js')
