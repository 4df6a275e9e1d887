import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from './root.mjs'
import { runNpm } from './runStep.mjs'

/**
 * Installs a version of Node from the npm package `node`, unless it is there. It is kept outside node_modules, because
 * npm ci would delete it.
 * @param {string} version such as `24`
 * @returns {Promise<string>} the folder of its `node`
 */
export async function installNode(version) {
  const folder = path.join(root, 'node_modules', '.cache', `node-${version}`)
  const bin = path.join(folder, 'node_modules', 'node', 'bin')
  const node = path.join(bin, 'node')
  if (!existsSync(node)) {
    const quiet = ['--no-audit', '--no-fund', '--no-save']
    await runNpm(['install', '--prefix', folder, ...quiet, `node@${version}`])
  }
  const { stdout } = await promisify(execFile)(node, ['--version'])
  if (!stdout.startsWith(`v${version}.`)) throw new Error(`${node} is ${stdout.trim()}, not Node ${version}.`)
  return bin
}
