// npm start: installs what is missing, builds what changed, and keeps the server running.
import { keepRunning } from './keepRunning.mjs'
import { ensureReady } from './ready.mjs'

await ensureReady()
keepRunning(['dist/server/main.js'])
