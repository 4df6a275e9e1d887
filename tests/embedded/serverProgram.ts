// The server in a process of its own, so that a test can stop and continue it. Tells its address, ends on SIGTERM.
import { startApp } from '../harness/setUpApp.ts'

const [target = ''] = process.argv.slice(2)
const { app, close } = await startApp(target, { TRUST_PROXY: '127.0.0.1' })
process.once('SIGTERM', () => void close())
console.log(app.url)
