// The server as its own process, so that a test can pause it. Prints its address, ends on SIGTERM.
import { startApp } from '../harness/setUpApp.ts'

const [target = ''] = process.argv.slice(2)
const { app, close } = await startApp(target, { TRUST_PROXY: '127.0.0.1' })
process.once('SIGTERM', () => void close())
console.log(app.url)
