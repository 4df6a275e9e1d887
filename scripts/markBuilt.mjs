import { markBuilt } from './build.mjs'

await markBuilt()
