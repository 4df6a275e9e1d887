import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type library from 'satori'

/*
 * Satori 0.63.2 with one sign changed: HarfBuzz measures a mark's offset upwards, SVG downwards. Remove this when the
 * library is fixed.
 */

const file = createRequire(import.meta.url).resolve('satori')
const source = readFileSync(file, 'utf8').replace(/\+(?=\w+\.dy\*)/, '-')
const module = { exports: {} as { default: typeof library } }
compileFunction(source, ['require', 'module', 'exports', '__filename'], { filename: file })(
  createRequire(file),
  module,
  module.exports,
  file,
)

export const satori = module.exports.default
