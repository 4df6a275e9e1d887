import { packageFolder } from '../../server/packageFolder.ts'
import { tableOf } from './record.ts'

/* `npm run bench` without a name: the figures that were recorded last. */

console.log(tableOf(packageFolder('bench/figures')))
